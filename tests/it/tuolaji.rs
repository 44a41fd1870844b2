//! Tuolaji: the worked examples of the rulebook's section 10, and the board from header to outcome.

use std::sync::Arc;

use fushi::cards::{Card, Pack, parse_cards, write_cards};
use fushi::games::rulesets;
use fushi::games::tuolaji::bag::Bag;
use fushi::games::tuolaji::complete::{Missing, complete};
use fushi::games::tuolaji::follow::Duty;
use fushi::games::tuolaji::ladder::Ladder;
use fushi::games::tuolaji::plays::Plays;
use fushi::games::tuolaji::rules::Rules;
use fushi::games::tuolaji::shape::{Kind, Lead, decompose};
use fushi::games::tuolaji::state::State;
use fushi::games::tuolaji::throw::attempt;
use fushi::games::tuolaji::winner::winner;
use fushi::games::tuolaji::{Tuolaji, call};
use fushi::games::{ActionText, Game, Refusal, Seat, StartError, Viewer, deal_board};
use fushi::words::{Lang, say};
use serde_json::{Map, Value, json};

type Texts = &'static [&'static str];

/// `"T S"`: level and trump.
fn ladder(text: &str) -> Ladder {
    let (level, trump) = text.split_once(' ').unwrap();
    Ladder::new(level.parse().unwrap(), trump.parse().unwrap())
}

fn bag(text: &str) -> Bag {
    let (bag, excess) = Bag::of(parse_cards(text).unwrap());
    assert!(excess.is_empty(), "{text}");
    bag
}

pub fn zhuhai() -> Arc<Rules> {
    rulesets::default::<Tuolaji>().unwrap()
}

fn overridden(fields: &Value) -> Arc<Rules> {
    let mut rules = Map::new();
    rules.insert("base".to_owned(), json!("zhuhai-2009"));
    rules.extend(fields.as_object().unwrap().clone());
    rulesets::overridden::<Tuolaji>(&rules).unwrap()
}

fn shape(at: &str, cards: &str) -> String {
    let ladder = ladder(at);
    let cards = bag(cards);
    let group = ladder.single_group(cards).unwrap();
    let mut parts = decompose(&ladder, group, cards);
    parts.reverse();
    parts
        .iter()
        .map(|part| match part.kind {
            Kind::Tractor => format!("tractor {}", part.pairs),
            kind => kind.name().to_owned(),
        })
        .collect::<Vec<_>>()
        .join(", ")
}

#[test]
fn shapes_of_section_10_a() {
    for (id, at, cards, expected) in [
        ("A1", "T S", "H99JJ", "tractor 2"),
        ("A2", "T S", "HJJQQKK", "tractor 3"),
        ("A3", "T S", "SAA HTT", "tractor 2"),
        ("A4", "T S", "HTT DTT", "pair, pair"),
        ("A5", "T S", "HTT STT", "tractor 2"),
        ("A6", "T S", "STT sj sj", "tractor 2"),
        ("A8", "T S", "SKKAA DTT STT sj sj bj bj", "tractor 6"),
        ("A9", "T S", "SAA STT", "pair, pair"),
        ("A10", "T S", "STT bj bj", "pair, pair"),
        ("A11", "T S", "HAA22", "pair, pair"),
        ("A13", "2 D", "DAA C22", "tractor 2"),
        ("A15", "7 NT", "S77 sj sj", "tractor 2"),
        ("A16", "7 NT", "S77 H77", "pair, pair"),
        ("A20", "T S", "H334455 H7788", "tractor 3, tractor 2"),
        ("level 3 closes 2-4", "3 S", "H2244", "tractor 2"),
        ("two runs through one tier", "T S", "SAA HTT DTT STT", "tractor 3, pair"),
    ] {
        assert_eq!(shape(at, cards), expected, "{id}");
    }
    assert_eq!(ladder("T S").single_group(bag("HAA HTT")), None, "A21");
}

/// Every legal play by trying each part of the hand.
fn legal_by_trying(ladder: &Ladder, lead: Lead, hand: Bag) -> Vec<Bag> {
    let duty = Duty::of(ladder, lead, hand);
    let mut plays: Vec<Bag> =
        Plays::any(hand, usize::from(lead.count)).filter(|play| duty.check(ladder, *play).is_ok()).collect();
    plays.sort_unstable();
    plays
}

#[test]
fn follows_of_section_10_f() {
    // (id, level and trump, lead, hand, legal, illegal)
    type Case = (&'static str, &'static str, &'static str, &'static str, Texts, Texts);
    let cases: [Case; 12] = [
        ("F2", "T S", "H99JJ", "H335578 C4", &["H3355"], &["H3378"]),
        ("F4", "T S", "H99JJ", "H345 C46 S5", &["H345 C4", "H345 S5"], &["H34 C46"]),
        ("F7", "T S", "H99", "H35K", &["H35", "H3K", "H5K"], &[]),
        ("F10", "T S", "HJJQQKK", "H33445789", &["H334457"], &["H335789"]),
        ("F11", "T S", "H44556677", "H2233JJQQK", &["H2233JJQQ"], &["H2233JJQK"]),
        ("F13", "T S", "HAAQQ", "H334466", &["H3366", "H3344"], &["H334 H6"]),
        ("F14", "T S", "S55", "HT DT S3 sj", &["HT DT", "S3 sj"], &[]),
        ("F15", "T S", "S7788", "HTT STT S345", &["HTT STT"], &["S345 HT", "HTT S34"]),
        ("F17", "7 NT", "sj sj", "S77 H7 C44", &["S77"], &["S7 H7"]),
        ("F18", "T S", "S3", "H35 C4", &["H3", "H5", "C4"], &[]),
        ("F19", "T S", "HAKQ", "H3358", &["H335", "H358"], &[]),
        ("F20", "T S", "H99JJ", "H33 HKA C9", &["H33 HKA"], &[]),
    ];
    for (id, at, lead, hand, legal, illegal) in cases {
        let ladder = ladder(at);
        let lead = Lead::of(&ladder, bag(lead)).unwrap();
        let hand = bag(hand);
        let duty = Duty::of(&ladder, lead, hand);
        for play in legal {
            assert_eq!(duty.check(&ladder, bag(play)), Ok(()), "{id} {play}");
        }
        for play in illegal {
            assert!(duty.check(&ladder, bag(play)).is_err(), "{id} {play}");
        }
        let mut listed: Vec<Bag> = Plays::following(&ladder, &duty, hand).collect();
        listed.sort_unstable();
        assert_eq!(listed, legal_by_trying(&ladder, lead, hand), "{id}");
    }
}

