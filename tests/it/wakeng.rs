//! Wakeng by the rulebook: each test is named by the clause or the fault it guards.

use std::collections::BTreeSet;
use std::sync::Arc;

use fushi::cards::CardSet;
use fushi::games::wakeng::{Deal, Rules, Start, State, Wakeng};
use fushi::games::{ActionText, Game, Refusal, Seat, Viewer, deal_board};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::conformance::{Probe, Random, act, random_step};
use crate::wakeng_probe::rules;

const A: &str = "S45678 H4 D4 C4 H9 D9 SK HK DK SA S2 S3";
const B: &str = "H56723 D567 C9 STJQ HT DT CT HA";
const C: &str = "C5678 S9 H8 D8 HJ DJ CJ HQ DQ CQ CK DA D2";
const BOTTOM: &str = "CA C2 D3 C3";

/// A deal of the tests: A has a bomb of fours, 5678 and three kings; B a bomb of tens and 556677; C 5678.
fn header() -> Map<String, Value> {
    deal(A, B, C, BOTTOM)
}

fn deal(a: &str, b: &str, c: &str, bottom: &str) -> Map<String, Value> {
    Map::from_iter([("deal".to_owned(), json!({"A": a, "B": b, "C": c, "bottom": bottom}))])
}

fn position(position: Value) -> Map<String, Value> {
    Map::from_iter([("position".to_owned(), position)])
}

fn bomb() -> Arc<Rules> {
    rules("wakeng-bomb", &[])
}

fn open(rules: &Arc<Rules>, header: &Map<String, Value>) -> State {
    Wakeng::open(rules, &Wakeng::read_start(rules, header).unwrap())
}

fn seat(name: &str) -> Seat {
    Wakeng::seat_named(name).unwrap()
}

/// One line of a script, `A bid 3`; the reason code if it is refused.
fn line(state: &mut State, line: &str) -> Result<(), &'static str> {
    let (name, text) = line.trim().split_once(' ').unwrap();
    let action = Wakeng::read_action(&ActionText::plain(text)).map_err(|_| "malformed")?;
    let effect = Wakeng::check(state, seat(name), &action).map_err(|illegal| illegal.code())?;
    Wakeng::apply(state, effect);
    Ok(())
}

/// Lines that must all be accepted, separated by semicolons.
fn run(state: &mut State, script: &str) {
    for text in script.split(';').filter(|text| !text.trim().is_empty()) {
        line(state, text).unwrap_or_else(|code| panic!("`{text}` is refused: {code}"));
    }
}

fn refuse(state: &State, text: &str, code: &str) {
    assert_eq!(line(&mut state.clone(), text), Err(code), "{text}");
}

fn after(script: &str) -> State {
    let mut state = open(&bomb(), &header());
    run(&mut state, script);
    state
}

const NO_SHOW: &str = "A show no; B show no; C show no;";
const B_DIGS: &str =
    "A show no; B show no; C show no; A bid 1; B bid 3; B show no; A double no; B double no; C double no;";

fn waiting(state: &State) -> (&'static str, String) {
    let waiting = Wakeng::waiting_for(state);
    (waiting.phase, waiting.seats.iter().filter_map(Wakeng::seat_name).collect())
}

fn legal(state: &State, name: &str) -> Vec<String> {
    Wakeng::legal(state, seat(name)).map(|action| Wakeng::write_action(&action).text).collect()
}

fn timeout(state: &State, name: &str) -> Option<String> {
    Wakeng::timeout(state, seat(name)).map(|action| Wakeng::write_action(&action).text)
}

fn public(state: &State) -> Value {
    serde_json::to_value(Wakeng::view(state, Viewer::Public)).unwrap()
}

fn sees(state: &State, name: &str) -> Value {
    serde_json::to_value(Wakeng::view(state, Viewer::Seat(seat(name)))).unwrap()
}

// Phases

