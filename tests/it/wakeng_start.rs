//! Wakeng headers and rulesets: what is read, and that every inconsistency is listed with its code.

use fushi::games::wakeng::{BombCap, Quad, Wakeng};
use fushi::games::{Fault, Game, Ruleset, StartError, deal_board, rulesets};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::conformance::Random;
use crate::wakeng_probe::rules;

fn read(header: Value) -> Result<(), (&'static str, Vec<Fault>)> {
    let Value::Object(header) = header else { panic!("an object") };
    match Wakeng::read_start(&rules("wakeng-bomb", &[]), &header) {
        Ok(_) => Ok(()),
        Err(StartError::Header(faults)) => Err(("bad_header", faults)),
        Err(StartError::Deal(faults)) => Err(("bad_deal", faults)),
    }
}

/// The codes of the faults, in order.
#[track_caller]
fn faulty(header: Value, reason: &str, codes: &[&str]) {
    let text = header.to_string();
    let (found, faults) = read(header).expect_err(&text);
    assert_eq!(found, reason, "{faults:#?}");
    assert_eq!(faults.iter().map(|fault| fault.code).collect::<Vec<_>>(), codes, "{faults:#?}");
}

fn deal() -> Value {
    json!({
        "A": "S45678 H4 D4 C4 H9 D9 SK HK DK SA S2 S3", "B": "H56723 D567 C9 STJQ HT DT CT HA",
        "C": "C5678 S9 H8 D8 HJ DJ CJ HQ DQ CQ CK DA D2", "bottom": "CA C2 D3 C3",
    })
}

fn with(mut base: Value, key: &str, value: Value) -> Value {
    base[key] = value;
    base
}

#[test]
fn a_deal_lists_all_its_inconsistencies() {
    assert_eq!(read(json!({"deal": deal()})), Ok(()));
    faulty(json!({}), "bad_header", &["missing_key"]);
    faulty(json!({"deal": 3}), "bad_deal", &["wrong_type"]);
    faulty(json!({"deal": deal(), "level": "T"}), "bad_header", &["unknown_key"]);
    faulty(json!({"deal": deal(), "position": {}}), "bad_header", &["deal_and_position"]);
    faulty(json!({"deal": {}}), "bad_deal", &["missing_key"; 4]);
    faulty(json!({"deal": with(deal(), "D", json!(""))}), "bad_deal", &["unknown_key"]);
    faulty(json!({"deal": with(deal(), "A", json!(["H4"]))}), "bad_deal", &["wrong_type"]);
    faulty(json!({"deal": with(deal(), "bottom", json!("CA C2 D3"))}), "bad_deal", &["wrong_count"]);
    faulty(json!({"deal": with(deal(), "bottom", json!("CA C2 D3 xx"))}), "bad_deal", &["not_a_card"]);
    faulty(json!({"deal": with(deal(), "bottom", json!("CA C2 D3 H4"))}), "bad_deal", &["card_named_twice"]);
    faulty(
        json!({"deal": with(deal(), "bottom", json!("CA C2 D3 D3 D3 D3"))}),
        "bad_deal",
        &["card_named_twice", "wrong_count"],
    );
    faulty(
        json!({"deal": with(deal(), "bottom", json!("CA C2 D3 sj"))}),
        "bad_deal",
        &["not_in_pack", "wrong_count"],
    );
    // Everything at once, header and deal.
    let mut bad = with(with(deal(), "bottom", json!("CA C2 H4")), "E", json!(""));
    bad["B"] = json!(null);
    faulty(
        json!({"deal": bad, "colour": 1}),
        "bad_header",
        &["unknown_key", "unknown_key", "wrong_type", "card_named_twice", "wrong_count"],
    );
}

#[test]
fn a_fault_names_the_nearest_known_key() {
    let (_, faults) = read(json!({"deel": deal()})).unwrap_err();
    assert!(faults[0].message.contains("did you mean `deal`"), "{faults:?}");
}

fn position() -> Value {
    json!({"banker": "A", "bid": 2, "hands": {"A": "H4 S4", "B": "C5 D5", "C": "S6 S7"},
        "trick": [["A", "C9"], ["B", "DT"]], "turn": "C"})
}