#[test]
fn winners_of_section_10_r() {
    for (id, at, plays, expected) in [
        ("R2", "T S", "H99 / S34 / S22 / HK3", 3),
        ("R4", "T S", "H544 / S977 / S884 / H23 C4", 3),
        ("R7", "T S", "HAA5544 / S998872 / C234567 / H236789", 1),
        ("R8", "T S", "HAK / S5K / S2A / H34", 3),
        ("R10", "T S", "HA / DT / CT / ST", 4),
        ("R11", "T S", "HAA / sj bj / S22 / H34", 3),
        ("R13", "2 C", "D88JQ / C55A S2 / C6622 / D3456", 3),
        ("R15", "T S", "S3 / ST / sj / bj", 4),
        ("R16", "T S", "H99JJ / HQQKK / H3344 / S7788", 4),
        ("R18", "7 NT", "S7 / H7 / C7 / D7", 1),
    ] {
        let ladder = ladder(at);
        let plays: Vec<Bag> = plays.split('/').map(bag).collect();
        let lead = Lead::of(&ladder, plays[0]).unwrap();
        assert_eq!(winner(&ladder, &lead, &plays) + 1, expected, "{id}");
    }
}

#[test]
fn throws_of_section_10_t() {
    // (id, attempt, others, blocked cards and the parts that may be played)
    type Case = (&'static str, &'static str, Texts, Option<(usize, Texts)>);
    let cases: [Case; 8] = [
        ("T2", "H98844", &["H55"], Some((2, &["H44"]))),
        ("T6", "HKQ", &["", "HA", ""], Some((2, &["HQ"]))),
        ("T8", "bj STT", &["sj sj"], Some((2, &["STT"]))),
        ("T9", "HA HKKQQ", &["HA HJJ"], None),
        ("T10", "H3344 HA", &["H6677"], Some((4, &["H3344"]))),
        ("T13", "HT bj", &["ST"], Some((1, &["HT"]))),
        ("T14", "H334455", &["H667788"], None),
        ("both", "H988 H33", &["HAA"], Some((5, &["H9", "H33"]))),
    ];
    for (id, thrown, others, expected) in cases {
        let ladder = ladder("T S");
        let thrown = bag(thrown);
        let others: Vec<Bag> = others.iter().map(|hand| bag(hand)).collect();
        let group = ladder.single_group(thrown).unwrap();
        let blocked = attempt(&ladder, group, thrown, &others);
        let found = blocked.map(|blocked| {
            (blocked.cards(), blocked.stands().iter().map(|part| part.cards).collect::<Vec<_>>())
        });
        // T6 blocks both singles: two cards, twenty points.
        let expected =
            expected.map(|(cards, stands)| (cards, stands.iter().map(|part| bag(part)).collect::<Vec<_>>()));
        assert_eq!(found, expected, "{id}");
    }
}

/// Reads a header and carries out actions `"SEAT DO"`, for calls `"SEAT@AFTER DO"`; the reason of the first refusal.
fn replay(rules: &Arc<Rules>, header: &Value, actions: &[&str]) -> Result<State, String> {
    let start = Tuolaji::read_start(rules, header.as_object().unwrap()).unwrap();
    let again = Tuolaji::read_start(rules, &Tuolaji::write_start(&start)).unwrap();
    assert_eq!(start, again, "the header is read back");
    let mut state = Tuolaji::open(rules, &start);
    for line in actions {
        let (seat, text) = line.split_once(' ').unwrap();
        let (seat, after) = match seat.split_once('@') {
            Some((seat, after)) => (seat, Some(after.parse().unwrap())),
            None => (seat, None),
        };
        let seat = Tuolaji::seat_named(seat).unwrap();
        let action = Tuolaji::read_action(&ActionText { text: text.to_owned(), after }).unwrap();
        match Tuolaji::check(&state, seat, &action) {
            Ok(effect) => Tuolaji::apply(&mut state, effect),
            Err(refusal) => return Err(format!("{line}: {}", refusal.code())),
        }
    }
    Ok(state)
}

fn outcome(state: &State) -> Value {
    serde_json::to_value(Tuolaji::outcome(state)).unwrap()
}

/// A draw in which certain cards are drawn at certain places (from 1).
fn draw(level: &str, banker: &str, places: &[(usize, &str)]) -> Value {
    let mut left = Pack::TwoWithJokers.cards();
    let mut order: Vec<Option<Card>> = vec![None; 108];
    for (place, card) in places {
        let card: Card = card.parse().unwrap();
        let at = left.iter().position(|known| *known == card).unwrap();
        left.remove(at);
        order[*place - 1] = Some(card);
    }
    // The rest so that nobody else draws a level card early: level cards and jokers last.
    left.sort_by_key(|card| (card.is_joker(), card.rank().is_some_and(|rank| rank.to_string() == level)));
    let mut rest = left.into_iter();
    let order = order.into_iter().map(|card| card.unwrap_or_else(|| rest.next().unwrap()));
    json!({"level": level, "banker": banker, "deal": {"draw": write_cards(order)}})
}

#[test]
fn calls_of_section_10_d() {
    let rules = zhuhai();
    // Places 1, 5, 9… are east's when he banks, 2, 6… north's, 3, 7… west's, 4, 8… south's.
    let five = draw("5", "E", &[(1, "sj"), (5, "sj")]);
    assert_eq!(replay(&rules, &five, &["E@5 call sj sj"]).unwrap_err(), "E@5 call sj sj: no_trump_barred");
    let six = draw(
        "6",
        "E",
        &[
            (1, "S6"),
            (2, "H6"),
            (6, "H6"),
            (3, "C6"),
            (7, "C6"),
            (11, "sj"),
            (15, "sj"),
            (5, "D6"),
            (9, "D6"),
            (19, "bj"),
        ],
    );
    let so_far = ["E@1 call S6", "N@6 call H66"];
    let after = |more: &[&str]| replay(&rules, &six, &[&so_far[..], more].concat());
    assert!(after(&[]).is_ok(), "D2");
    assert_eq!(after(&["W@7 call C66"]).unwrap_err(), "W@7 call C66: call_too_low", "D2");
    assert!(after(&["W@15 call sj sj"]).is_ok(), "D2");
    assert_eq!(after(&["W@14 call sj sj"]).unwrap_err(), "W@14 call sj sj: not_in_hand");
    assert_eq!(after(&["W@19 call sj bj"]).unwrap_err(), "W@19 call sj bj: not_a_call", "D8");
    assert_eq!(
        replay(&rules, &six, &["E@1 call S6", "E@9 call D66"]).unwrap_err(),
        "E@9 call D66: own_call",
        "D3"
    );
    assert!(replay(&rules, &six, &["E@1 call S6", "W@7 call C66"]).is_ok(), "D10");
    assert_eq!(
        replay(&rules, &six, &["N@6 call H6", "E@5 call D66"]).unwrap_err(),
        "E@5 call D66: wrong_phase",
        "`after` never falls"
    );
    assert_eq!(replay(&rules, &six, &["E@9 call S7"]).unwrap_err(), "E@9 call S7: not_in_hand");
    let king = draw("K", "S", &[(2, "HK"), (6, "HK"), (1, "SK"), (3, "sj"), (7, "sj"), (4, "DK"), (8, "DK")]);
    let final_call = ["E@6 call HKK"];
    let after = |more: &str| replay(&rules, &king, &[&final_call[..], &[more]].concat()).unwrap_err();
    assert_eq!(after("N@7 call sj sj"), "N@7 call sj sj: no_trump_barred", "D4");
    assert_eq!(after("W@8 call DKK"), "W@8 call DKK: call_too_low", "D4");
}