#[test]
fn show_before_bidding_is_simultaneous_and_hidden_until_all_have_chosen() {
    let mut state = open(&bomb(), &header());
    assert_eq!(waiting(&state), ("show", "ABC".to_owned()));
    assert!(Wakeng::waiting_for(&state).simultaneous);
    run(&mut state, "C show yes; A show no");
    assert_eq!(waiting(&state), ("show", "B".to_owned()));
    assert_eq!(public(&state)["shown"], json!([null, null, null]), "C's choice is still hidden");
    assert_eq!(sees(&state, "C")["choice"], json!(true), "but C knows it");
    assert_eq!(sees(&state, "A")["choice"], json!(false));
    refuse(&state, "C show no", "already_chosen");
    refuse(&state, "C bid 1", "wrong_phase");
    refuse(&state, "B bid 1", "wrong_phase");
    run(&mut state, "B show no");
    assert_eq!(waiting(&state), ("bid", "A".to_owned()));
    assert_eq!(public(&state)["shown"][2], json!("S9 H8 HJ HQ D2 D8 DJ DQ DA C5 C6 C7 C8 CJ CQ CK"));
    assert_eq!(public(&state)["shown"][0], Value::Null);
}

#[test]
fn bidding_begins_with_the_lowest_heart_and_each_player_speaks_once() {
    let mut state = after(NO_SHOW);
    assert_eq!(waiting(&state), ("bid", "A".to_owned()));
    refuse(&state, "B bid 1", "not_your_turn");
    refuse(&state, "A play S4", "wrong_phase");
    refuse(&state, "A bid 4", "malformed");
    run(&mut state, "A bid 0; B bid 1; C bid 2");
    assert_eq!(waiting(&state), ("banker-show", "C".to_owned()));
    assert_eq!(public(&state)["bids"], json!([["A", 0], ["B", 1], ["C", 2]]));
    assert_eq!(public(&state)["banker"], "C");
}

#[test]
fn the_first_speaker_has_the_lowest_heart_of_the_dealt_hands_even_if_four_to_seven_lie_in_the_bottom() {
    // Hearts 4 to 7 change places with the bottom; the 8 is with C.
    let a = "S45678 CA D4 C4 H9 D9 SK HK DK SA S2 S3";
    let b = "C2 D3 C3 H23 D567 C9 STJQ HT DT CT HA";
    let mut state = open(&bomb(), &deal(a, b, C, "H4567"));
    run(&mut state, NO_SHOW);
    assert_eq!(waiting(&state), ("bid", "C".to_owned()));
    // The banker has heart 4 by the bottom and leads, though A spoke last.
    run(&mut state, "C bid 0; A bid 0; B bid 1; B show no; A double no; B double no; C double no");
    assert_eq!(waiting(&state), ("play", "B".to_owned()));
    run(&mut state, "B play H4");
}

#[test]
fn a_bid_of_three_ends_the_bidding_and_the_others_are_not_asked() {
    let mut state = after(NO_SHOW);
    run(&mut state, "A bid 3");
    assert_eq!(waiting(&state), ("banker-show", "A".to_owned()));
    refuse(&state, "B bid 0", "wrong_phase");
    assert_eq!(public(&state)["bids"], json!([["A", 3]]));
}

#[test]
fn after_a_two_only_no_bid_and_three_are_accepted() {
    let mut state = after(NO_SHOW);
    run(&mut state, "A bid 2");
    assert_eq!(legal(&state, "B"), ["bid 0", "bid 3"]);
    refuse(&state, "B bid 1", "bid_too_low");
    refuse(&state, "B bid 2", "bid_too_low");
    run(&mut state.clone(), "B bid 3");
    run(&mut state, "B bid 0");
    assert_eq!(legal(&state, "C"), ["bid 0", "bid 3"]);
}

#[test]
fn nobody_bids_and_the_lowest_heart_digs_at_one() {
    let mut state = after("A show no; B show no; C show no; A bid 0; B bid 0; C bid 0");
    assert_eq!(waiting(&state), ("banker-show", "A".to_owned()));
    let outcome = serde_json::to_value(Wakeng::outcome(&state)).unwrap();
    assert_eq!((&outcome["banker"], &outcome["bid"]), (&json!("A"), &json!(1)));
    run(&mut state, "A show no; A double no; B double no; C double no; A play S4 H4 D4 C4");
    assert_eq!(Wakeng::outcome(&state).bombs, 1);
}

#[test]
fn the_bottom_is_face_down_until_the_bidding_is_over() {
    let mut state = after("A show no; B show no; C show no; A bid 1; B bid 2");
    for view in [public(&state), sees(&state, "A"), sees(&state, "B"), sees(&state, "C")] {
        assert_eq!(view["bottom"], Value::Null);
        assert_eq!(view["banker"], Value::Null);
    }
    assert_eq!(sees(&state, "B")["counts"], json!([16, 16, 16]));
    run(&mut state, "C bid 0");
    assert_eq!(public(&state)["bottom"], json!("D3 C2 C3 CA"));
    assert_eq!(public(&state)["counts"], json!([16, 20, 16]));
    assert!(sees(&state, "B")["hand"].as_str().unwrap().contains("D3"));
}

