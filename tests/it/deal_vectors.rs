//! The frozen vectors of `deal-seeds/`, byte for byte. `deal-seeds/check.py` checks the same files with another
//! language and another ChaCha20.
//!
//! The files change only on purpose: `FUSHI_FREEZE_DEALS=deal-seeds cargo test --test it deal_vectors` writes them
//! and fails, so that no run that writes can pass for one that checks. A changed vector means that published deals
//! can no longer be checked: it needs a new scheme name.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use fushi::canonical::{Hash, sha256};
use fushi::cards::{Pack, write_cards};
use fushi::dealing::{
    AiLevel, AiReveal, Announcement, BoardSeed, ChaChaWords, Delayed, DelayedForm, DelayedSpec, DelayedValue,
    Draft, DrawReveal, DrawSeed, MasterKey, Purpose, Reveal, RulesetLine, SEATS, Salt, SetDealer, SetKey,
    SetLine, WordSource, draw_below, draw_seed, from_hex, list_hash, merkle, reach, shuffle, to_hex,
};
use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::games::{Game, deal_board, rulesets};
use fushi::journal::Header;
use serde_json::{Value, json};

fn frozen(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("deal-seeds").join(name);
    if std::env::var_os("FUSHI_FREEZE_DEALS").is_some_and(|value| value == "deal-seeds") {
        fs::write(&path, text).unwrap();
        panic!("wrote deal-seeds/{name}: look at the difference, then run without FUSHI_FREEZE_DEALS");
    }
    let found = fs::read_to_string(&path).unwrap();
    let line = found.lines().zip(text.lines()).position(|(a, b)| a != b);
    assert!(found == text, "deal-seeds/{name} differs, first in line {:?}", line.map(|line| line + 1));
}

fn frozen_json(name: &str, value: &Value) {
    frozen(name, &format!("{}\n", serde_json::to_string_pretty(value).unwrap()));
}

/// Keys that look like nothing in particular, the same for ever.
fn key(label: &str) -> Hash {
    sha256(label.as_bytes())
}

fn counting() -> Hash {
    std::array::from_fn(|i| u8::try_from(i).unwrap())
}

fn key_stream(mut words: impl WordSource) -> String {
    hex::encode((0..128).flat_map(|_| words.next_word().to_le_bytes()).collect::<Vec<u8>>())
}

struct Listed(Vec<u32>, usize);

impl WordSource for Listed {
    fn next_word(&mut self) -> u32 {
        self.1 += 1;
        self.0[self.1 - 1]
    }
}

fn sampled(bound: u8, words: &[u32]) -> Value {
    let mut source = Listed(words.to_vec(), 0);
    let index = draw_below(&mut source, bound);
    json!({"bound": bound, "words": words, "index": index, "used": source.1})
}

#[test]
fn chacha20_streams_and_the_sampler_are_frozen() {
    let streams: Vec<Value> = [[0; 32], counting(), [0xff; 32], key("stream")]
        .iter()
        .map(|key| json!({"key": to_hex(key), "key_stream": key_stream(ChaChaWords::new(key))}))
        .collect();
    assert!(streams[0]["key_stream"].as_str().unwrap().starts_with("76b8e0ada0f13d90405d6ae55386bd28"));
    let mut samples = Vec::new();
    for bound in [1u8, 2, 3, 7, 52, 54, 64, 107, 108] {
        let whole = (1u64 << 32) / u64::from(bound) * u64::from(bound);
        let last = u32::try_from(whole - 1).unwrap();
        samples.push(sampled(bound, &[last, 0]));
        samples.push(sampled(bound, &[0x8000_0001, 0]));
        if whole < 1 << 32 {
            samples.push(sampled(bound, &[last + 1, u32::MAX, 123_456_789, 0]));
        }
    }
    frozen_json("streams.json", &json!({"scheme": "fushi-deal/1", "streams": streams, "samples": samples}));
}