/// Lays away the eight first cards of the banker and answers the trump.
fn flipped(rules: &Arc<Rules>, header: &Value) -> Value {
    let mut state = replay(rules, header, &[]).unwrap();
    while let Some(effect) = Tuolaji::advance(&state) {
        Tuolaji::apply(&mut state, effect);
    }
    let banker = Tuolaji::seat_named(header["banker"].as_str().unwrap()).unwrap();
    // The same board as a record: the lay-away alone closes the calls.
    let away = Tuolaji::timeout(&state, banker).unwrap();
    let mut record = replay(rules, header, &[]).unwrap();
    let effect = Tuolaji::check(&record, banker, &away).unwrap();
    Tuolaji::apply(&mut record, effect);
    let effect = Tuolaji::check(&state, banker, &away).unwrap();
    Tuolaji::apply(&mut state, effect);
    assert_eq!(outcome(&state), outcome(&record));
    outcome(&state)["trump"].clone()
}

#[test]
fn flips_of_section_10_d() {
    let rules = zhuhai();
    assert_eq!(flipped(&rules, &draw("6", "N", &[(101, "D9")])), "D", "D5");
    assert_eq!(flipped(&rules, &draw("8", "W", &[(101, "sj")])), "NT", "D6");
    let ten = draw("T", "W", &[(101, "sj"), (102, "bj"), (103, "CA")]);
    assert_eq!(flipped(&rules, &ten), "NT", "D7");
    let next = overridden(&json!({"flip_joker_at_scoring_level": "next_card"}));
    assert_eq!(flipped(&next, &ten), "C", "D7 with the other flag");
    assert_eq!(flipped(&next, &draw("8", "W", &[(101, "sj"), (102, "C2")])), "NT", "only at 5, T, K");
}

#[test]
fn nothing_is_called_after_the_window_d9() {
    let rules = zhuhai();
    let mut state = replay(&rules, &draw("6", "E", &[(1, "S6")]), &[]).unwrap();
    let call = Tuolaji::read_action(&ActionText { text: "call S6".to_owned(), after: Some(100) }).unwrap();
    for _ in 0..100 {
        let effect = Tuolaji::advance(&state).unwrap();
        Tuolaji::apply(&mut state, effect);
    }
    assert_eq!(Tuolaji::waiting_for(&state).phase, "window");
    assert_eq!(Tuolaji::waiting_for(&state).limit_ms, 5000);
    assert!(Tuolaji::check(&state, Seat(0), &call).is_ok());
    let close = Tuolaji::advance(&state).unwrap();
    Tuolaji::apply(&mut state, close);
    assert_eq!(Tuolaji::check(&state, Seat(0), &call).unwrap_err().code(), "wrong_phase");
}

#[test]
fn a_live_board_takes_calls_at_the_card_drawn_and_no_early_lay_away() {
    let rules = zhuhai();
    let mut state = replay(&rules, &draw("6", "E", &[(1, "S6")]), &[]).unwrap();
    for _ in 0..3 {
        let effect = Tuolaji::advance(&state).unwrap();
        Tuolaji::apply(&mut state, effect);
    }
    let call =
        |after| Tuolaji::read_action(&ActionText { text: "call S6".to_owned(), after: Some(after) }).unwrap();
    let code = |after| Tuolaji::check(&state, Seat(0), &call(after)).map_err(|refusal| refusal.code()).err();
    assert_eq!((code(2), code(3), code(4)), (Some("wrong_phase"), None, Some("wrong_phase")));
    let legal: Vec<_> = Tuolaji::legal(&state, Seat(0)).collect();
    assert_eq!(legal, [call(3)]);
    let hand = Bag::from_iter(parse_cards("S2 S3").unwrap());
    let away = Tuolaji::read_action(&ActionText::plain(format!("lay-away {hand}"))).unwrap();
    assert_eq!(Tuolaji::check(&state, Seat(0), &away).unwrap_err().code(), "wrong_phase");
}

#[test]
fn the_dealer_goes_on_to_what_a_seat_saw_when_it_acted() {
    let rules = zhuhai();
    let mut state = replay(&rules, &draw("6", "E", &[(1, "S6")]), &[]).unwrap();
    let mut dealt = |text: &str, after: Option<u32>| {
        let action = Tuolaji::read_action(&ActionText { text: text.to_owned(), after }).unwrap();
        let mut steps = 0;
        while Tuolaji::dealer_first(&state, &action) {
            let effect = Tuolaji::advance(&state).unwrap();
            Tuolaji::apply(&mut state, effect);
            steps += 1;
        }
        steps
    };
    assert_eq!(dealt("call S6", Some(5)), 5);
    assert_eq!(dealt("call S6", Some(5)), 0);
    assert_eq!(dealt("lay-away S6", None), 96, "95 cards and the end of the window");
    assert_eq!(dealt("lay-away S6", None), 0);
}

#[test]
fn other_ways_of_calling_are_fields_of_the_ruleset() {
    let header = draw("6", "E", &[(1, "S6"), (5, "S6"), (2, "sj"), (6, "bj")]);
    let code = |fields: Value, line: &[&str]| replay(&overridden(&fields), &header, line).map(|_| ()).err();
    let reinforce = ["E@1 call S6", "E@5 call S66"];
    assert_eq!(code(json!({}), &reinforce).unwrap(), "E@5 call S66: own_call");
    assert_eq!(code(json!({"allow_reinforce": true}), &reinforce), None);
    let jokers = ["N@6 call sj bj"];
    assert_eq!(code(json!({}), &jokers).unwrap(), "N@6 call sj bj: not_a_call");
    let any = json!({"no_trump_call": "any_two_jokers"});
    assert_eq!(code(any, &jokers), None);
    let no_opening = json!({"no_trump_call": "any_two_jokers", "no_trump_may_open": false});
    assert_eq!(code(no_opening.clone(), &jokers).unwrap(), "N@6 call sj bj: not_a_call");
    assert_eq!(code(no_opening, &["E@1 call S6", "N@6 call sj bj"]), None);
}