#[test]
fn the_banker_alone_may_show_after_the_bidding() {
    let mut state = after("A show no; B show no; C show no; A bid 3");
    refuse(&state, "B show yes", "not_your_turn");
    refuse(&state, "A double yes", "wrong_phase");
    run(&mut state, "A show yes");
    assert_eq!(public(&state)["shown"][0].as_str().unwrap().split(' ').count(), 20);
    assert_eq!(waiting(&state), ("double", "ABC".to_owned()));
}

#[test]
fn the_bankers_show_is_skipped_when_the_hand_is_shown_already() {
    let mut state = after("A show yes; B show no; C show yes; A bid 3");
    assert_eq!(waiting(&state), ("double", "ABC".to_owned()));
    refuse(&state, "A show yes", "wrong_phase");
    run(&mut state, "A double no");
    let mut other = after("A show no; B show no; C show yes; A bid 3");
    assert_eq!(waiting(&other), ("banker-show", "A".to_owned()), "only the banker's own show counts");
    run(&mut other, "A show no");
}

#[test]
fn doubling_is_simultaneous_and_revealed_together() {
    let mut state = after("A show no; B show no; C show no; A bid 3; A show no; B double yes; A double no");
    assert_eq!(waiting(&state), ("double", "C".to_owned()));
    assert_eq!(public(&state)["doubled"], Value::Null);
    assert_eq!(public(&state)["outcome"]["factors"]["double"], json!({"B": 1, "C": 1}));
    assert_eq!(sees(&state, "C")["choice"], Value::Null);
    refuse(&state, "B double no", "already_chosen");
    refuse(&state, "B play S4", "wrong_phase");
    run(&mut state, "C double no");
    assert_eq!(public(&state)["doubled"], json!([false, true, false]));
    assert_eq!(public(&state)["outcome"]["factors"]["double"], json!({"B": 2, "C": 1}));
}

#[test]
fn heart_four_leads_with_anything_whoever_is_banker() {
    let state = after(B_DIGS);
    assert_eq!(waiting(&state), ("play", "A".to_owned()));
    refuse(&state, "B play H5", "not_your_turn");
    refuse(&state, "A pass", "leader_cannot_pass");
    run(&mut state.clone(), "A play S3");
}

#[test]
fn two_passes_end_the_trick_and_a_player_who_passed_may_play_again() {
    let mut state = after(B_DIGS);
    run(&mut state, "A play S4; B pass; C play S9; A play SK; B play HA; C pass; A pass");
    assert_eq!(waiting(&state), ("play", "B".to_owned()));
    refuse(&state, "B pass", "leader_cannot_pass");
    assert!(!legal(&state, "B").contains(&"pass".to_owned()));
    run(&mut state, "B play H5 D5 H6 D6 H7 D7; C pass");
    assert_eq!(public(&state)["tricks"][0][1], json!(["B", "pass"]));
    assert_eq!(public(&state)["tricks"].as_array().unwrap().len(), 2);
}

#[test]
fn a_board_ends_the_moment_a_hand_is_empty() {
    let rules = bomb();
    let start = |banker: &str, turn: &str| {
        position(
            json!({"banker": banker, "bid": 1, "hands": {"A": "S5", "B": "S6 S7", "C": "H3"}, "turn": turn}),
        )
    };
    for (banker, turn, winner, scores) in [
        ("A", "A", "banker", [2, -1, -1]),
        ("B", "A", "defence", [1, -2, 1]),
        ("C", "A", "defence", [1, 1, -2]),
        ("A", "C", "defence", [-2, 1, 1]),
    ] {
        let mut state = open(&rules, &start(banker, turn));
        let card = if turn == "A" { "S5" } else { "H3" };
        run(&mut state, &format!("{turn} play {card}"));
        assert!(Wakeng::finished(&state));
        assert_eq!(waiting(&state), ("over", String::new()));
        assert_eq!(public(&state)["outcome"]["winner"], winner);
        assert_eq!(Wakeng::scores(&state), scores);
        for text in ["A pass", "B play S6", "C show no", "B bid 1", "A double no", "B play S6 S6"] {
            refuse(&state, text, "wrong_phase");
        }
    }
}