#[test]
fn a_position_may_leave_out_what_follows_or_is_unknown() {
    for good in [
        position(),
        json!({"banker": "A", "bid": 1, "hands": {}, "turn": "B"}),
        json!({"banker": "A", "bid": 1, "hands": {"C": "S3"}, "trick": [["A", "C9"]]}),
        with(position(), "trick", json!([["A", "C9"], ["B", "pass"]])),
        with(position(), "trick", json!([["A", "C9"]])),
        with(position(), "bottom", json!("H4 S4 C9 D8")),
        with(with(position(), "shown", json!(["A", "C"])), "doubled", json!(["B"])),
        with(position(), "bombs", json!(3)),
    ] {
        assert_eq!(read(json!({"position": good.clone()})), Ok(()), "{good}");
    }
}

#[test]
fn a_pass_that_is_only_implied_is_filled_in() {
    let rules = rules("wakeng-bomb", &[]);
    let start = |trick: Value| {
        let header = json!({"position": with(position(), "trick", trick)});
        Wakeng::read_start(&rules, header.as_object().unwrap()).unwrap()
    };
    assert_eq!(start(json!([["A", "C9"]])), start(json!([["A", "C9"], ["B", "pass"]])));
    let skipped = start(json!([["B", "C9"], ["A", "CT"], ["B", "CJ"]]));
    assert_eq!(skipped, start(json!([["B", "C9"], ["C", "pass"], ["A", "CT"], ["B", "CJ"]])));
}

#[test]
fn a_position_lists_all_its_inconsistencies() {
    let check = |key: &str, value: Value, codes: &[&str]| {
        faulty(json!({"position": with(position(), key, value)}), "bad_deal", codes);
    };
    faulty(json!({"position": {}}), "bad_deal", &["missing_key"; 4]);
    faulty(json!({"position": []}), "bad_deal", &["wrong_type"]);
    check("colour", json!(1), &["unknown_key"]);
    check("banker", json!("D"), &["unknown_seat"]);
    check("bid", json!(0), &["out_of_range"]);
    check("bid", json!("2"), &["out_of_range"]);
    check("hands", json!({"A": "H4", "B": "H4", "C": "S6"}), &["card_named_twice"]);
    check("hands", json!({"A": "H4", "B": "C9", "C": "S6"}), &["card_named_twice"]);
    check("hands", json!({"A": "H4", "B": "", "C": "S6"}), &["empty_hand"]);
    check("hands", json!({"N": "H4"}), &["unknown_key"]);
    check("hands", json!({"B": "S23456789TJQKA H2345"}), &["too_many_cards"]);
    check("trick", json!("A C9"), &["wrong_type"]);
    check("trick", json!([["A"]]), &["wrong_type"]);
    check("trick", json!([["A", ""], ["B", "DT"]]), &["empty_play"]);
    check("trick", json!([["A", "pass"], ["B", "DT"]]), &["leader_cannot_pass"]);
    check("trick", json!([["A", "C9"], ["B", "D9"]]), &["does_not_beat"]);
    check("trick", json!([["A", "C9 CT"], ["B", "D9"]]), &["not_a_combination"]);
    check("trick", json!([["C", "C9"], ["A", "pass"], ["B", "pass"]]), &["trick_over"]);
    check("trick", json!([["B", "C9"], ["B", "CT"]]), &["trick_over"]);
    check("turn", json!("B"), &["trick_over"]);
    check("turn", json!(1), &["unknown_seat"]);
    check("shown", json!("A"), &["wrong_type"]);
    check("shown", json!(["A", "A"]), &["seat_named_twice"]);
    check("doubled", json!(["X"]), &["unknown_seat"]);
    check("bombs", json!(11), &["out_of_range"]);
    check("bottom", json!("H4 S4"), &["wrong_count"]);
    check("bottom", json!("H4 S4 C5 D8"), &["bottom_elsewhere"]);
    faulty(
        json!({"position": {"banker": "A", "bid": 1, "hands": {"A": "S3"}, "trick": []}}),
        "bad_deal",
        &["missing_key"],
    );
    faulty(
        json!({"position": {"banker": 1, "bid": 9, "hands": {"A": "S3 S3", "B": "qq"}, "turn": "E", "x": 0}}),
        "bad_deal",
        &["unknown_key", "unknown_seat", "out_of_range", "card_named_twice", "not_a_card", "unknown_seat"],
    );
}