#[test]
fn keys_commitments_and_proofs_are_frozen() {
    let mut masters = Vec::new();
    for bytes in [[0; 32], counting(), key("master")] {
        let master = MasterKey::from_bytes(bytes);
        let sets: Vec<Value> = ["1", "R1", "R11", "final.B_2-x"]
            .iter()
            .map(|id| {
                let (key, salt) = (master.set_key(id), master.set_salt(id));
                json!({
                    "set": id,
                    "key": *key.expose_hex(),
                    "salt": *salt.expose_hex(),
                    "leaf": to_hex(&merkle::leaf(id, &salt, &key)),
                })
            })
            .collect();
        let (ai_key, ai_salt) = (master.ai_key("sample"), master.ai_salt("sample"));
        masters.push(json!({
            "master": to_hex(&bytes),
            "sets": sets,
            "ai": {"event": "sample", "key": *ai_key.expose_hex(), "salt": *ai_salt.expose_hex()},
        }));
    }
    let practice: Vec<Value> = ["demo", "复式", "A", &to_hex(&counting()), &to_hex(&key("x")).to_uppercase()]
        .iter()
        .map(|seed| json!({"seed": seed, "key": *SetKey::practice(seed).expose_hex()}))
        .collect();
    let trees: Vec<Value> = (1..=9)
        .map(|count| {
            let leaves: Vec<Hash> = (0..count).map(|i| key(&format!("leaf {i}"))).collect();
            let hex = |list: &[Hash]| list.iter().map(to_hex).collect::<Vec<_>>();
            let proofs: Vec<_> = (0..count).map(|at| hex(&merkle::proof(&leaves, at).unwrap())).collect();
            json!({"leaves": hex(&leaves), "root": to_hex(&merkle::root(&leaves).unwrap()), "proofs": proofs})
        })
        .collect();
    frozen_json(
        "keys.json",
        &json!({"scheme": "fushi-deal/1", "masters": masters, "practice": practice, "trees": trees}),
    );
}

#[test]
fn normal_forms_of_delayed_values_are_frozen() {
    let cases = [
        (DelayedForm::Digits, 6, "3,412.57"),
        (DelayedForm::Digits, 6, " ３，４１２．５７\r\n"),
        (DelayedForm::Digits, 6, "3412.5"),
        (DelayedForm::Digits, 0, "-3412"),
        (DelayedForm::Digits, 0, "., "),
        (DelayedForm::Hex, 0, "00 AB\tcd"),
        (DelayedForm::Hex, 4, "00ＦＦ"),
        (DelayedForm::Hex, 0, "0xff"),
        (DelayedForm::Text, 0, "  Red\u{3000}7  of\n9 "),
        (DelayedForm::Text, 0, "～！"),
        (DelayedForm::Text, 0, "上证"),
        (DelayedForm::Text, 0, "a\u{a0}b"),
        (DelayedForm::Text, 3, "a b"),
        (DelayedForm::Text, 0, ""),
    ];
    let cases: Vec<Value> = cases
        .iter()
        .map(|(form, length, typed)| {
            let spec =
                DelayedSpec { description: "x".to_owned(), form: *form, length: *length, known_after: 1 };
            let value = spec.read(typed).ok().map(|value| value.as_str().to_owned());
            json!({"form": form.name(), "length": length, "typed": typed, "value": value})
        })
        .collect();
    frozen_json("delayed.json", &json!({"scheme": "fushi-deal/1", "cases": cases}));
}

fn seed_json(seed: &BoardSeed) -> Vec<String> {
    seed.keys().iter().map(to_hex).collect()
}

fn freeze_pack(pack: Pack, name: &str, games: &[&str]) {
    let width = reach::streams(pack);
    let mut shuffles = Vec::new();
    for first in ["zero", "counting", "a", "b", "c", "d", "e", "f"] {
        let keys: Vec<Hash> = (0..width)
            .map(|stream| match first {
                "zero" => [0; 32],
                "counting" => counting().map(|byte| byte + u8::try_from(stream).unwrap() * 32),
                label => key(&format!("shuffle {label} {stream}")),
            })
            .collect();
        let seed = BoardSeed::from_keys(pack, &keys).unwrap();
        shuffles.push(json!({"keys": seed_json(&seed), "cards": write_cards(shuffle(&seed))}));
    }
    let mut boards = Vec::new();
    let sets = [([0; 32], [0; 32], "", "demo"), (key("set 1"), key("announcement"), "341257", "R1")]
        .into_iter()
        .chain([(key("set 1"), key("announcement"), "", "R1"), (counting(), [0xff; 32], "Red 7", "R1.2")]);
    for (set_key, hash, delayed, set) in sets {
        let value = match delayed {
            "" => DelayedValue::none(),
            text => DelayedValue::read_text(text).unwrap(),
        };
        let dealer = SetDealer::new(pack, &SetKey::from_bytes(set_key), &hash, &value, set);
        for board in [1, 2, 16, 17, 256, 65_536, u32::MAX] {
            boards.push(json!({
                "set_key": to_hex(&set_key),
                "announcement_hash": to_hex(&hash),
                "delayed": delayed,
                "set": set,
                "board": board,
                "keys": seed_json(&dealer.seed(board)),
                "cards": write_cards(dealer.order(board)),
            }));
        }
    }
    let value = json!({
        "scheme": "fushi-deal/1",
        "games": games,
        "orders": reach::order_count(pack).to_string(),
        "order_bits": reach::order_bits(pack),
        "seed_bits": reach::seed_bits(pack),
        "unshuffled": write_cards(pack.cards()),
        "shuffles": shuffles,
        "boards": boards,
    });
    frozen_json(name, &value);
}

