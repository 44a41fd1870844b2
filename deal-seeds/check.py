#!/usr/bin/env python3
"""Checks the frozen deals in this folder without a line of the program that made them.

ChaCha20, SHA-256, HMAC and HKDF come from the package `cryptography` (OpenSSL); everything else is written here
from docs/deal-spec.md. Prints what was checked; exits with 1 and names the first mismatch.

    python3 deal-seeds/check.py              check every file
    python3 deal-seeds/check.py --self-test  also change every single value and make sure that each change is noticed
"""

import copy
import json
import math
import pathlib
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

FOLDER = pathlib.Path(__file__).resolve().parent
SCHEME = "fushi-deal/1"
HEX_DIGITS = set("0123456789abcdef")


class Mismatch(Exception):
    """Something in a file is not what the specification gives."""


def same(what, found, expected):
    if type(found) is not type(expected) or found != expected:
        raise Mismatch(f"{what}: the file has {found!r}, the specification gives {expected!r}")


# --- primitives ---------------------------------------------------------------------------------------------------

def sha256(data):
    digest = hashes.Hash(hashes.SHA256())
    digest.update(data)
    return digest.finalize()


def mac(key, data):
    code = hmac.HMAC(key, hashes.SHA256())
    code.update(data)
    return code.finalize()


def derive(master, label, identifier):
    info = label.encode() + identifier.encode()
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info).derive(master)


def key_stream(key, length):
    # 16 bytes: block counter (from 0) and nonce (0), all zero.
    encryptor = Cipher(algorithms.ChaCha20(key, bytes(16)), mode=None).encryptor()
    return encryptor.update(bytes(length))


def field(data):
    return len(data).to_bytes(8, "big") + data


def unhex(text):
    if len(text) != 64 or not set(text) <= HEX_DIGITS:
        raise Mismatch(f"{text!r} is not 64 lower-case hexadecimal digits")
    return bytes.fromhex(text)


# --- the scheme ---------------------------------------------------------------------------------------------------

def words_of(keys):
    """The words of the streams, which take turns."""
    streams = [key_stream(key, 4096) for key in keys]
    for at in range(0, 4096, 4):
        for stream in streams:
            yield int.from_bytes(stream[at:at + 4], "little")
    raise Mismatch("a shuffle used more than 1024 words of a stream")


def draw_below(words, bound):
    limit = 2**32 - 2**32 % bound
    for word in words:
        if word < limit:
            return word % bound
    raise Mismatch("the words ran out")


def unshuffled(packs, jokers):
    faces = [suit + rank for suit in "SHDC" for rank in "23456789TJQKA"]
    return (faces + (["sj", "bj"] if jokers else [])) * packs


def shuffled(cards, keys):
    cards, words = list(cards), words_of(keys)
    for count in range(len(cards), 1, -1):
        other = draw_below(words, count)
        cards[count - 1], cards[other] = cards[other], cards[count - 1]
    return cards


def board_keys(streams, set_key, announcement_hash, delayed, set_id, board):
    message = b"fushi-deal/1|board|" + b"".join(
        field(part)
        for part in (announcement_hash, delayed.encode("ascii"), set_id.encode("ascii"), board.to_bytes(4, "big")))
    tails = [b""] + [field(stream.to_bytes(4, "big")) for stream in range(2, streams + 1)]
    return [mac(set_key, message + tail) for tail in tails]


def leaf(set_id, salt, key):
    return sha256(b"\x00" + field(set_id.encode()) + field(salt) + field(key))


def ai_commitment(event, salt, key):
    return sha256(b"\x02" + field(event.encode()) + field(salt) + field(key))


def draw_commitment(event, salt, key):
    return sha256(b"\x03" + field(event.encode()) + field(salt) + field(key))


def list_hash(ids):
    return sha256(json.dumps(ids, separators=(",", ":"), ensure_ascii=False).encode())