#[test]
fn jj_the_lowest_club_speaks_and_leads_without_showing_and_doubling() {
    let jj = rules("wakeng-jj", &[]);
    let mut state = open(&jj, &header());
    // Clubs: the 4 is with A.
    assert_eq!(waiting(&state), ("bid", "A".to_owned()));
    refuse(&state, "A show no", "wrong_phase");
    run(&mut state, "A bid 0; B bid 0; C bid 2");
    assert_eq!(waiting(&state), ("play", "A".to_owned()), "the first speaker leads, not the banker");
    // Club 4 in the bottom: club 5, with C, speaks and leads; nobody bids and C digs at 1.
    let mut state = open(&jj, &deal("S45678 H4 D4 CA H9 D9 SK HK DK SA S2 S3", B, C, "C4 C2 D3 C3"));
    assert_eq!(waiting(&state), ("bid", "C".to_owned()));
    let mut other = state.clone();
    run(&mut state, "C bid 0; A bid 0; B bid 0");
    assert_eq!(Wakeng::outcome(&state).banker, Some("C"));
    assert_eq!(Wakeng::outcome(&state).bid, Some(1));
    run(&mut other, "C bid 1; A bid 3; C play HJ DJ CJ");
    refuse(&other, "A play S4 H4 D4 C4", "does_not_beat");
}

#[test]
fn time_limits_come_from_the_ruleset() {
    let rules = rules("wakeng-bomb", &[("show_s", json!(7)), ("bid_s", json!(21))]);
    let mut state = open(&rules, &header());
    assert_eq!(Wakeng::waiting_for(&state).limit_ms, 7_000);
    run(&mut state, NO_SHOW);
    assert_eq!(Wakeng::waiting_for(&state).limit_ms, 21_000);
    run(&mut state, "A bid 3");
    assert_eq!(Wakeng::waiting_for(&state).limit_ms, 7_000);
    run(&mut state, "A show no");
    assert_eq!(Wakeng::waiting_for(&state).limit_ms, 10_000);
    run(&mut state, "A double no; B double no; C double no");
    assert_eq!(Wakeng::waiting_for(&state).limit_ms, 25_000);
}

#[test]
fn time_outs_say_no_lead_the_weakest_single_and_pass() {
    let mut state = open(&bomb(), &header());
    assert_eq!(timeout(&state, "B").as_deref(), Some("show no"));
    run(&mut state, NO_SHOW);
    assert_eq!(timeout(&state, "A").as_deref(), Some("bid 0"));
    assert_eq!(timeout(&state, "B"), None);
    run(&mut state, "A bid 3");
    assert_eq!(timeout(&state, "A").as_deref(), Some("show no"));
    run(&mut state, "A show no; C double no");
    assert_eq!(timeout(&state, "B").as_deref(), Some("double no"));
    assert_eq!(timeout(&state, "C"), None);
    run(&mut state, "A double no; B double no");
    assert_eq!(timeout(&state, "A").as_deref(), Some("play S4"));
    run(&mut state, "A play S4");
    assert_eq!(timeout(&state, "B").as_deref(), Some("pass"));
    assert_eq!(timeout(&state, "A"), None);
}

// Order of checking and every reason

#[test]
fn reasons_are_checked_in_the_promised_order() {
    let mut state = after(B_DIGS);
    for (text, code) in [
        ("A play", "malformed"),
        ("A play H4,S4", "malformed"),
        ("A play h4", "malformed"),
        ("A playing H4", "malformed"),
        ("A pass H4", "malformed"),
        ("A show maybe", "malformed"),
        ("A bid 03", "malformed"),
        ("A bid", "malformed"),
        ("A double", "malformed"),
        ("A PASS", "malformed"),
        ("A bid 1", "wrong_phase"),
        ("C show no", "wrong_phase"),
        ("B double yes", "wrong_phase"),
        // The turn before anything about the cards.
        ("C play H5 H5", "not_your_turn"),
        ("C pass", "not_your_turn"),
        // Named once before in hand.
        ("A play H5 H5", "card_named_twice"),
        ("A play H44", "card_named_twice"),
        // In hand before a combination.
        ("A play H4 H5", "not_in_hand"),
        ("A play sj", "not_in_hand"),
        ("A play H4 S5", "not_a_combination"),
        ("A pass", "leader_cannot_pass"),
    ] {
        refuse(&state, text, code);
    }
    run(&mut state, "A play H9 D9");
    // A combination before beating.
    refuse(&state, "B play H5 H6", "not_a_combination");
    refuse(&state, "B play H5 D5", "does_not_beat");
    refuse(&state, "B play HA", "does_not_beat");
    refuse(&state, "B play ST HT DT", "does_not_beat");
    run(&mut state.clone(), "B play ST HT");
    run(&mut state.clone(), "B play CT ST HT DT");
}