#[test]
fn stepped_calls_go_to_the_seat_nearest_after_the_drawing_one() {
    let winner = |drawing: u8, answers: &[u8]| {
        call::step_winner(Seat(drawing), answers.iter().copied().map(Seat)).map(|seat| seat.0)
    };
    assert_eq!(winner(0, &[0, 1, 2, 3]), Some(1));
    assert_eq!(winner(3, &[3, 2]), Some(2));
    assert_eq!(winner(1, &[1]), Some(1));
    assert_eq!(winner(1, &[]), None);
}

/// The last trick of a board as a position: `hands` E N W S, east leads and banks unless told otherwise.
fn last_trick(banker: &str, hands: [&str; 4], bottom: &str, points: i64) -> Value {
    let names = ["E", "N", "W", "S"];
    let hands: Map<String, Value> =
        names.iter().zip(hands).map(|(name, cards)| ((*name).to_owned(), json!(cards))).collect();
    json!({"position": {"level": "T", "trump": "S", "banker": banker, "hands": hands, "turn": "E",
        "bottom": bottom, "points": points}})
}

#[test]
fn bottoms_of_section_10_k() {
    let rules = zhuhai();
    let bottom = "C5 CT C2 C3 C4 C6 C7 C8";
    for (id, banker, lead, others, multiplier) in [
        ("K1", "N", "SA", ["S3", "S4", "S6"], 2),
        ("K2", "N", "HAKQ", ["H236", "H347", "H468"], 2),
        ("K3", "N", "S33", ["H23", "H47", "H68"], 4),
        ("K4", "N", "S33 S66", ["H2347", "D2347", "D6789"], 4),
        ("K5", "N", "SAA S33 S7", ["H23478", "D23478", "C699JQ"], 4),
        ("K6", "N", "S3344", ["H2347", "D2347", "D6789"], 8),
        ("K7", "N", "S3344 SAA", ["H234789", "D234789", "C699JQK"], 8),
        ("K8", "N", "S334455", ["H234789", "D234789", "C699JQK"], 16),
        ("K9", "N", "SKKAA HTT STT", ["H2346789J", "D2346789J", "C699JQQKA"], 32),
        ("K10", "E", "S33", ["H23", "H47", "H68"], 0),
    ] {
        let [north, west, south] = others.map(|hand| {
            let wanted = bag(lead).len();
            hand.chars().next().map_or(String::new(), |suit| {
                hand.chars()
                    .skip(1)
                    .take(wanted)
                    .fold(suit.to_string(), |text, rank| text + &rank.to_string())
            })
        });
        let header = last_trick(banker, [lead, &north, &west, &south], bottom, 20);
        let state = replay(
            &rules,
            &header,
            &[
                &format!("E play {lead}"),
                &format!("N play {north}"),
                &format!("W play {west}"),
                &format!("S play {south}"),
            ],
        )
        .unwrap();
        let outcome = outcome(&state);
        assert_eq!(outcome["multiplier"], multiplier, "{id}");
        assert_eq!(outcome["bottom"], 15, "{id}");
        let trick = outcome["tricks"][0]["points"].as_i64().unwrap();
        let won = if multiplier == 0 { 0 } else { trick };
        assert_eq!(outcome["small"].as_i64().unwrap(), 20 + won + 15 * multiplier, "{id}");
        assert!(Tuolaji::finished(&state));
    }
}

#[test]
fn the_bottom_may_follow_the_winners_shape_instead() {
    // Two loose pairs ruffed by a tractor: 4 by the lead, 8 by the winner's cards.
    let header = last_trick("E", ["HAAQQ", "S3344", "D2347", "D6789"], "C5 CT C2 C3 C4 C6 C7 C8", 0);
    let lines = ["E play HAAQQ", "N play S3344", "W play D2347", "S play D6789"];
    let multiplier =
        |rules: &Arc<Rules>| outcome(&replay(rules, &header, &lines).unwrap())["multiplier"].clone();
    assert_eq!(multiplier(&zhuhai()), 4);
    assert_eq!(multiplier(&overridden(&json!({"bottom_shape": "winner_cards"}))), 8);
}

#[test]
fn penalties_of_section_10_b() {
    let rules = zhuhai();
    let filler = "C2 C3 C4 C6 C7 C8 C9 CJ";
    // Banker side: two singles blocked at 75 → 95 → +4. The rest of the trick brings nothing.
    let header = last_trick("E", ["HJ HQ", "HA H2", "D2 D3", "D4 D6"], filler, 75);
    let state = replay(
        &rules,
        &header,
        &[
            "E play HJ HQ",
            "N play H2",
            "W play D2",
            "S play D4",
            "E play HQ",
            "N play HA",
            "W play D3",
            "S play D6",
        ],
    )
    .unwrap();
    assert_eq!((&outcome(&state)["small"], &outcome(&state)["big"]), (&json!(95), &json!(4)));
    assert_eq!(Tuolaji::scores(&state), [-4, 4, -4, 4]);
    // A defender at 85 → 65 → −2.
    let header = last_trick("N", ["HJ HQ", "HA H2", "D2 D3", "D4 D6"], filler, 85);
    let state = replay(
        &rules,
        &header,
        &[
            "E play HJ HQ",
            "N play HA",
            "W play D2",
            "S play D4",
            "N play H2",
            "W play D3",
            "S play D6",
            "E play HQ",
        ],
    )
    .unwrap();
    assert_eq!((&outcome(&state)["small"], &outcome(&state)["big"]), (&json!(65), &json!(-2)));
    assert_eq!(Tuolaji::scores(&state), [-2, 2, -2, 2]);
}