def draw_seed(key, announcement_hash, delayed, purpose, number, ids):
    parts = (announcement_hash, delayed.encode("ascii"), purpose.encode("ascii"), number.to_bytes(4, "big"),
             list_hash(ids))
    return mac(key, b"fushi-deal/1|lot|" + b"".join(field(part) for part in parts))


def drawn_numbers(seed, count):
    """The numbers 1 to count, shuffled from the last place down with the stream of the seed's hexadecimal digits."""
    words = words_of([sha256(field(b"fushi-draw/1") + field(seed.hex().encode()))])
    numbers = list(range(1, count + 1))
    for last in range(count - 1, 0, -1):
        other = draw_below(words, last + 1)
        numbers[last], numbers[other] = numbers[other], numbers[last]
    return numbers


def by_suit(cards):
    """Suits S H D C, in each 2 to A: the order in which wakeng writes hands."""
    return sorted(cards, key=lambda card: ("SHDC".index(card[0]), "23456789TJQKA".index(card[1])))


def deal_of(game, cards, more):
    """The object under `deal`, from the dealing order."""
    if game == "wakeng":
        hands = {"A": cards[:16], "B": cards[16:32], "C": cards[32:48], "bottom": cards[48:]}
        return {name: " ".join(by_suit(hand)) for name, hand in hands.items()}
    if game == "tuolaji":
        return {"draw": " ".join(cards)}
    if game != "holdem":
        raise Mismatch(f"{game!r} is no game")
    seats, button = more["seats"], int(more["button"])
    pack = iter(cards)
    holes = {str(seat): [] for seat in range(1, seats + 1)}
    for _ in range(2):
        for step in range(1, seats + 1):
            holes[str((button - 1 + step) % seats + 1)].append(next(pack))
    board = []
    for street in (3, 1, 1):
        next(pack)
        board += [next(pack) for _ in range(street)]
    return {"holes": {seat: " ".join(hole) for seat, hole in holes.items()}, "board": " ".join(board)}


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def tree(leaves):
    """Every level of the tree, leaves first. A last node without a partner moves up unchanged."""
    levels = [list(leaves)]
    while len(levels[-1]) > 1:
        level = levels[-1]
        above = [sha256(b"\x01" + level[i] + level[i + 1]) for i in range(0, len(level) - 1, 2)]
        levels.append(above + level[len(level) - len(level) % 2:])
    return levels


def proof(leaves, at):
    partners = []
    for level in tree(leaves)[:-1]:
        if at ^ 1 < len(level):
            partners.append(level[at ^ 1])
        at //= 2
    return partners


def climb(value, at, count, partners):
    """The root that a proof leads to; None if it has another length than the place needs."""
    partners = list(partners)
    while count > 1:
        if at ^ 1 < count:
            if not partners:
                return None
            partner = partners.pop(0)
            value = sha256(b"\x01" + (value + partner if at % 2 == 0 else partner + value))
        at, count = at // 2, (count + 1) // 2
    return None if partners else value


def normal_form(form, length, typed):
    """The normal form of a delayed value, or None if it is refused."""
    text = ""
    for character in typed:
        if "\uff01" <= character <= "\uff5e":
            character = chr(ord(character) - 0xFEE0)
        text += " " if character in "\u3000\t\r\n" else character
    if form == "digits":
        value = "".join(c for c in text if c not in " ,.")
        good = all(c in "0123456789" for c in value)
    elif form == "hex":
        value = text.replace(" ", "")
        good = all(c in "0123456789abcdefABCDEF" for c in value)
        value = value.lower() if good else value
    elif form == "text":
        value = " ".join(word for word in text.split(" ") if word)
        good = all(" " <= c <= "~" for c in value)
    else:
        raise Mismatch(f"{form!r} is no form of a delayed value")
    if not good or not 1 <= len(value) <= 1024 or (length and len(value) != length):
        return None
    return value


# --- the files ----------------------------------------------------------------------------------------------------