#[test]
fn extra_blanks_and_the_compact_form_are_read() {
    let mut state = after(B_DIGS);
    run(&mut state.clone(), "A   play   S5678");
    run(&mut state.clone(), "A play S5 S6  S7 S8 ");
    let text = ActionText { text: "pass".to_owned(), after: Some(3) };
    assert!(Wakeng::read_action(&text).is_err(), "`after` belongs to another game");
    run(&mut state, "A play S8 S5 S7 S6");
    assert_eq!(public(&state)["tricks"][0][0], json!(["A", "S5 S6 S7 S8"]));
}

#[test]
fn a_play_may_use_any_suits_but_one_is_listed() {
    let state = after(B_DIGS);
    let list = legal(&state, "A");
    assert!(list.contains(&"play S4 H4".to_owned()));
    assert!(!list.contains(&"play D4 C4".to_owned()));
    assert!(list.contains(&"play S4 S5 S6 S7 S8".to_owned()));
    assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), list.len());
    run(&mut state.clone(), "A play D4 C4");
    run(&mut state.clone(), "A play C4 S5 S6");
}

#[test]
fn equal_never_beats_and_a_bomb_beats_everything_but_higher_bombs() {
    let mut state = after(B_DIGS);
    run(&mut state, "A play S5 S6 S7 S8; B pass");
    refuse(&state, "C play C5 C6 C7 C8", "does_not_beat");
    refuse(&state, "C play HJ DJ CJ", "does_not_beat");
    run(&mut state, "C pass; A play S4; B play ST HT DT CT");
    refuse(&state, "C play CK", "does_not_beat");
    run(&mut state, "C pass");
    refuse(&state, "A play D4", "does_not_beat");
    run(&mut state, "A pass; B play H5; C pass");
    assert_eq!(Wakeng::outcome(&state).bombs, 1);
}

// Faults seen in public programs

#[test]
fn fault_ranks_with_a_gap_are_no_run() {
    let state = after(B_DIGS);
    refuse(&state, "A play S5 S6 S8", "not_a_combination");
    refuse(&state, "A play SK SA S2", "not_a_combination");
}

#[test]
fn fault_an_illegal_play_that_would_empty_the_hand_does_not_win() {
    let hands = json!({"A": "S5", "B": "S6 D6 H6 C7", "C": "H3"});
    let state = open(
        &bomb(),
        &position(json!({"banker": "A", "bid": 1, "hands": hands, "trick": [["A", "SK"]], "turn": "B"})),
    );
    refuse(&state, "B play S6 D6 H6 C7", "not_a_combination");
    assert!(!Wakeng::finished(&state));
}

#[test]
fn fault_bids_are_validated_before_they_are_stored() {
    let state = after(NO_SHOW);
    for text in ["A bid -1", "A bid 4", "A bid 99999999999999999999", "A bid 1.5", "A bid ３", "A bid NaN"] {
        refuse(&state, text, "malformed");
    }
}

#[test]
fn fault_a_provisional_high_bidder_does_not_see_the_bottom() {
    let state = after("A show no; B show no; C show no; A bid 2");
    assert_eq!(sees(&state, "A")["bottom"], Value::Null);
    assert_eq!(sees(&state, "A")["hand"].as_str().unwrap().split(' ').count(), 16);
}

#[test]
fn fault_weakest_is_not_first_in_storage_order() {
    // 3 and 2 come first in the pack and are the strongest; the weakest here is the club 5.
    let start = json!({"banker": "A", "bid": 1, "hands": {"A": "S2 S3 SA C5 D6"}, "turn": "A"});
    assert_eq!(timeout(&open(&bomb(), &position(start)), "A").as_deref(), Some("play C5"));
}