#[test]
fn the_next_seat_chooses_only_when_more_than_one_kind_is_blocked() {
    let rules = zhuhai();
    let position = |hands: Value| json!({"position": {"level": "T", "trump": "S", "banker": "E", "hands": hands, "trick": [], "turn": "E"}});
    let header = position(json!({"E": "H9 H3 H3 H4 H4 H7 H7", "N": "HA HKK HQQ HJJ"}));
    let thrown = "E play H9 H3 H3 H4 H4 H7 H7";
    let state = replay(&rules, &header, &[thrown]).unwrap();
    assert_eq!(outcome(&state)["small"], 70, "every blocked card costs ten");
    let waiting = Tuolaji::waiting_for(&state);
    assert_eq!((waiting.phase, waiting.seats.iter().collect::<Vec<_>>()), ("choose", vec![Seat(1)]));
    assert_eq!(Tuolaji::legal(&state, Seat(1)).count(), 3);
    let timeout = Tuolaji::timeout(&state, Seat(1)).unwrap();
    assert_eq!(Tuolaji::write_action(&timeout).text, "choose tractor");
    for (kind, stands) in [("single", "H9"), ("pair", "H7 H7"), ("tractor", "H3 H3 H4 H4")] {
        let state = replay(&rules, &header, &[thrown, &format!("N choose {kind}")]).unwrap();
        let view = Tuolaji::view(&state, Viewer::Public);
        assert_eq!(view.trick.plays, [bag(stands)]);
        assert_eq!(view.trick.attempt.unwrap().cards, Some(bag("H9334477")));
        assert_eq!(Tuolaji::waiting_for(&state).seats.iter().collect::<Vec<_>>(), [Seat(1)]);
    }
    assert_eq!(
        replay(&rules, &header, &[thrown, "W choose pair"]).unwrap_err(),
        "W choose pair: not_your_turn"
    );
    assert_eq!(replay(&rules, &header, &[thrown, "N play HA"]).unwrap_err(), "N play HA: wrong_phase");
    let two_kinds = position(json!({"E": "H9 H7 H7", "N": "HA HKK"}));
    assert_eq!(
        replay(&rules, &two_kinds, &["E play H977", "N choose tractor"]).unwrap_err(),
        "N choose tractor: not_an_option"
    );
    let one_kind = position(json!({"E": "HA H7 H7", "N": "HKK"}));
    assert_eq!(
        replay(&rules, &one_kind, &["E play HA77", "N choose pair"]).unwrap_err(),
        "N choose pair: wrong_phase"
    );
    let narrow = overridden(&json!({"throw_choice": "single_or_pair", "throw_choice_timeout": "smallest"}));
    let state = replay(&narrow, &header, &[thrown]).unwrap();
    assert_eq!(Tuolaji::legal(&state, Seat(1)).count(), 2);
    let timeout = Tuolaji::timeout(&state, Seat(1)).unwrap();
    assert_eq!(Tuolaji::write_action(&timeout).text, "choose single");
    let silent = overridden(&json!({"publish_attempt": false}));
    let state = replay(&silent, &one_kind, &["E play HA77"]).unwrap();
    assert_eq!(Tuolaji::view(&state, Viewer::Public).trick.attempt.unwrap().cards, None);
}

#[test]
fn every_reason_is_reached() {
    let rules = zhuhai();
    let header = json!({"position": {"level": "T", "trump": "S", "banker": "E",
        "hands": {"E": "H3 H3 H4 H4 H6 H8 HK HT C5 C7", "N": "HAA99 S2 S3"}, "trick": [], "turn": "E"}});
    let code = |lines: &[&str]| {
        let refusal = replay(&rules, &header, lines).unwrap_err();
        refusal.rsplit_once(": ").unwrap().1.to_owned()
    };
    assert_eq!(code(&["E call HT"].map(|_| "E@9 call HT")), "wrong_phase");
    assert_eq!(code(&["E lay-away H3"]), "wrong_phase");
    assert_eq!(code(&["N play HA HA HA"]), "not_your_turn");
    assert_eq!(code(&["E play H3 H3 H3 D9"]), "card_named_twice");
    assert_eq!(code(&["E play D9"]), "not_in_hand");
    assert_eq!(code(&["E play HK HT"]), "two_groups");
    assert_eq!(code(&["E play H33", "N play HA"]), "wrong_number");
    assert_eq!(code(&["E play H33", "N play HA9"]), "must_follow");
    let lay = draw("6", "E", &[(1, "S6")]);
    let code =
        |lines: &[&str]| replay(&rules, &lay, lines).unwrap_err().rsplit_once(": ").unwrap().1.to_owned();
    assert_eq!(code(&["N lay-away S6"]), "not_your_turn");
    assert_eq!(code(&["E lay-away S6"]), "wrong_number");
    assert_eq!(code(&["E lay-away S6 S6 S6"]), "card_named_twice");
    assert_eq!(code(&["E play S6"]), "wrong_phase");
    assert_eq!(code(&["E@1 call S2"]), "not_in_hand");
}

#[test]
fn refusals_say_what_is_missing_in_three_languages() {
    let ladder = ladder("T S");
    let lead = Lead::of(&ladder, bag("H99")).unwrap();
    let lack = Duty::of(&ladder, lead, bag("H44887")).check(&ladder, bag("H47")).unwrap_err();
    let refusal = fushi::games::tuolaji::refusal::Illegal::MustFollow(lack);
    assert_eq!(say(Lang::En, &refusal.message()), "You must play a pair of hearts: you hold H44 H88.");
    assert_eq!(say(Lang::ZhCn, &refusal.message()), "您必须跟一对红心：您手中有 H44 H88。");
    assert_eq!(say(Lang::ZhTw, &refusal.message()), "您必須跟一對紅心：您手中有 H44 H88。");
    let lead = Lead::of(&ladder, bag("SJJQQ")).unwrap();
    let lack = Duty::of(&ladder, lead, bag("S22 S4455")).check(&ladder, bag("S22 S44")).unwrap_err();
    let refusal = fushi::games::tuolaji::refusal::Illegal::MustFollow(lack);
    assert_eq!(
        say(Lang::En, &refusal.message()),
        "You must play a tractor of 2 pairs of trumps: you hold S44 S55."
    );
    let lack = Duty::of(&ladder, lead, bag("S22 H5 C3 D2")).check(&ladder, bag("S2 H5 C3 D2")).unwrap_err();
    let refusal = fushi::games::tuolaji::refusal::Illegal::MustFollow(lack);
    assert_eq!(say(Lang::En, &refusal.message()), "You must follow with all your trumps: S2 S2.");
}

#[test]
fn a_selection_hears_what_it_lacks_and_is_completed() {
    let ladder = ladder("T S");
    let lead = Lead::of(&ladder, bag("H99JJ")).unwrap();
    let hand = bag("H3344 H66 HK C5");
    let ask = |selected: &str| complete(&ladder, lead, hand, bag(selected));
    let start = ask("");
    assert_eq!(start.play, Some(bag("H3344")));
    assert!(start.missing.contains(&Missing::Run(ladder.group("H3".parse().unwrap()), 2)));
    assert_eq!(ask("H3344").missing, []);
    assert_eq!(ask("H4").play, Some(bag("H3344")));
    let impossible = ask("H66");
    assert_eq!((impossible.play, impossible.missing), (None, vec![Missing::TakeBack]));
    assert_eq!(
        say(Lang::En, &start.missing[0].message()),
        "Your selection still lacks a tractor of 2 pairs of hearts."
    );
    let short = complete(&ladder, lead, bag("H3K C5 C6 D9"), bag("C6"));
    assert_eq!(short.play, Some(bag("H3K C56").minus(bag("C5")).plus(bag("D9"))));
}