#[test]
fn deals_of_52_cards_are_frozen() {
    freeze_pack(Pack::FiftyTwo, "cards-52.json", &["holdem", "wakeng"]);
}

#[test]
fn deals_of_108_cards_are_frozen() {
    freeze_pack(Pack::TwoWithJokers, "cards-108.json", &["tuolaji"]);
}

/// The key of the draws, its commitment, seeds of draws from it, and the numbers they give.
#[test]
fn draws_by_lot_are_frozen() {
    let lists: [&[&str]; 4] = [
        &["e01"],
        &["e01", "e02", "e03", "e04", "e05", "e06"],
        &["e02", "e01", "e03", "e04", "e05", "e06"],
        &["z", "A.b", "10", "2", "a_b", "a-b", "0"],
    ];
    let mut draws = Vec::new();
    for (event, delayed) in [("sample", ""), ("spring-open", "341257"), ("e", "Red 7")] {
        let master = MasterKey::from_bytes(key(&format!("master of {event}")));
        let announcement =
            Draft { event: event.to_owned(), delayed: Delayed::None, draws: true, ..draft_of_the_sample() }
                .announce(&master)
                .unwrap();
        let reveal = DrawReveal::of(&announcement, &master).unwrap();
        let value = match delayed {
            "" => DelayedValue::none(),
            text => DelayedValue::read_text(text).unwrap(),
        };
        for (number, list) in (1..).zip(lists) {
            let hash = list_hash(list);
            let about = DrawSeed {
                announcement_hash: announcement.hash(),
                delayed: &value,
                purpose: SEATS,
                number,
                list: &hash,
            };
            let seed = to_hex(&draw_seed(&reveal.verify(&announcement).unwrap(), &about));
            let numbers = fushi::formats::draw(u32::try_from(list.len()).unwrap(), seed.as_bytes());
            draws.push(json!({
                "master": *SetKey::from_bytes(key(&format!("master of {event}"))).expose_hex(),
                "event": event,
                "key": reveal.key,
                "salt": reveal.salt,
                "commitment": to_hex(&announcement.body().draw.unwrap()),
                "announcement_hash": to_hex(announcement.hash()),
                "delayed": delayed,
                "purpose": SEATS,
                "number": number,
                "list": list,
                "list_hash": to_hex(&hash),
                "seed": seed,
                "numbers": numbers.numbers(),
            }));
        }
    }
    frozen_json("draws.json", &json!({"scheme": "fushi-deal/1", "draws": draws}));
}

/// The object whose hash a receipt holds, for each game: in which order cards stand in it.
fn receipt<G: Game>(more: impl Fn(&serde_json::Map<String, Value>) -> Value) -> Vec<Value> {
    let rules = rulesets::default::<G>().unwrap();
    let dealer = SetDealer::new(
        G::PACK,
        &SetKey::from_bytes(key("set 1")),
        &key("announcement"),
        &DelayedValue::none(),
        "R1",
    );
    (1..=4)
        .map(|board| {
            let order = dealer.order(board);
            let start = deal_board::<G>(&rules, board, &order).unwrap();
            let written = G::write_start(&start);
            let header = Header::<G>::new(format!("R1/{board}"), Arc::clone(&rules), start);
            json!({
                "game": G::KIND.name(),
                "cards": write_cards(order),
                "more": more(&written),
                "deal": written["deal"],
                "deal_sha256": header.deal_hash(),
            })
        })
        .collect()
}

