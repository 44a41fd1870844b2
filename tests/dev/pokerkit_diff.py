#!/usr/bin/env python3
"""Plays random no-limit hold'em hands against PokerKit and explains every difference.

    pip install pokerkit
    cargo build --release
    tests/dev/pokerkit_diff.py target/release/fushi --hands 100000

For every decision of every hand it compares who is to act, the chips to call and the bounds of a raise; at the end
the stacks. Hands go on in step: one call of `fushi legal` answers for a whole batch. A difference must fall under one
of the causes below, each of which is decided from the hand alone; anything else is printed and makes the script fail.
The causes are described in docs/divergences.md. Not part of continuous integration: it takes a while.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import warnings

from pokerkit import Automation, Mode, NoLimitTexasHoldem

warnings.simplefilter("ignore")

CAUSES = {
    "reopening": "a seat that has acted faces less than a full raise since (TDA: it may only call)",
    "adding-up": "short all-ins add up to a full raise (TDA: the seat may raise again)",
    "minimum": "the least raise after a short all-in is still the last full one",
    "short-big-blind": "the big blind is short: the amount to call stays the full one",
    "short-blind-and-ante": "a blind cannot pay blind and ante: which comes first",
    "nobody-to-raise": "nobody could call more: no raise is offered",
    "nobody-left": "only one seat has chips left and it owes nothing: it is not asked",
    "odd-chip-size": "odd chips are whole chips of the smallest unit in play",
    "odd-chip-place": "odd chips of each pot go one to a winner, clockwise from the button",
    "after-other": "other chips in play after a difference listed before",
}

RANKS = "23456789TJQKA"
SUITS = "SHDC"
DECK = [suit + rank for suit in SUITS for rank in RANKS]
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def theirs(cards):
    return "".join(card[1] + card[0].lower() for card in cards)


class Hand:
    """One hand on both sides."""

    def __init__(self, number, chance):
        self.number = number
        self.count = count = chance.choice([2, 2, 3, 3, 4, 5, 6, 6, 8, 9])
        self.unit = unit = chance.choice([1, 1, 5, 25])
        self.bb = bb = unit * 2 * chance.randint(1, 20)
        self.sb = bb // 2
        self.kind = chance.choice(["none", "none", "all", "bb"])
        self.ante = 0 if self.kind == "none" else unit * chance.randint(1, max(1, bb // unit))
        depth = chance.choice([2, 10, 40, 200])
        self.stacks = [unit * chance.randint(1, max(2, bb // unit * depth)) for _ in range(count)]
        cards = chance.sample(DECK, 2 * count + 5)
        self.holes = [cards[2 * seat : 2 * seat + 2] for seat in range(count)]
        self.board = cards[2 * count :]
        self.actions = []
        self.causes = set()
        self.compared = 0
        self.bb_seat, self.sb_seat = (0, 1) if count == 2 else (1, 0)
        # What the hand's own history says about the betting of the street.
        self.street = 0
        self.put = [0] * count
        self.left = list(self.stacks)
        self.post()
        self.top, self.full = bb, bb
        self.acted, self.since_full = set(), set()
        self.short_raise = False
        self.state = self.create()
        self.deal()

    def post(self):
        def pay(seat, amount, bet):
            paid = min(amount, self.left[seat])
            self.left[seat] -= paid
            if bet:
                self.put[seat] = paid

        if self.kind == "all":
            for seat in range(self.count):
                pay(seat, self.ante, False)
        pay(self.sb_seat, self.sb, True)
        pay(self.bb_seat, self.bb, True)
        if self.kind == "bb":
            pay(self.bb_seat, self.ante, False)
        self.short_bb = self.put[self.bb_seat] < self.bb
        need = {self.sb_seat: self.sb, self.bb_seat: self.bb}
        if self.kind == "bb":
            self.short_ante = self.stacks[self.bb_seat] < self.bb + self.ante
        else:
            self.short_ante = self.kind == "all" and any(
                self.stacks[seat] < self.ante + need.get(seat, 0) for seat in range(self.count)
            )

    def create(self):
        blinds = [0] * self.count
        antes = [0] * self.count
        blinds[0], blinds[1] = self.sb, self.bb
        if self.kind == "all":
            antes = [self.ante] * self.count
        elif self.kind == "bb":
            antes[1] = self.ante
        return NoLimitTexasHoldem.create_state(
            AUTOMATIONS,
            self.kind == "all",
            antes,
            blinds,
            self.bb,
            self.stacks,
            self.count,
            mode=Mode.TOURNAMENT,
        )

    def deal(self):
        """Whatever the dealer owes on the other side."""
        state = self.state
        while True:
            if state.can_burn_card():
                state.burn_card("??")
            elif state.can_deal_hole():
                state.deal_hole(theirs(self.holes[state.hole_dealee_index]))
            elif state.can_deal_board():
                out = sum(len(cards) for cards in state.board_cards)
                state.deal_board(theirs(self.board[out : 3 if out == 0 else out + 1]))
            else:
                return

    def record(self):
        header = {
            "fushi": 1,
            "game": "holdem",
            "ruleset": "tda-2024",
            "board": str(self.number),
            "button": str(self.count),
            "blinds": [self.sb, self.bb],
            "ante": [self.kind, self.ante],
            "unit": self.unit,
            "stacks": {str(seat + 1): stack for seat, stack in enumerate(self.stacks)},
            "deal": {
                "holes": {str(seat + 1): " ".join(hole) for seat, hole in enumerate(self.holes)},
                "board": " ".join(self.board),
            },
        }
        lines = [json.dumps(header)]
        lines += [json.dumps({"seat": str(seat + 1), "do": text}) for seat, text in self.actions]
        return "\n".join(lines)

    def cause(self, name):
        self.causes.add(name)

    def compare(self, answer, report):
        """Compares one decision; False when the other side cannot go on alike."""
        self.compared += 1
        state, seat = self.state, int(answer["seat"]) - 1
        if state.actor_index != seat:
            return self.explain_turn(seat, report)
        call = state.checking_or_calling_amount
        if call != answer["call"]:
            if self.short_ante and self.street == 0:
                self.cause("short-blind-and-ante")
            elif self.short_bb and self.street == 0:
                self.cause("short-big-blind")
            elif self.causes:
                self.cause("after-other")
            else:
                self.unexplained(report, f"call: ours {answer['call']}, theirs {call}")
        low = state.min_completion_betting_or_raising_to_amount
        high = state.max_completion_betting_or_raising_to_amount
        if not state.can_complete_bet_or_raise_to():
            low = high = None
        ours = (answer["min"], answer["max"])
        if (low, high) != ours:
            self.explain_raise(seat, ours, (low, high), report)
        return True

    def explain_turn(self, seat, report):
        if self.short_bb and self.street == 0:
            self.cause("short-big-blind")
        elif self.short_ante:
            self.cause("short-blind-and-ante")
        elif self.causes:
            self.cause("after-other")
        else:
            self.unexplained(report, f"turn: ours {seat}, theirs {self.state.actor_index}")
        return False

    def explain_raise(self, seat, ours, other, report):
        owed = self.top - self.put[seat]
        rivals = [
            self.put[index] + self.left[index] > self.top
            for index in range(self.count)
            if index != seat and self.state.statuses[index]
        ]
        if self.short_ante and self.street == 0:
            self.cause("short-blind-and-ante")
        elif self.short_bb and self.street == 0:
            self.cause("short-big-blind")
        elif ours[0] is None and seat in self.since_full and owed < self.full:
            self.cause("reopening")
        elif other[0] is None and seat in self.since_full and owed >= self.full:
            self.cause("adding-up")
        elif ours[0] is None and not any(rivals):
            self.cause("nobody-to-raise")
        elif ours[1] == other[1] and self.short_raise:
            self.cause("minimum")
        elif self.causes:
            self.cause("after-other")
        else:
            self.unexplained(report, f"raise of seat {seat}: ours {ours}, theirs {other}")

    def unexplained(self, report, what):
        self.causes.add("UNEXPLAINED")
        report.append(f"hand {self.number}, after {len(self.actions)} actions: {what}\n{self.record()}")

    def choose(self, answer, chance):
        call, low, high = answer["call"], answer["min"], answer["max"]
        draw = chance.random()
        word = "raise" if self.top > 0 else "bet"
        if call > 0 and draw < 0.12:
            return "fold", None
        if low is not None and draw < 0.45:
            if draw < 0.25:
                return f"{word} {low}", low
            if draw < 0.33:
                return f"{word} {high}", high
            to = low + chance.randint(0, (min(high, 4 * low) - low) // self.unit) * self.unit
            return f"{word} {to}", to
        return ("call", None) if call > 0 else ("check", None)

    def play(self, answer, chance):
        """One action on both sides; False when the other side refuses it."""
        seat = int(answer["seat"]) - 1
        text, to = self.choose(answer, chance)
        self.actions.append((seat, text))
        self.acted.add(seat)
        self.since_full.add(seat)
        if to is not None:
            added = to - self.top
            self.left[seat] -= to - self.put[seat]
            self.put[seat], self.top = to, to
            self.short_raise |= added < self.full
            if added >= self.full:
                self.full, self.since_full = added, {seat}
        elif text == "call":
            self.left[seat] -= answer["call"]
            self.put[seat] += answer["call"]
        try:
            if text == "fold":
                self.state.fold()
            elif to is None:
                self.state.check_or_call()
            else:
                self.state.complete_bet_or_raise_to(to)
        except ValueError:
            return False
        before = sum(len(cards) for cards in self.state.board_cards)
        self.deal()
        out = sum(len(cards) for cards in self.state.board_cards)
        if out > before:
            self.street = {0: 0, 3: 1, 4: 2, 5: 3}[out]
            self.put = [0] * self.count
            self.top, self.full = 0, self.bb
            self.acted, self.since_full, self.short_raise = set(), set(), False
        return True

    def finish(self, outcome, report):
        """Compares the stacks at the end."""
        ours = [outcome["stacks"][str(seat + 1)] for seat in range(self.count)]
        state = self.state
        while state.status and state.actor_index is not None and state.checking_or_calling_amount == 0:
            chips = [state.stacks[seat] for seat in range(self.count) if state.statuses[seat]]
            if sum(stack > 0 for stack in chips) > 1:
                break
            self.cause("nobody-left")
            state.check_or_call()
            self.deal()
        if state.status:
            return self.explain_turn(None, report)
        other = list(self.state.stacks)
        if ours == other:
            return None
        winners = max(len(pot["shares"]) for pot in outcome["pots"])
        odd = max(abs(one - two) for one, two in zip(ours, other))
        if self.short_ante:
            self.cause("short-blind-and-ante")
        elif self.short_bb:
            self.cause("short-big-blind")
        elif winners > 1 and odd < self.unit * self.count * len(outcome["pots"]):
            self.cause("odd-chip-size" if self.unit > 1 else "odd-chip-place")
        elif self.causes:
            self.cause("after-other")
        else:
            self.unexplained(report, f"stacks: ours {ours}, theirs {other}")
        return None


def ask(program, command, hands, folder):
    path = pathlib.Path(folder) / "hands.jsonl"
    path.write_text("\n".join(hand.record() for hand in hands) + "\n")
    result = subprocess.run(
        [program, command, "--format", "json", path], capture_output=True, text=True, check=False
    )
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    if len(answers) != len(hands) or any(answer.get("ok") is False for answer in answers):
        bad = next((answer for answer in answers if answer.get("ok") is False), result.stderr)
        raise SystemExit(f"{command} failed: {bad}")
    return answers


def run_batch(program, first, count, chance, folder, totals, report):
    running = [Hand(first + index, chance) for index in range(count)]
    done = []
    while running:
        still = []
        for hand, answer in zip(running, ask(program, "legal", running, folder)):
            if answer["seat"] is None:
                done.append(hand)
            elif not hand.compare(answer, report) or not hand.play(answer, chance):
                # The other side does not allow what the rules here allow: the comparison ends.
                if not hand.causes:
                    hand.unexplained(report, "the other side refuses the action")
                totals["broken off"] += 1
                totals["decisions"] += hand.compared
                totals.update(hand.causes)
            else:
                still.append(hand)
        running = still
    for hand, answer in zip(done, ask(program, "replay", done, folder)):
        hand.finish(answer["outcome"], report)
        totals["to the end"] += 1
        totals["decisions"] += hand.compared
        totals["no difference at all"] += not hand.causes
        totals.update(hand.causes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--hands", type=int, default=100_000)
    parser.add_argument("--batch", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    totals, report = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, options.hands, options.batch):
            count = min(options.batch, options.hands - first)
            run_batch(options.program, first, count, chance, folder, totals, report)
            print(f"{first + count} hands: {dict(totals)}", file=sys.stderr, flush=True)
    print(f"{options.hands} hands, {totals['decisions']} decisions compared")
    for name in ["to the end", "broken off", "no difference at all", *CAUSES, "UNEXPLAINED"]:
        print(f"{totals[name]:8} {name}" + (f": {CAUSES[name]}" if name in CAUSES else ""))
    for text in report[:20]:
        print(text)
    sys.exit(1 if report else 0)


if __name__ == "__main__":
    main()