#[test]
fn a_position_asks_only_what_it_knows() {
    let rules = zhuhai();
    let header = json!({"position": {"level": "T", "trump": "S", "banker": "E",
        "hands": {"N": "H3 H3 H4 H4 H6 H8 HK C5 C7"}, "trick": [["E", "H9 H9 HJ HJ"]], "turn": "N"}});
    let state = replay(&rules, &header, &[]).unwrap();
    let listing = Tuolaji::legal_listing(&state, Seat(1), 10);
    assert_eq!(Value::Object(listing), json!({"legal": ["play H3 H3 H4 H4"]}));
    let state = replay(
        &rules,
        &header,
        &[
            "N play H3344",
            "W play DAA SAA",
            "S play S2233",
            "S play CK",
            "E play S7",
            "N play C5",
            "W play C2",
        ],
    )
    .unwrap();
    let value = outcome(&state);
    assert_eq!(value["tricks"], json!([{"winner": "S", "points": 0}, {"winner": "E", "points": 15}]));
    assert_eq!(value.get("big"), None, "the bottom is not known");
    assert!(!Tuolaji::finished(&state));
    // The board ends with the last listed card; an unknown bottom counts nothing.
    let small = json!({"position": {"level": "T", "trump": "S", "banker": "E", "hands": {},
        "trick": [["E", "H99"], ["N", "S34"], ["W", "S22"]], "turn": "S", "points": 5}});
    let state = replay(&rules, &small, &["S play HK3"]).unwrap();
    assert!(Tuolaji::finished(&state));
    assert_eq!(
        outcome(&state),
        json!({"trump": "S", "tricks": [{"winner": "W", "points": 10}], "small": 5, "bottom": 0, "multiplier": 0,
            "table": "zhuhai-2009-reconstructed-H1"})
    );
}

#[test]
fn a_bad_header_lists_every_inconsistency() {
    let rules = zhuhai();
    let faults = |header: Value| match Tuolaji::read_start(&rules, header.as_object().unwrap()).unwrap_err() {
        StartError::Header(faults) => {
            ("bad_header", faults.into_iter().map(|fault| fault.code).collect::<Vec<_>>())
        }
        StartError::Deal(faults) => {
            ("bad_deal", faults.into_iter().map(|fault| fault.code).collect::<Vec<_>>())
        }
    };
    let good = draw("6", "E", &[]);
    let mut header = good.clone();
    header["level"] = json!("A");
    header["bankr"] = json!("E");
    assert_eq!(faults(header), ("bad_header", vec!["bad_value", "unknown_key"]));
    let mut header = good.clone();
    header["trump"] = json!("S");
    assert_eq!(faults(header), ("bad_header", vec!["unknown_key"]));
    let mut header = good.clone();
    header["calling"] = json!("stepped");
    assert!(Tuolaji::read_start(&rules, header.as_object().unwrap()).is_ok());
    let mut header = good.clone();
    header["deal"]["draw"] = json!("S2 S2 S2");
    assert_eq!(faults(header), ("bad_deal", vec!["wrong_count", "card_named_twice", "card_missing"]));
    assert_eq!(faults(json!({"level": "6"})), ("bad_header", vec!["missing_key", "missing_key"]));
    assert_eq!(
        faults(json!({"level": "A", "banker": "X"})),
        ("bad_header", vec!["missing_key", "bad_value", "bad_value"])
    );
    assert_eq!(
        faults(json!({"level": "A", "banker": "X", "deal": 3})),
        ("bad_header", vec!["bad_value", "bad_value", "bad_value"])
    );
    let hands = json!({"level": "6", "banker": "E", "trump": "X", "deal": {"E": "S2", "N": 3, "bottom": ""}});
    assert_eq!(
        faults(hands),
        (
            "bad_header",
            vec!["bad_value", "wrong_count", "bad_cards", "missing_key", "missing_key", "wrong_count"]
        )
    );
    let position = json!({"position": {"level": "6", "trump": "S", "banker": "E", "turn": "S",
        "hands": {"N": "H3 H3", "X": ""}, "trick": [["E", "H3 C3"], ["N", "H4"]], "points": "x"}});
    assert_eq!(
        faults(position),
        (
            "bad_header",
            vec![
                "unknown_key",
                "bad_value",
                "wrong_order",
                "wrong_order",
                "wrong_count",
                "two_groups",
                "card_named_twice"
            ]
        )
    );
}

#[test]
fn dealt_hands_begin_with_the_lay_away() {
    let rules = zhuhai();
    let cards = Pack::TwoWithJokers.cards();
    let hand = |from: usize| write_cards(cards.iter().copied().skip(from).take(25));
    let header = json!({"level": "9", "banker": "S", "trump": "H", "deal": {"E": hand(0), "N": hand(25),
        "W": hand(50), "S": hand(75), "bottom": write_cards(cards[100..].iter().copied())}});
    let state = replay(&rules, &header, &[]).unwrap();
    assert_eq!(Tuolaji::waiting_for(&state).phase, "lay-away");
    let bottom = write_cards(cards[100..].iter().copied());
    let state = replay(&rules, &header, &[&format!("S lay-away {bottom}")]).unwrap();
    assert_eq!(outcome(&state)["trump"], "H");
    for seat in 0..4 {
        let knows = Tuolaji::view(&state, Viewer::Seat(Seat(seat))).bottom.is_some();
        assert_eq!(knows, seat == 3, "only the banker knows the bottom");
    }
    assert_eq!(Tuolaji::view(&state, Viewer::Public).bottom, None);
}

#[test]
fn levels_and_bankers_go_round_as_in_section_2() {
    let order = Pack::TwoWithJokers.cards();
    let of = |number: u32| {
        let start = deal_board::<Tuolaji>(&zhuhai(), number, &order).unwrap();
        format!("{}{}", start.level, Tuolaji::seat_name(start.banker).unwrap())
    };
    let round: Vec<String> = (1..=13).map(of).collect();
    assert_eq!(round.join(" "), "2E 3N 4W 5S 6E 7N 8W 9S TE JN QW KS 2E");
}

#[test]
fn rulesets_refuse_unknown_and_contradictory_fields() {
    let bad = |fields: Value| {
        let mut rules = fields.as_object().unwrap().clone();
        rules.insert("base".to_owned(), json!("zhuhai-2009"));
        let faults = rulesets::overridden::<Tuolaji>(&rules).unwrap_err();
        faults[0].message.clone()
    };
    assert!(bad(json!({"play_seconds": 3})).contains("play_seconds"));
    assert!(bad(json!({"play_s": 0})).contains("play_s"));
    assert!(bad(json!({"no_trump_barred": ["5", "5"]})).contains("twice"));
    assert!(bad(json!({"no_trump_barred": ["A"]})).contains("level"));
    assert!(bad(json!({"bottom_shape": "loser"})).contains("loser"));
    assert!(bad(json!({"big_points": "H9"})).contains("H9"));
    assert!(bad(json!({"big_points": {"rows": []}})).contains("row"));
    assert_eq!(overridden(&json!({"big_points": "H3"})).big_points.of(0), -10);
    assert_eq!(overridden(&json!({"big_points": {"name": "ours", "cap": 4}})).big_points.of(640), 4);
    assert_eq!(zhuhai().big_points, fushi::games::tuolaji::big_points::BigPoints::preset("H1").unwrap());
}