proptest! {
    #[test]
    fn fault_a_malformed_line_is_an_error_and_never_a_panic(text in "(play|bid|show|pass|double)?[ 0-9SHDCTJQKAsjb♥\\t\u{0}-\u{ff}]{0,40}") {
        let state = after(B_DIGS);
        match Wakeng::read_action(&ActionText::plain(text.clone())) {
            Err(message) => {let said = fushi::words::say(fushi::words::Lang::En, &message); prop_assert!(!said.is_empty() && !said.contains('\n'));}
            Ok(action) => {
                let written = Wakeng::write_action(&action);
                prop_assert_eq!(Wakeng::read_action(&written).unwrap(), action);
                let listed = Wakeng::is_listed(&state, Seat(0), &action, &Wakeng::legal(&state, Seat(0)).collect::<Vec<_>>());
                prop_assert_eq!(Wakeng::check(&state, Seat(0), &action).is_ok(), listed);
            }
        }
    }
}

#[test]
fn fault_hints_are_what_the_check_accepts() {
    let state = after(B_DIGS);
    for action in Wakeng::options(&Wakeng::view(&state, Viewer::Seat(Seat(0)))) {
        assert!(Wakeng::check(&state, Seat(0), &action).is_ok(), "{action:?}");
    }
}

#[test]
fn fault_a_bid_of_three_does_not_move_the_lead() {
    for (script, banker) in [
        ("A bid 3; A show no", "A"),
        ("A bid 1; B bid 3; B show no", "B"),
        ("A bid 0; B bid 0; C bid 3; C show no", "C"),
    ] {
        let mut state = after(NO_SHOW);
        run(&mut state, script);
        run(&mut state, "A double no; B double no; C double no");
        assert_eq!(Wakeng::outcome(&state).banker, Some(banker));
        assert_eq!(waiting(&state), ("play", "A".to_owned()), "heart 4 is with A");
    }
}

// Scores

/// Scores of a board of which only the factors matter.
fn scores(
    rules: &Arc<Rules>,
    bid: u8,
    bombs: u8,
    shown: &[&str],
    doubled: &[&str],
    banker_wins: bool,
) -> Vec<i64> {
    let turn = if banker_wins { "A" } else { "B" };
    let mut start =
        json!({"banker": "A", "bid": bid, "hands": {"A": "S3", "B": "H3", "C": "D2 S2"}, "turn": turn});
    if bombs > 0 {
        start["bombs"] = json!(bombs);
    }
    if !shown.is_empty() {
        start["shown"] = json!(shown);
    }
    if !doubled.is_empty() {
        start["doubled"] = json!(doubled);
    }
    let mut state = open(rules, &position(start));
    run(&mut state, if banker_wins { "A play S3" } else { "B play H3" });
    Wakeng::scores(&state)
}

#[test]
fn scoring_examples_of_the_rulebook() {
    let bomb = bomb();
    for bid in 1..=3 {
        let b = i64::from(bid);
        assert_eq!(scores(&bomb, bid, 0, &[], &[], true), [2 * b, -b, -b]);
        assert_eq!(scores(&bomb, bid, 0, &[], &[], false), [-2 * b, b, b]);
    }
    assert_eq!(scores(&bomb, 3, 1, &[], &["B"], false), [-18, 12, 6]);
    assert_eq!(scores(&bomb, 2, 1, &["A"], &["A", "B"], true), [48, -32, -16]);
}

#[test]
fn a_shown_hand_counts_once_for_both_pairs_and_never_more() {
    let max = bomb();
    for shown in [&["A"][..], &["B"], &["C"], &["B", "C"], &["A", "B", "C"]] {
        assert_eq!(scores(&max, 1, 0, shown, &[], true), [4, -2, -2], "{shown:?}");
    }
    let product = rules("wakeng-bomb", &[("combine", json!("product"))]);
    for (shown, factor) in [(&["A"][..], 2), (&["C"], 2), (&["B", "C"], 2), (&["A", "B"], 4)] {
        assert_eq!(scores(&product, 1, 0, shown, &[], true), [2 * factor, -factor, -factor], "{shown:?}");
    }
}