#[test]
fn a_position_claims_only_what_its_ruleset_has() {
    let header = json!({"position": with(with(with(position(), "shown", json!(["A"])), "doubled", json!(["B"])), "bombs", json!(1))});
    let error = Wakeng::read_start(&rules("wakeng-jj", &[]), header.as_object().unwrap()).unwrap_err();
    let StartError::Deal(faults) = error else { panic!("{error:?}") };
    let codes: Vec<_> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, ["out_of_range", "no_showing", "no_doubling"]);
}

proptest! {
    #[test]
    fn headers_never_panic(a in "[SHDC23456789TJQKA sj]{0,60}", bid in any::<i64>(), seats in "[ABCX]{3}", passes in prop::collection::vec(0_usize..6, 0..12)) {
        let seat = |n: usize| seats.chars().nth(n).unwrap().to_string();
        let plays = ["pass", "S4", "H5", "S6 H6", "", "C9 CT CJ"];
        let trick: Vec<_> = passes.iter().enumerate().map(|(n, play)| json!([seat(n % 3), plays[*play]])).collect();
        let _ = read(json!({"position": {"banker": seat(0), "bid": bid, "hands": {"A": a, "B": "S3"}, "trick": trick, "turn": seat(1)}}));
        let _ = read(json!({"deal": {"A": a, "B": a, "C": seat(2), "bottom": a}}));
    }

    #[test]
    fn a_shuffled_pack_deals_sixteen_each_and_four(seed in any::<u64>()) {
        let rules = rules("wakeng-bomb", &[]);
        let mut pack = Wakeng::PACK.cards();
        Random::new(seed).shuffle(&mut pack);
        let header = Wakeng::write_start(&deal_board::<Wakeng>(&rules, 1, &pack).unwrap());
        prop_assert!(Wakeng::read_start(&rules, &header).is_ok());
        prop_assert!(header["deal"]["A"].as_str().unwrap().contains(&pack[0].to_string()));
        prop_assert!(header["deal"]["B"].as_str().unwrap().contains(&pack[16].to_string()));
        prop_assert!(header["deal"]["C"].as_str().unwrap().contains(&pack[47].to_string()));
        prop_assert!(header["deal"]["bottom"].as_str().unwrap().contains(&pack[48].to_string()));
    }
}

// Rulesets

fn overridden(changes: Value) -> Result<std::sync::Arc<<Wakeng as Game>::Rules>, Vec<&'static str>> {
    let Value::Object(changes) = changes else { panic!("an object") };
    rulesets::overridden::<Wakeng>(&changes).map_err(|faults| faults.iter().map(|fault| fault.code).collect())
}

#[test]
fn the_shipped_rulesets_are_those_of_the_rulebook() {
    let names: Vec<_> = Wakeng::RULESETS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["wakeng-bomb", "wakeng-plain", "wakeng-jj"]);
    for name in names {
        let rules = rulesets::shipped::<Wakeng>(name).unwrap();
        assert_eq!(rules.name(), name);
        assert_eq!(rules.faults(), vec![]);
        assert_eq!((rules.show_s, rules.bid_s, rules.double_s, rules.play_s), (10, 25, 10, 25));
    }
    let bomb = rules("wakeng-bomb", &[]);
    let plain = rules("wakeng-plain", &[]);
    let mut expected = (*bomb).clone();
    expected.name = "wakeng-plain".to_owned();
    expected.quad = Quad::Plain;
    expected.bomb_factor = 1;
    assert_eq!(*plain, expected);
}

#[test]
fn a_factor_for_bombs_without_bombs_is_refused() {
    assert_eq!(overridden(json!({"base": "wakeng-plain", "bomb_factor": 2})), Err(vec!["contradiction"]));
    let both = json!({"base": "wakeng-bomb", "quad": "plain", "bomb_factor": 2});
    assert_eq!(overridden(both), Err(vec!["contradiction"]));
    let file = Wakeng::RULESETS[0].1.replace("quad = \"bomb\"", "quad = \"plain\"");
    assert_eq!(rulesets::parse::<Wakeng>(&file).unwrap_err()[0].code, "contradiction");
}