/// What a line of a record is answered: `CODE: sentence`, or `ok`.
fn sentence(rules: &Arc<Rules>, header: &Value, lines: &[&str]) -> String {
    let start = Tuolaji::read_start(rules, header.as_object().unwrap()).unwrap();
    let mut state = Tuolaji::open(rules, &start);
    for line in lines {
        let (seat, text) = line.split_once(' ').unwrap();
        let (seat, after) = match seat.split_once('@') {
            Some((seat, after)) => (seat, Some(after.parse().unwrap())),
            None => (seat, None),
        };
        let seat = Tuolaji::seat_named(seat).unwrap();
        let action = Tuolaji::read_action(&ActionText { text: text.to_owned(), after }).unwrap();
        match Tuolaji::check(&state, seat, &action) {
            Ok(effect) => Tuolaji::apply(&mut state, effect),
            Err(illegal) => return format!("{}: {}", illegal.code(), say(Lang::En, &illegal.message())),
        }
    }
    "ok".to_owned()
}

#[test]
fn a_refusal_names_the_tractor_that_is_still_missing() {
    let position = |hand: &str, lead: &str| {
        json!({"position": {"level": "T", "trump": "S", "banker": "E", "hands": {"N": hand},
            "trick": [["E", lead]], "turn": "N"}})
    };
    let rules = zhuhai();
    let two = position("H2233556688QQ", "H99JJ HKKAA");
    assert_eq!(
        sentence(&rules, &two, &["N play H2233 H5588"]),
        "must_follow: You must play tractors of 2 + 2 pairs of hearts, but your play has only 2: \
         you hold H22 H33 H55 H66."
    );
    assert_eq!(
        sentence(&rules, &two, &["N play H2255 H88QQ"]),
        "must_follow: You must play tractors of 2 + 2 pairs of hearts, but your play has none of them: \
         you hold H22 H33 H55 H66."
    );
    assert_eq!(sentence(&rules, &two, &["N play H2233 H5566"]), "ok");
    let long = position("D445566778 D8TTJJQQAA", "D3399KK");
    assert!(sentence(&rules, &long, &["N play D445566"]).starts_with("ok"), "loose pairs ask for no tractor");
}

#[test]
fn refused_calls_advise_only_what_could_be_called() {
    let rules = zhuhai();
    let calls = |rules: &Arc<Rules>, level: &str, early: &[(usize, &str)], lines: &[&str]| {
        sentence(rules, &draw(level, "E", early), lines)
    };
    // East draws cards 1, 5, 9 …, north 2, 6 …, west 3, 7 …
    let scoring = [(1, "S5"), (2, "H5"), (3, "C5"), (7, "C5"), (6, "sj"), (10, "sj")];
    let told = calls(&rules, "5", &scoring, &["E@20 call S5", "N@20 call H5"]);
    assert_eq!(
        told,
        "call_too_low: That does not overcall S5: show a pair of the level; at this level no trump may not be called."
    );
    let told = calls(&rules, "5", &scoring, &["W@20 call C5 C5", "N@20 call H5"]);
    assert_eq!(told, "call_too_low: That does not overcall C5 C5: at this level a pair is final.");
    let told = calls(&rules, "5", &scoring, &["N@20 call sj"]);
    assert!(
        told.starts_with("not_a_call: ") && told.ends_with("; at this level no trump may not be called."),
        "{told}"
    );
    let told = calls(&rules, "5", &scoring, &["N@20 call sj sj"]);
    assert!(told.starts_with("no_trump_barred: "), "{told}");
    let free = [(1, "S6"), (2, "sj"), (6, "sj"), (3, "bj"), (7, "bj"), (5, "H6"), (10, "C6")];
    let told = calls(&rules, "6", &free, &["N@20 call sj sj", "W@20 call bj bj"]);
    assert_eq!(told, "call_too_low: No trump is called already (sj sj): nothing overcalls it.");
    let told = calls(&rules, "6", &free, &["E@20 call S6", "N@20 call C6"]);
    assert!(told.ends_with("show a pair of the level, or two equal jokers for no trump."), "{told}");
    let any = overridden(&json!({"no_trump_call": "any_two_jokers"}));
    let told = calls(&any, "6", &free, &["E@20 call S6", "N@20 call C6"]);
    assert!(told.ends_with("or any two jokers for no trump."), "{told}");
    let suit_first = overridden(&json!({"no_trump_may_open": false}));
    let told = calls(&suit_first, "6", &free, &["N@20 call sj sj"]);
    assert_eq!(told, "not_a_call: The first call must be of a suit: no trump may only overcall.");
    assert_eq!(calls(&suit_first, "6", &free, &["E@20 call S6", "N@20 call sj sj"]), "ok");
}

#[test]
fn an_unlisted_hand_cannot_play_what_lies_elsewhere() {
    let rules = zhuhai();
    let position = |hands: Value, trick: Value, turn: &str| {
        json!({"position": {"level": "T", "trump": "S", "banker": "E", "hands": hands, "trick": trick, "turn": turn,
            "bottom": "C2 C2 C3 C3 C4 C4 D2 D2"}})
    };
    let kings = position(json!({"S": "D5"}), json!([["E", "HK"]]), "N");
    let elsewhere = "not_in_hand: Both copies of HK lie elsewhere: this hand cannot hold another.";
    assert_eq!(sentence(&rules, &kings, &["N play HK", "W play HK"]), elsewhere);
    assert_eq!(
        sentence(&rules, &kings, &["N play C2"]),
        elsewhere.replace("HK", "C2"),
        "the bottom has both"
    );
    let listed = position(json!({"N": "HK HK H3"}), json!([]), "E");
    assert_eq!(sentence(&rules, &listed, &["E play HK"]), elsewhere);
    assert_eq!(sentence(&rules, &listed, &["E play HA HA", "N play HKK", "W play HK3"]), elsewhere);
    // A hand that is listed too short for the lead is unknown beyond what it lists.
    let short = position(json!({"E": "HA HA HQ HQ", "N": "H3"}), json!([]), "E");
    assert_eq!(sentence(&rules, &short, &["E play HAA", "N play H3 HQ"]), elsewhere.replace("HK", "HQ"));
    assert_eq!(sentence(&rules, &short, &["E play HAA", "N play H3 C6"]), "ok");
    // Cards shown in a failed throw are still in that hand.
    let thrown = position(json!({"N": "HA D6"}), json!([]), "E");
    let lines = ["E play HKKQ", "N choose single", "N play HA", "W play HK"];
    assert_eq!(
        sentence(&rules, &thrown, &["E play HKQ", "N play HA", "W play HK"]),
        "ok",
        "one king is seen"
    );
    assert_ne!(sentence(&rules, &thrown, &lines), "ok");
    let trumps = position(json!({"N": "HA"}), json!([]), "E");
    let many = "E play S2233445566778899JJQQKKAA";
    assert_eq!(
        sentence(&rules, &trumps, &[&format!("{many} HTT")]),
        "not_in_hand: After 0 cards played, 26 more are too many: a hand has 25."
    );
}