#[test]
fn the_hashed_text_of_each_game_is_frozen() {
    let mut receipts = receipt::<Wakeng>(|_| Value::Null);
    receipts.extend(receipt::<Tuolaji>(|_| Value::Null));
    receipts.extend(receipt::<Holdem>(|start| {
        json!({"button": start["button"], "seats": start["deal"]["holes"].as_object().unwrap().len()})
    }));
    frozen_json("receipts.json", &json!({"scheme": "fushi-deal/1", "receipts": receipts}));
}

const SAMPLE_SEED: &str = "the sample event of deal-seeds";
const SAMPLE_DELAYED: &str = "3,412.57";

fn sample_master() -> MasterKey {
    MasterKey::practice(SAMPLE_SEED)
}

fn sample() -> Announcement {
    draft_of_the_sample().announce(&sample_master()).unwrap()
}

fn draft_of_the_sample() -> Draft {
    let set = |id: &str, first, last, purpose| SetLine { id: id.to_owned(), first, last, purpose };
    Draft {
        event: "sample".to_owned(),
        game: "wakeng".to_owned(),
        ruleset: RulesetLine { name: "wakeng-bomb".to_owned(), hash: key("the ruleset of the sample event") },
        settings: None,
        sets: vec![
            set("R1", 1, 8, Purpose::Original),
            set("R2", 9, 16, Purpose::Original),
            set("R3", 17, 24, Purpose::Original),
            set("S1", 1, 8, Purpose::Reserve),
            set("S2", 9, 16, Purpose::Reserve),
        ],
        delayed: Delayed::Value(DelayedSpec {
            description: "上证指数 (SSE Composite), close of 2030-05-06, two decimals".to_owned(),
            form: DelayedForm::Digits,
            length: 6,
            known_after: 1_904_281_200_000_000,
        }),
        draws: false,
        ai_levels: vec![AiLevel {
            name: "sample-level".to_owned(),
            hash: key("the level of the sample event"),
        }],
        published_at: 1_904_000_000_000_000,
        // The public key of RFC 8032, test 1.
        server_key: from_hex("key", "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
            .unwrap(),
    }
}

#[test]
fn the_announcement_of_the_sample_event_is_frozen() {
    frozen("sample/announcement.json", sample().text());
}

#[test]
fn the_revealed_keys_of_the_sample_event_are_frozen() {
    let announcement = sample();
    let delayed = announcement.delayed_value(Some(SAMPLE_DELAYED)).unwrap();
    // Four of the five sets were played; the second reserve set stays sealed.
    let mut sets = Vec::new();
    for line in announcement.body().sets.iter().filter(|line| line.id != "S2") {
        let reveal = Reveal::of(&announcement, &sample_master(), &line.id).unwrap();
        let dealer = announcement.revealed_dealer(Pack::FiftyTwo, &reveal, &delayed).unwrap();
        let boards: Vec<Value> = (line.first..=line.last)
            .map(|board| json!({"board": board, "cards": write_cards(dealer.order(board))}))
            .collect();
        sets.push(json!({"reveal": reveal, "boards": boards}));
    }
    let value = json!({
        "scheme": "fushi-deal/1",
        "announcement_hash": to_hex(announcement.hash()),
        "delayed_published_as": SAMPLE_DELAYED,
        "delayed": delayed.as_str(),
        "ai": AiReveal::of(&announcement, &sample_master()).unwrap(),
        "sets": sets,
    });
    frozen_json("sample/revealed.json", &value);
}

#[test]
fn the_sample_files_verify_by_themselves() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("deal-seeds/sample");
    let text = fs::read_to_string(folder.join("announcement.json")).unwrap();
    let announcement = Announcement::parse_canonical(&text).unwrap();
    let revealed: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("revealed.json")).unwrap()).unwrap();
    for set in revealed["sets"].as_array().unwrap() {
        let reveal: Reveal = serde_json::from_value(set["reveal"].clone()).unwrap();
        reveal.verify(&announcement).unwrap();
        let salt = Salt::from_hex(&reveal.salt).unwrap();
        let leaf = merkle::leaf(&reveal.set, &salt, &SetKey::from_hex(&reveal.key).unwrap());
        assert_ne!(leaf, announcement.body().root);
    }
    let ai: AiReveal = serde_json::from_value(revealed["ai"].clone()).unwrap();
    ai.verify(&announcement).unwrap();
}