#[test]
fn bombs_count_up_to_the_cap_and_not_at_all_in_hand() {
    let capped = rules("wakeng-bomb", &[("bomb_cap", json!(2))]);
    assert_eq!(scores(&capped, 1, 1, &[], &[], true), [4, -2, -2]);
    assert_eq!(scores(&capped, 1, 5, &[], &[], true), [8, -4, -4]);
    let none = rules("wakeng-bomb", &[("bomb_cap", json!(0))]);
    assert_eq!(scores(&none, 1, 5, &[], &[], true), [2, -1, -1]);
    // A has a bomb in hand when C goes out.
    let start = json!({"banker": "A", "bid": 1, "hands": {"A": "S4 H4 D4 C4", "C": "S3"}, "turn": "C"});
    let mut state = open(&bomb(), &position(start));
    run(&mut state, "C play S3");
    assert_eq!(Wakeng::scores(&state), [-2, 1, 1]);
    // And one that goes out with it.
    let start = json!({"banker": "A", "bid": 1, "hands": {"A": "S4 H4 D4 C4", "C": "S3"}, "turn": "A"});
    let mut state = open(&bomb(), &position(start.clone()));
    run(&mut state, "A play S4 H4 D4 C4");
    assert_eq!(Wakeng::scores(&state), [4, -2, -2]);
    let mut state = open(&rules("wakeng-plain", &[]), &position(start));
    run(&mut state, "A play S4 H4 D4 C4");
    assert_eq!(Wakeng::scores(&state), [2, -1, -1]);
    assert_eq!(Wakeng::outcome(&state).bombs, 0);
}

#[test]
fn outcome_has_the_promised_fields_in_order() {
    let mut state = after("A show no; B show no; C show no");
    assert_eq!(
        serde_json::to_string(&Wakeng::outcome(&state)).unwrap(),
        r#"{"banker":null,"bid":null,"bombs":0,"factors":null,"winner":null}"#
    );
    run(
        &mut state,
        "A bid 1; B bid 3; B show yes; A double yes; B double no; C double no; A play S4 H4 D4 C4",
    );
    assert_eq!(
        serde_json::to_string(&Wakeng::outcome(&state)).unwrap(),
        r#"{"banker":"B","bid":3,"bombs":1,"factors":{"unit":1,"bomb":2,"show":2,"double":{"A":2,"C":1}},"winner":null}"#
    );
    assert_eq!(Wakeng::scores(&state), [0, 0, 0]);
}

proptest! {
    #[test]
    fn scores_are_zero_sum_for_each_pair(
        bid in 1_u8..=3, bombs in 0_u8..=4, shown in 0_usize..8, doubled in 0_usize..8, won in any::<bool>(),
        unit in 1_u32..=1000, factor in 1_u32..=3, cap in 0_u8..=5, product in any::<bool>(),
    ) {
        let named = |mask: usize| ["A", "B", "C"].into_iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1).map(|(_, name)| name).collect::<Vec<_>>();
        let (shown, doubled) = (named(shown), named(doubled));
        let rules = rules("wakeng-bomb", &[
            ("unit", json!(unit)), ("bomb_factor", json!(factor)), ("show_factor", json!(factor)),
            ("double_factor", json!(factor)), ("combine", json!(if product { "product" } else { "max" })),
            ("bomb_cap", if cap == 5 { Value::Null } else { json!(cap) }),
        ]);
        let found = scores(&rules, bid, bombs, &shown, &doubled, won);
        let factor = i64::from(factor);
        let mut common = i64::from(unit) * i64::from(bid);
        for _ in 0..(if cap == 5 { bombs } else { bombs.min(cap) }) { common *= factor; }
        let defender_showed = shown.iter().any(|name| *name != "A");
        if shown.contains(&"A") || defender_showed { common *= factor; }
        if product && shown.contains(&"A") && defender_showed { common *= factor; }
        if doubled.contains(&"A") { common *= factor; }
        let stake = |name| if doubled.contains(&name) { common * factor } else { common };
        let sign = if won { 1 } else { -1 };
        prop_assert_eq!(found, vec![sign * (stake("B") + stake("C")), -sign * stake("B"), -sign * stake("C")]);
    }
}

// Views and imagined boards

#[test]
fn a_view_shows_what_a_seat_knows_and_nothing_else() {
    let state = after(
        "A show no; B show no; C show yes; A bid 1; B bid 3; B show no; A double no; B double no; C double no; A play S4; B pass",
    );
    let view = serde_json::to_string(&Wakeng::view(&state, Viewer::Seat(Seat(0)))).unwrap();
    assert!(view.starts_with(
        r#"{"ruleset":"wakeng-bomb","seat":"A","phase":"play","turn":"C","waiting":["C"],"hand":"#
    ));
    for hidden in ["HT", "H5", "SQ"] {
        assert!(!view.contains(hidden), "A sees {hidden} of B: {view}");
    }
    for seen in ["HJ", "CA", "S3"] {
        assert!(view.contains(seen), "A does not see {seen}: {view}");
    }
    let view = public(&state);
    assert_eq!(view["hand"], Value::Null);
    assert_eq!(view["tricks"], json!([[["A", "S4"], ["B", "pass"]]]));
}