def known_answers():
    """The primitives against published values, before anything is concluded from them."""
    same("ChaCha20, key 0", key_stream(bytes(32), 16).hex(), "76b8e0ada0f13d90405d6ae55386bd28")
    same("SHA-256", sha256(b"abc").hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    same("HMAC, RFC 4231 test 2", mac(b"Jefe", b"what do ya want for nothing?").hex(),
         "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    hkdf = HKDF(algorithm=hashes.SHA256(), length=42, salt=None, info=b"").derive(b"\x0b" * 22)
    same("HKDF, RFC 5869 test 3", hkdf.hex(), "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
                                             "9d201395faa4b61a96c8")
    return {"published values of primitives": 4}


def check_streams(data):
    for entry in data["streams"]:
        same("key stream", entry["key_stream"], key_stream(unhex(entry["key"]), 512).hex())
    for entry in data["samples"]:
        words = iter(entry["words"])
        same("index drawn", entry["index"], draw_below(words, entry["bound"]))
        same("words used", entry["used"], len(entry["words"]) - len(list(words)))
        if not all(0 <= word < 2**32 for word in entry["words"]):
            raise Mismatch("a word has more than 32 bits")
    return {"key streams of 512 bytes": len(data["streams"]), "draws by rejection": len(data["samples"])}


def check_keys(data):
    sets = 0
    for entry in data["masters"]:
        master = unhex(entry["master"])
        for line in entry["sets"]:
            key, salt = derive(master, "fushi-deal/1|set|", line["set"]), derive(master, "fushi-deal/1|salt|", line["set"])
            same("set key", line["key"], key.hex())
            same("salt", line["salt"], salt.hex())
            same("leaf", line["leaf"], leaf(line["set"], salt, key).hex())
            sets += 1
        ai = entry["ai"]
        same("AI key", ai["key"], derive(master, "fushi-deal/1|ai|", ai["event"]).hex())
        same("AI salt", ai["salt"], derive(master, "fushi-deal/1|ai-salt|", ai["event"]).hex())
    for entry in data["practice"]:
        seed = entry["seed"]
        plain = len(seed) == 64 and set(seed) <= HEX_DIGITS
        key = bytes.fromhex(seed) if plain else sha256(b"fushi-deal/1|practice|" + seed.encode())
        same("practice key", entry["key"], key.hex())
    proofs = 0
    for entry in data["trees"]:
        leaves = [unhex(text) for text in entry["leaves"]]
        root = tree(leaves)[-1][0]
        same("root", entry["root"], root.hex())
        same("number of proofs", len(entry["proofs"]), len(leaves))
        for at, partners in enumerate(entry["proofs"]):
            same("proof", partners, [partner.hex() for partner in proof(leaves, at)])
            same("root reached", climb(leaves[at], at, len(leaves), proof(leaves, at)), root)
            proofs += 1
    return {"set keys, salts and leaves": sets, "AI keys": len(data["masters"]),
            "practice seeds": len(data["practice"]), "Merkle roots": len(data["trees"]), "Merkle proofs": proofs}


def check_delayed(data):
    for entry in data["cases"]:
        same(f"normal form of {entry['typed']!r}", entry["value"],
             normal_form(entry["form"], entry["length"], entry["typed"]))
    return {"delayed values": len(data["cases"])}


def check_pack(data, packs, jokers, streams, games):
    cards = unshuffled(packs, jokers)
    orders = math.factorial(len(cards)) // math.factorial(packs) ** (len(cards) // packs)
    same("games", data["games"], games)
    same("number of orders", data["orders"], str(orders))
    same("bits of the orders", data["order_bits"], (orders - 1).bit_length())
    same("bits of the seed", data["seed_bits"], 256 * streams)
    if data["seed_bits"] < data["order_bits"]:
        raise Mismatch("the seed is too narrow to reach every order")
    same("unshuffled pack", data["unshuffled"], " ".join(cards))
    for entry in data["shuffles"]:
        same("number of streams", len(entry["keys"]), streams)
        same("shuffle", entry["cards"], " ".join(shuffled(cards, [unhex(key) for key in entry["keys"]])))
    for entry in data["boards"]:
        keys = board_keys(streams, unhex(entry["set_key"]), unhex(entry["announcement_hash"]), entry["delayed"],
                          entry["set"], entry["board"])
        same("board seed", entry["keys"], [key.hex() for key in keys])
        same("board", entry["cards"], " ".join(shuffled(cards, keys)))
    return {f"shuffles of {len(cards)} cards": len(data["shuffles"]),
            f"boards of {len(cards)} cards from set keys": len(data["boards"])}


def check_cards_52(data):
    return check_pack(data, 1, False, 1, ["holdem", "wakeng"])


def check_cards_108(data):
    return check_pack(data, 2, True, 3, ["tuolaji"])


def check_draws(data):
    for entry in data["draws"]:
        master, event = unhex(entry["master"]), entry["event"]
        key, salt = derive(master, "fushi-deal/1|draw|", event), derive(master, "fushi-deal/1|draw-salt|", event)
        same("draw key", entry["key"], key.hex())
        same("draw salt", entry["salt"], salt.hex())
        same("draw commitment", entry["commitment"], draw_commitment(event, salt, key).hex())
        same("hash of the list", entry["list_hash"], list_hash(entry["list"]).hex())
        seed = draw_seed(key, unhex(entry["announcement_hash"]), entry["delayed"], entry["purpose"], entry["number"],
                         entry["list"])
        same("seed of the draw", entry["seed"], seed.hex())
        same("numbers drawn", entry["numbers"], drawn_numbers(seed, len(entry["list"])))
    return {"draws by lot": len(data["draws"])}


def check_receipts(data):
    for entry in data["receipts"]:
        game, cards = entry["game"], entry["cards"].split(" ")
        pack = unshuffled(2, True) if game == "tuolaji" else unshuffled(1, False)
        same("the pack", sorted(cards), sorted(pack))
        deal = deal_of(game, cards, entry["more"])
        same(f"deal of {game}", entry["deal"], deal)
        same(f"hash of a deal of {game}", entry["deal_sha256"], sha256(canonical(deal).encode()).hex())
    return {"hashed deals": len(data["receipts"])}


def check_sample(text, data):
    body = json.loads(text)
    same("canonical text", text, json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False))
    same("announcement's scheme", body["scheme"], SCHEME)
    announcement_hash = sha256(text.encode())
    same("announcement hash", data["announcement_hash"], announcement_hash.hex())
    Ed25519PublicKey.from_public_bytes(unhex(body["server_key"]))
    delayed = normal_form(body["delayed"]["form"], body["delayed"]["length"], data["delayed_published_as"])
    same("delayed value", data["delayed"], delayed)
    ai = data["ai"]
    same("AI commitment", body["ai"]["key_commitment"],
         ai_commitment(body["event"], unhex(ai["salt"]), unhex(ai["key"])).hex())
    cards, boards = unshuffled(1, False), 0
    ids = [line["id"] for line in body["sets"]]
    for entry in data["sets"]:
        reveal = entry["reveal"]
        if reveal["set"] not in ids:
            raise Mismatch(f"set {reveal['set']!r} was not announced")
        at = ids.index(reveal["set"])
        key = unhex(reveal["key"])
        reached = climb(leaf(reveal["set"], unhex(reveal["salt"]), key), at, len(ids),
                        [unhex(text) for text in reveal["proof"]])
        same(f"root reached from set {reveal['set']}", reached and reached.hex(), body["root"])
        numbers = list(range(body["sets"][at]["first"], body["sets"][at]["last"] + 1))
        same("board numbers", [board["board"] for board in entry["boards"]], numbers)
        for board in entry["boards"]:
            keys = board_keys(1, key, announcement_hash, delayed, reveal["set"], board["board"])
            same(f"board {reveal['set']}/{board['board']}", board["cards"], " ".join(shuffled(cards, keys)))
            boards += 1
    return {"sets of the sample event proved": len(data["sets"]), "boards of the sample event": boards}


FILES = {
    "streams.json": check_streams,
    "keys.json": check_keys,
    "delayed.json": check_delayed,
    "cards-52.json": check_cards_52,
    "cards-108.json": check_cards_108,
    "draws.json": check_draws,
    "receipts.json": check_receipts,
}


def read(name):
    data = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    same(f"scheme of {name}", data["scheme"], SCHEME)
    return data


def check_all():
    done = known_answers()
    for name, check in FILES.items():
        try:
            counts = check(read(name))
        except Mismatch as error:
            raise Mismatch(f"{name}: {error}") from None
        for what, count in counts.items():
            if not count:
                raise Mismatch(f"{name}: no {what}")
        done |= counts
    text = (FOLDER / "sample/announcement.json").read_bytes().decode("utf-8")
    try:
        done |= check_sample(text, read("sample/revealed.json"))
    except Mismatch as error:
        raise Mismatch(f"sample: {error}") from None
    return done


# --- does the check notice? ---------------------------------------------------------------------------------------

def places(value, path=()):
    """The path of every single value that a check can look at."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if path or key != "scheme":
                yield from places(inner, path + (key,))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from places(inner, path + (at,))
    else:
        yield path


def changed(value):
    if value is None:
        return "x"
    if isinstance(value, int):
        return value + 1
    if not value:
        return "1"
    last = value[-1]
    return value[:-1] + ("1" if last != "1" else "2")


def with_change(data, path):
    data = copy.deepcopy(data)
    at = data
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = changed(at[path[-1]])
    return data


def unnoticed(check, data):
    """Paths at which a changed value passes the check."""
    missed, count = [], 0
    for path in places(data):
        count += 1
        try:
            check(with_change(data, path))
        except (Mismatch, ValueError, OverflowError, KeyError, UnicodeError):
            continue
        missed.append(path)
    return missed, count


def harmless(name, path):
    """Inputs that may change a little without changing the result that is checked."""
    # Another word or bound may draw the same index; another length or form may allow the same value.
    return (name == "streams.json" and path[0] == "samples" and path[2] in ("words", "bound")) \
        or (name == "delayed.json" and path[2] in ("length", "form", "typed")) \
        or (name == "receipts.json" and path[2:] == ("more",)) \
        or (name == "sample" and path == ("delayed_published_as",))


def self_test():
    total = 0
    sample = (FOLDER / "sample/announcement.json").read_bytes().decode("utf-8")
    revealed = read("sample/revealed.json")
    jobs = [(name, check, read(name)) for name, check in FILES.items()]
    jobs.append(("sample", lambda data: check_sample(sample, data), revealed))
    for name, check, data in jobs:
        missed, count = unnoticed(check, data)
        missed = [path for path in missed if not harmless(name, path)]
        if missed:
            raise Mismatch(f"self-test: a change in {name} at {missed[0]} goes unnoticed")
        total += count
    raw = sample.encode()
    for at in range(len(raw)):
        flipped = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1:]
        try:
            check_sample(flipped.decode("utf-8"), revealed)
        except (Mismatch, ValueError, KeyError, TypeError, UnicodeError):
            continue
        raise Mismatch(f"self-test: byte {at} of the announcement can change unnoticed")
    return {"changed values noticed": total, "flipped bytes of the announcement noticed": len(raw)}


def main(arguments):
    if arguments not in ([], ["--self-test"]):
        print("usage: check.py [--self-test]", file=sys.stderr)
        return 2
    try:
        done = check_all()
        if arguments:
            done |= self_test()
    except (Mismatch, OSError, ValueError, KeyError, TypeError, InvalidSignature) as error:
        print(f"check.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    for what, count in done.items():
        print(f"{count:6} {what}")
    print("every frozen deal is what docs/deal-spec.md says")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