#[test]
fn overriding_only_the_quads_settles_the_factor() {
    let rules = overridden(json!({"base": "wakeng-bomb", "quad": "plain"})).unwrap();
    assert_eq!((rules.quad, rules.bomb_factor), (Quad::Plain, 1));
}

#[test]
fn the_cap_of_bombs_is_none_null_or_a_number() {
    for (written, cap) in [
        (json!("none"), BombCap::None),
        (Value::Null, BombCap::None),
        (json!(0), BombCap::At(0)),
        (json!(13), BombCap::At(13)),
    ] {
        let rules = overridden(json!({"base": "wakeng-bomb", "bomb_cap": written})).unwrap();
        assert_eq!(rules.bomb_cap, cap);
        let text = serde_json::to_string(&*rules).unwrap();
        assert_eq!(serde_json::from_str::<<Wakeng as Game>::Rules>(&text).unwrap(), *rules);
    }
    assert_eq!(overridden(json!({"base": "wakeng-bomb", "bomb_cap": 14})), Err(vec!["out_of_range"]));
    for wrong in [json!("no"), json!(-1), json!(300), json!(1.5), json!([1])] {
        assert_eq!(overridden(json!({"base": "wakeng-bomb", "bomb_cap": wrong})), Err(vec!["bad_field"]));
    }
}

#[test]
fn every_field_of_a_ruleset_is_mandatory_and_known() {
    let text = Wakeng::RULESETS[0].1;
    for line in text.lines().filter(|line| line.contains(" = ")) {
        let without: String =
            text.lines().filter(|other| *other != line).flat_map(|line| [line, "\n"]).collect();
        let faults = rulesets::parse::<Wakeng>(&without).unwrap_err();
        assert_eq!(faults.iter().map(|fault| fault.code).collect::<Vec<_>>(), ["missing_field"], "{line}");
    }
    let faults = rulesets::parse::<Wakeng>(&format!("{text}\nbomb_facter = 2\n")).unwrap_err();
    assert!(faults[0].message.contains("did you mean `bomb_factor`"), "{faults:?}");
}

#[test]
fn values_out_of_range_are_all_listed() {
    let faults = overridden(json!({
        "base": "wakeng-bomb", "run_of_singles": 1, "run_of_triples": 14, "rotten_dig_bid": 0, "unit": 0,
        "show_s": 0, "play_s": 4000, "name": "",
    }));
    assert_eq!(
        faults,
        Err(vec![
            "bad_name",
            "out_of_range",
            "out_of_range",
            "out_of_range",
            "out_of_range",
            "out_of_range",
            "out_of_range"
        ])
    );
    let faults = overridden(json!({"base": "wakeng-bomb", "bomb_factor": 1000}));
    assert_eq!(faults, Err(vec!["scores_too_large"]), "1000 to the 13th is no score");
    assert!(overridden(json!({"base": "wakeng-bomb", "bomb_factor": 1000, "bomb_cap": 2})).is_ok());
    for wrong in [
        json!({"base": "wakeng-bomb", "quad": "none"}),
        json!({"base": "wakeng-bomb", "unit": -1}),
        json!({"base": "wakeng-bomb", "unit": 1.0}),
        json!({"base": "wakeng-bomb", "run_top": "2"}),
        json!({"base": "wakeng-bomb", "first_suit": "sj"}),
    ] {
        assert_eq!(overridden(wrong), Err(vec!["bad_field"]));
    }
}

#[test]
fn the_hash_of_a_ruleset_does_not_depend_on_comments_and_line_endings() {
    let text = Wakeng::RULESETS[0].1;
    let hash = |text: &str| rulesets::hash(&rulesets::parse::<Wakeng>(text).unwrap());
    assert_eq!(hash(text), hash(&text.replace('\n', "\r\n")));
    assert_eq!(hash(text), hash(&format!("\u{feff}# a comment\n{text}")));
    assert_ne!(
        hash(text),
        hash(&text.replace("unit = 1", "unit = 2").replace("name = \"wakeng-bomb\"", "name = \"ours\""))
    );
}