#[test]
fn imagined_boards_look_like_the_view_and_contradictions_are_refused() {
    let mut random = Random::new(77);
    let (mut imagined, mut refused) = (0, 0);
    for rules in Wakeng::rulesets() {
        for _ in 0..6 {
            let mut pack = Wakeng::PACK.cards();
            random.shuffle(&mut pack);
            let start = deal_board::<Wakeng>(&rules, 1, &pack).unwrap();
            let Start::Deal(Deal { bottom, .. }) = start else { panic!("a deal") };
            let mut state = Wakeng::open(&rules, &start);
            while let Some(step) = random_step::<Wakeng>(&state, &mut random) {
                for seat in [Seat(0), Seat(1), Seat(2)] {
                    let view = Wakeng::view(&state, Viewer::Seat(seat));
                    let hands = [0, 1, 2].map(|seat| state.hand(Seat(seat)));
                    let twin = State::imagine(&view, hands, bottom).expect("the truth fits");
                    let hidden = Wakeng::waiting_for(&state).simultaneous;
                    for other in
                        [Seat(0), Seat(1), Seat(2)].into_iter().filter(|other| !hidden && *other != seat)
                    {
                        let viewer = Viewer::Seat(other);
                        assert_eq!(Wakeng::view(&twin, viewer), Wakeng::view(&state, viewer));
                    }
                    if !hidden {
                        assert_eq!(Wakeng::view(&twin, Viewer::Seat(seat)), view);
                        assert_eq!(format!("{twin:?}"), format!("{state:?}"));
                    }
                    let mut swapped = hands;
                    swapped.rotate_left(1);
                    assert!(State::imagine(&view, swapped, bottom).is_none(), "not the viewer's hand");
                    assert!(State::imagine(&view, [CardSet::EMPTY; 3], bottom).is_none());
                    if let Some(Start::Deal(deal)) =
                        Wakeng::redeal(&start, &state, Viewer::Seat(seat), &mut random)
                    {
                        let mut hands = deal.hands;
                        for (n, hand) in (0..).zip(&mut hands) {
                            if view.banker == Some(Seat(n)) {
                                *hand = hand.union(deal.bottom);
                            }
                            *hand = hand.difference(view.played_by(Seat(n)));
                        }
                        match State::imagine(&view, hands, deal.bottom) {
                            Some(twin) if !hidden => {
                                assert_eq!(Wakeng::view(&twin, Viewer::Seat(seat)), view);
                                imagined += 1;
                            }
                            Some(_) => {}
                            None => refused += 1,
                        }
                    }
                }
                act::<Wakeng>(&mut state, &step).unwrap();
            }
        }
    }
    assert!(imagined > 500 && refused > 20, "{imagined} imagined, {refused} refused for who spoke or led");
}

#[test]
fn a_view_under_overridden_rules_does_not_claim_the_name_of_the_base() {
    let view = |rules: &Arc<Rules>| {
        serde_json::to_value(Wakeng::view(&open(rules, &header()), Viewer::Public)).unwrap()
    };
    let changed = rules("wakeng-bomb", &[("unit", json!(7))]);
    let own = rules("wakeng-bomb", &[("unit", json!(7)), ("name", json!("club-night"))]);
    // The digits are those of the hash that the rules have under the base's name.
    let mut under_base = serde_json::to_value(changed.as_ref()).unwrap();
    under_base["name"] = json!("wakeng-bomb");
    let hash = hex::encode(fushi::canonical::hash_of(&under_base).unwrap());
    assert_eq!(view(&bomb())["ruleset"], json!("wakeng-bomb"));
    assert_eq!(view(&changed)["ruleset"], json!(format!("wakeng-bomb+{}", &hash[..8])));
    assert_eq!(view(&own)["ruleset"], json!("club-night"));
    assert!(Wakeng::read_view(&changed, &view(&bomb())).unwrap_err().contains("`ruleset`"));
}