#[test]
fn a_seat_whose_listed_cards_are_gone_goes_on_with_unknown_ones() {
    let rules = zhuhai();
    let uneven = json!({"position": {"level": "T", "trump": "S", "banker": "E",
        "hands": {"E": "HA", "N": "H3 H4"}, "turn": "E"}});
    let lines = ["E play HA", "N play H3", "W play C2", "S play C3"];
    assert_eq!(sentence(&rules, &uneven, &lines), "ok");
    let state = replay(&rules, &uneven, &lines).unwrap();
    assert_eq!(Tuolaji::legal_listing(&state, Seat(0), 10)["unknown"], true, "east leads from unknown cards");
    let more = [&lines[..], &["E play C7"]].concat();
    assert_eq!(sentence(&rules, &uneven, &more), "ok");
    let unlisted =
        json!({"position": {"level": "T", "trump": "S", "banker": "E", "hands": {"N": "H3"}, "turn": "W"}});
    let state = replay(&rules, &unlisted, &[]).unwrap();
    assert_eq!(
        Value::Object(Tuolaji::legal_listing(&state, Seat(2), 10)),
        json!({"legal": [], "unknown": true})
    );
}

#[test]
fn positions_that_cannot_be_are_refused_with_every_inconsistency() {
    let rules = zhuhai();
    let codes = |hands: Value, trick: Value, turn: &str, points: Value| {
        let header = json!({"position": {"level": "T", "trump": "S", "banker": "E", "hands": hands, "trick": trick,
            "turn": turn, "points": points}});
        match Tuolaji::read_start(&rules, header.as_object().unwrap()) {
            Ok(_) => Vec::new(),
            Err(StartError::Header(faults) | StartError::Deal(faults)) => {
                faults.into_iter().map(|fault| fault.code).collect()
            }
        }
    };
    let suit = "H223344556677889";
    let long = format!("{suit} C22334455 D2 D3 D4");
    assert_eq!(codes(json!({"N": long}), json!([]), "N", json!(0)), ["wrong_count"], "26 cards in a hand");
    let trumps = "S2233445566778899JJQQKKAA HTT sj sj";
    assert_eq!(
        codes(json!({"N": "H3"}), json!([["E", trumps]]), "N", json!(0)),
        ["wrong_count"],
        "28 cards led"
    );
    let held = format!("{suit} C22334455");
    assert_eq!(
        codes(json!({"E": held, "N": "HK"}), json!([["E", "HJJQ"]]), "N", json!(0)),
        ["wrong_count"],
        "23 cards and 3 played"
    );
    assert_eq!(codes(json!({"N": "H3", "E": ""}), json!([]), "E", json!(0)), ["empty_hand"]);
    assert_eq!(codes(json!({"N": ""}), json!([["E", "HJ"]]), "N", json!(0)), ["empty_hand"]);
    assert_eq!(codes(json!({"N": "H3"}), json!([]), "N", json!(7)), ["bad_points"]);
    assert_eq!(codes(json!({"N": ""}), json!([["E", "HJ"]]), "N", json!(-3)), ["bad_points", "empty_hand"]);
    assert_eq!(
        codes(json!({"E": "", "N": "", "W": "", "S": ""}), json!([]), "E", json!(0)),
        Vec::<&str>::new()
    );
    let odd = overridden(&json!({"blocked_card_penalty": 7}));
    let header = json!({"position": {"level": "T", "trump": "S", "banker": "E", "hands": {"N": "H3"}, "turn": "N", "points": 7}});
    assert!(Tuolaji::read_start(&odd, header.as_object().unwrap()).is_ok());
}

#[test]
fn the_outcome_names_the_table_and_tells_calls_and_failed_throws() {
    let rules = zhuhai();
    let header = json!({"position": {"level": "T", "trump": "S", "banker": "E",
        "hands": {"E": "H9 H8 H8 H4 H4", "N": "H5 H5 C2 C3 C4"}, "turn": "E"}});
    let value = outcome(&replay(&rules, &header, &["E play H98844"]).unwrap());
    assert_eq!(
        value["throws"],
        json!([{"trick": 1, "seat": "E", "cards": "H4 H4 H8 H8 H9", "stood": "H4 H4", "penalty": 20}])
    );
    let header = json!({"position": {"level": "T", "trump": "S", "banker": "E",
        "hands": {"E": "H9 H7 H7", "N": "HA HKK"}, "turn": "E"}});
    let value = outcome(&replay(&rules, &header, &["E play H977"]).unwrap());
    assert_eq!(value["throws"][0]["stood"], Value::Null, "north has not chosen yet");
    let called = outcome(&replay(&rules, &draw("6", "E", &[(1, "S6")]), &["E@1 call S6"]).unwrap());
    assert_eq!(called["calls"], json!([{"seat": "E", "after": 1, "cards": "S6", "trump": "S"}]));
    assert_eq!(called.get("throws"), None);
    assert_eq!(called["table"], "zhuhai-2009-reconstructed-H1");
    let other = overridden(&json!({"big_points": "H3"}));
    assert_eq!(outcome(&replay(&other, &header, &[]).unwrap())["table"], other.big_points.name);
    // Nobody calls: card 101 is turned and stands in the outcome.
    let start = draw("6", "E", &[]);
    let order = parse_cards(start["deal"]["draw"].as_str().unwrap()).unwrap();
    let away = write_cards(order.iter().step_by(4).take(8).copied());
    let flipped = outcome(&replay(&rules, &start, &[&format!("E lay-away {away}")]).unwrap());
    assert_eq!(flipped["flipped"], json!([order[100]]));
}

#[test]
fn the_automatic_play_comes_first_among_the_legal_ones() {
    let rules = zhuhai();
    let lead = json!({"position": {"level": "T", "trump": "S", "banker": "E",
        "hands": {"E": "S2 S3 HK H7 H9 C4"}, "turn": "E"}});
    let state = replay(&rules, &lead, &[]).unwrap();
    let legal: Vec<_> = Tuolaji::legal(&state, Seat(0)).collect();
    assert_eq!(legal.first().cloned(), Tuolaji::timeout(&state, Seat(0)));
    assert_eq!(Tuolaji::write_action(&legal[0]).text, "play H7");
    let different: std::collections::BTreeSet<_> = legal.iter().collect();
    assert_eq!(different.len(), legal.len(), "nothing is listed twice");
    assert_eq!(legal.len(), 3 + 7 + 1);
}
