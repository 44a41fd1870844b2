//! Journals with notes: the bundle proves them, a board that was ended unfinished waits for a ruling, records read
//! them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use fushi::dealing::MasterKey;
use fushi::event::archive::Archive;
use fushi::event::log::replayed;
use fushi::event::{Dealer, Event};
use fushi::formats::ruling::{Decision, Ruling};
use fushi::formats::{Fact, Finished, Format};
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::games::{Game, Seat};
use fushi::journal::bundle::entry_line;
use fushi::journal::record::{Records, write_action, write_note};
use fushi::journal::replay::replay_any;
use fushi::journal::verify::{Options, Report, Wrong, verify};
use fushi::journal::{
    Author, Board, By, ControlEntry, ControlKind, DeskFact, Entry, EventFact, Header, Line, finished,
    scan_line,
};
use fushi::players::Levels;
use fushi::scoring::{Score, Status};
use fushi::store::Store;
use fushi::words::Lang;
use serde_json::{Map, Value};

use crate::bundle::{HUMAN_AI, parts, played, request, same};

type Entries<G> = Vec<Entry<<G as Game>::Action>>;
type Lines<G> = Vec<Line<<G as Game>::Action>>;

/// What a retelling knows: the header, the number of the board, the entries as they were played.
type Edit<'a, G> = &'a dyn Fn(&Header<G>, i64, Entries<G>) -> Lines<G>;

fn note<A>(kind: ControlKind, by: By, at: Option<u64>, seat: Option<Seat>, who: Option<&str>) -> Line<A> {
    Line::Control(ControlEntry { kind, by, at, seat, who: who.map(str::to_owned) })
}

/// A demonstration that is to be told anew.
struct Told<G: Game> {
    _folder: tempfile::TempDir,
    store: Store,
    event: Event<G>,
    text: String,
    seed: String,
}

fn told<G: Levels>(request: &fushi::desk::demo::Request<G>) -> Told<G> {
    let (folder, store, played, bytes) = played(request);
    let text = String::from_utf8(bytes).unwrap();
    Told { _folder: folder, store, event: played.event, text, seed: request.seed.clone() }
}

impl<G: Game> Told<G> {
    fn dealer(&self) -> Dealer<G> {
        let (announcement, delayed) = self.event.announced(&self.store).unwrap();
        let master = MasterKey::practice(&format!("fushi-demo/1|{}", self.seed));
        Dealer::new(&self.event, &announcement, &master, &delayed).unwrap()
    }

    /// The bundle with other lines in the boards' journals, and these rulings before the results are published. Checkpoints
    /// have the heads after the last line, or those where the boards were over.
    fn retold(&self, edit: Edit<'_, G>, decisions: &[Decision], heads_at_the_end: bool) -> Vec<u8> {
        let dealer = self.dealer();
        let journal = replayed(&self.store, &self.event.id).unwrap();
        let mut parts = parts(&self.text);
        let mut over: BTreeMap<u32, Finished> = BTreeMap::new();
        let mut heads: BTreeMap<u32, (u32, String)> = BTreeMap::new();
        let mut boards = Vec::new();
        let starts = |line: &String| line.contains("\"section\":\"journal\"");
        for told in parts.boards.chunk_by(|_, next| !starts(next)) {
            let first: Value = serde_json::from_str(&told[0]).unwrap();
            let id = u32::try_from(first["sitting"].as_u64().unwrap()).unwrap();
            let sitting = journal.competition().sitting(id).unwrap();
            let header = dealer.dealt(sitting).unwrap();
            let entries = told[1..].iter().map(|line| {
                let mut object: Map<String, Value> = serde_json::from_str(line).unwrap();
                object.remove("hash");
                match scan_line::<G>(&fushi::canonical::to_string(&object).unwrap()).unwrap() {
                    Line::Action(entry) => entry,
                    Line::Control(_) => panic!("a demonstration has no notes"),
                }
            });
            let lines = edit(&header, i64::from(sitting.deal.board), entries.collect());
            let mut board = Board::open(&header);
            boards.push(told[0].clone());
            for line in &lines {
                let hash = match line {
                    Line::Action(entry) => board.play(entry).unwrap(),
                    Line::Control(note) => board.note(note).unwrap(),
                };
                boards.push(entry_line(board.last_bytes(), &hex::encode(hash)).unwrap());
                if board.over() {
                    over.entry(id).or_insert_with(|| finished(id, &header, &board));
                }
            }
            heads.insert(id, (board.lines(), hex::encode(board.chain())));
        }
        parts.boards = boards;
        for checkpoint in &mut parts.checkpoints {
            for head in checkpoint["body"]["heads"].as_array_mut().unwrap() {
                let id = u32::try_from(head["sitting"].as_u64().unwrap()).unwrap();
                let at_the_end = || over.get(&id).map(|over| (over.lines, over.head.clone()));
                let (lines, hash) =
                    if heads_at_the_end { at_the_end() } else { None }.unwrap_or_else(|| heads[&id].clone());
                head["entries"] = lines.into();
                head["hash"] = hash.into();
            }
        }
        parts.retold::<G>(&self.seed, |mut line| {
            if let EventFact::Play(Fact::Finished(finished)) = &mut line.fact
                && let Some(other) = over.get(&finished.sitting)
            {
                *finished = other.clone();
            }
            let mut lines = Vec::new();
            if let EventFact::Desk(DeskFact::Published(_)) = &line.fact {
                let made = (1..).zip(decisions).map(|(number, decision)| rule(number, decision.clone()));
                let by = || Author::Account("r1".to_owned());
                lines.extend(made.map(|ruling| (by(), line.at, Fact::Ruling(ruling).into())));
            }
            lines.extend(same(line));
            lines
        })
    }

    fn bundle(&self, edit: Edit<'_, G>) -> Vec<u8> {
        self.retold(edit, &[], false)
    }
}

fn check(bytes: &[u8]) -> Result<Report, Box<Wrong>> {
    verify(bytes, &Options::default())
}

/// Every kind of note but `deal` and `end` around the actions of a wakeng board.
fn noted(_: &Header<Wakeng>, _: i64, entries: Entries<Wakeng>) -> Lines<Wakeng> {
    let mut lines = Vec::new();
    let last = entries.last().and_then(|entry| entry.at);
    for (index, entry) in entries.into_iter().enumerate() {
        let at = entry.at;
        match index {
            2 => lines.push(note(ControlKind::Stop, By::Referee, at, None, Some("r1"))),
            3 => lines.push(note(ControlKind::Go, By::Referee, at, None, Some("r1"))),
            4 => lines.push(note(ControlKind::Restart, By::Server, at, None, None)),
            5 => {
                let kind = ControlKind::Give { ms: 30_000 };
                lines.push(note(kind, By::Referee, at, Some(entry.seat), Some("ref.2")));
            }
            6 => lines.push(note(ControlKind::Call, By::Player, None, Some(Seat(1)), None)),
            _ => {}
        }
        lines.push(Line::Action(entry));
    }
    lines.push(note(ControlKind::Call, By::Player, last, Some(Seat(2)), None));
    lines.push(note(ControlKind::Look, By::Referee, last, None, Some("r1")));
    lines
}

/// A bundle of one board with notes, made once for all tests.
fn small() -> &'static [u8] {
    static SMALL: OnceLock<Vec<u8>> = OnceLock::new();
    SMALL.get_or_init(|| told(&request::<Wakeng>("noted", 1, 1, HUMAN_AI)).bundle(&noted))
}

#[test]
fn notes_are_proved_with_the_actions_and_are_not_counted_as_such() {
    let told = told(&request::<Wakeng>("noted-2", 3, 2, HUMAN_AI));
    let report = check(&told.bundle(&noted)).unwrap();
    let before = check(told.text.as_bytes()).unwrap();
    assert_eq!((before.notes, report.notes), (0, 6 * 7));
    assert_eq!((report.entries, report.ai_moves), (before.entries, before.ai_moves));
    assert_eq!(report.results, before.results);
}

#[test]
fn flipping_any_byte_of_a_note_is_rejected_at_its_line() {
    let bytes = small();
    check(bytes).unwrap();
    let options = Options { announcement: None, ai: false };
    let mut begun = 0;
    let mut seen = 0;
    for (line, text) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        if std::str::from_utf8(text).unwrap().contains("\"note\":") {
            seen += 1;
            for position in begun..begun + text.len() {
                for bit in [1, 2, 4, 32] {
                    let mut changed = bytes.to_vec();
                    changed[position] ^= bit;
                    let wrong = verify(&changed[..], &options).unwrap_err();
                    let (first, last) = wrong.place.lines.unwrap();
                    let sentence = wrong.sentence(Lang::En);
                    assert!((first..=last).contains(&line), "byte {position} of line {line}: {sentence}");
                }
            }
        }
        begun += text.len();
    }
    assert_eq!(seen, 7);
}

#[test]
fn notes_left_out_doubled_or_exchanged_are_rejected() {
    let text = std::str::from_utf8(small()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let refused = |lines: &[&str]| check((lines.join("\n") + "\n").as_bytes()).unwrap_err();
    for index in (0..lines.len()).filter(|index| lines[*index].contains("\"note\":")) {
        let mut removed = lines.clone();
        removed.remove(index);
        refused(&removed);
        let mut doubled = lines.clone();
        doubled.insert(index, lines[index]);
        refused(&doubled);
        let mut exchanged = lines.clone();
        exchanged.swap(index - 1, index);
        refused(&exchanged);
    }
}

#[test]
fn a_note_that_does_not_fit_is_named() {
    let told = told(&request::<Wakeng>("unfit", 1, 1, HUMAN_AI));
    let text = told.text.clone();
    let journal_of_event = replayed(&told.store, &told.event.id).unwrap();
    let header = told.dealer().dealt(&journal_of_event.competition().sittings()[0]).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let journal = lines.iter().position(|line| line.contains("\"section\":\"journal\"")).unwrap();
    let wrong_after = |bytes: &str| {
        let hash = hex::encode(fushi::canonical::link(Board::open(&header).chain(), bytes.as_bytes()));
        let line = bytes.replacen("\"note\"", &format!("\"hash\":\"{hash}\",\"note\""), 1);
        let mut changed = lines.clone();
        changed.insert(journal + 1, &line);
        let wrong = check((changed.join("\n") + "\n").as_bytes()).unwrap_err();
        assert_eq!(wrong.place.entry, Some(1));
        wrong.code
    };
    assert_eq!(wrong_after(r#"{"at":0,"by":"server","note":"go"}"#), "bad_note");
    assert_eq!(wrong_after(r#"{"by":"dealer","note":"deal"}"#), "bad_note");
    assert_eq!(wrong_after(r#"{"by":"clock","note":"stop"}"#), "malformed");
    assert_eq!(wrong_after(r#"{"by":"server","note":"pause"}"#), "malformed");
}

/// The first board at the first table is ended after eight actions; on the others everything is as it was.
fn cut(_: &Header<Wakeng>, number: i64, entries: Entries<Wakeng>) -> Lines<Wakeng> {
    let mut lines: Lines<Wakeng> = entries.into_iter().map(Line::Action).collect();
    if number == 1 {
        lines.truncate(8);
        lines.push(note(ControlKind::End, By::Referee, None, None, Some("r1")));
    }
    lines
}

fn rule(number: u32, decision: Decision) -> Ruling {
    let (by, reason) = ("r1".to_owned(), "the round had to be closed".to_owned());
    Ruling { number, at: 0, by, reason, decision }
}

/// The published line of an entrant on board 1.
fn on_board_1(bundle: &[u8], entrant: &str) -> Value {
    let text = std::str::from_utf8(bundle).unwrap();
    let lines = text.lines().filter(|line| line.contains("\"section\":\"result\""));
    let mut lines = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.find(|line| line["board"] == 1 && line["entrant"] == entrant).unwrap()
}

#[test]
fn a_board_that_was_ended_is_not_played_until_a_ruling_decides_and_the_bundle_proves_both() {
    let told = told(&request::<Wakeng>("ended", 4, 3, HUMAN_AI));
    let bytes = told.bundle(&cut);
    let report = check(&bytes).unwrap();
    assert_eq!(report.notes, 4, "board 1 was ended at all four tables");
    assert_eq!(report.unfinished.len(), 4);
    let line = on_board_1(&bytes, "e01");
    assert_eq!(
        (&line["status"], &line["score"], &line["value"]),
        (&"not-played".into(), &Value::Null, &Value::Null)
    );
    assert!(line["table"].is_u64());
    let decisions = [
        Decision::Status { board: 1, entrant: "e01".to_owned(), status: Status::AwardPlus },
        Decision::Status { board: 1, entrant: "e02".to_owned(), status: Status::AwardMinus },
        Decision::Score { board: 1, entrant: "e03".to_owned(), score: Score::from(4) },
        Decision::Score { board: 1, entrant: "e04".to_owned(), score: Score::from(-2) },
    ];
    for count in 1..=decisions.len() {
        let report = check(&told.retold(&cut, &decisions[..count], false)).unwrap();
        assert_eq!((report.rulings, report.revisions), (count as u64, 1));
    }
    let bytes = told.retold(&cut, &decisions, false);
    assert_eq!(on_board_1(&bytes, "e01")["status"], "A+");
    assert_eq!(on_board_1(&bytes, "e02")["status"], "A-");
    let (best, worst) = (on_board_1(&bytes, "e03"), on_board_1(&bytes, "e04"));
    assert_eq!((&best["status"], &worst["status"]), (&"played".into(), &"played".into()));
    assert_ne!(best["value"], worst["value"]);
}

#[test]
fn a_journal_that_just_stops_is_refused_and_so_is_anything_after_the_end() {
    let told = told(&request::<Wakeng>("stops", 1, 1, HUMAN_AI));
    let ended = String::from_utf8(told.bundle(&cut)).unwrap();
    check(ended.as_bytes()).unwrap();
    let lines: Vec<&str> = ended.lines().collect();
    let end = lines.iter().position(|line| line.contains("\"note\":\"end\"")).unwrap();
    let code = |lines: Vec<&str>| check((lines.join("\n") + "\n").as_bytes()).unwrap_err().code;
    let mut stops = lines.clone();
    stops.remove(end);
    assert_eq!(code(stops), "unfinished");
    for extra in [lines[end], lines[end - 1]] {
        let mut more = lines.clone();
        more.insert(end + 1, extra);
        assert_eq!(code(more), "after_the_board");
    }
}

/// A referee who looks at a finished board after its head was signed does not break the checkpoint.
#[test]
fn a_checkpoint_may_be_older_than_a_note_after_the_board() {
    let told = told(&request::<Wakeng>("older", 1, 1, HUMAN_AI));
    let looked = |_: &Header<Wakeng>, _: i64, entries: Entries<Wakeng>| {
        let mut lines: Lines<Wakeng> = entries.into_iter().map(Line::Action).collect();
        lines.push(note(ControlKind::Look, By::Referee, None, None, Some("r1")));
        lines
    };
    for heads_at_the_end in [true, false] {
        assert_eq!(check(&told.retold(&looked, &[], heads_at_the_end)).unwrap().notes, 1);
    }
}

/// A live table journals the dealer's steps; the AI players see what they saw.
fn dealt(header: &Header<Tuolaji>, _: i64, entries: Entries<Tuolaji>) -> Lines<Tuolaji> {
    let mut board = Board::open(header);
    let mut lines = Vec::new();
    for entry in entries {
        while Tuolaji::dealer_first(board.state(), &entry.action) {
            let step = ControlEntry { at: entry.at, ..ControlEntry::new(ControlKind::Deal, By::Dealer) };
            board.note(&step).unwrap();
            lines.push(Line::Control(step));
        }
        board.play(&entry).unwrap();
        lines.push(Line::Action(entry));
    }
    lines
}

#[test]
fn a_journal_with_the_dealers_steps_is_proved_ai_moves_included() {
    let told = told(&request::<Tuolaji>("dealt", 4, 6, Format::Pairs));
    let report = check(&told.bundle(&dealt)).unwrap();
    let before = check(told.text.as_bytes()).unwrap();
    assert_eq!((report.entries, report.ai_moves), (before.entries, before.ai_moves));
    assert!(report.notes > 100 * report.journals, "{} notes", report.notes);
}

/// The journal of a board as a record.
fn record<G: Game>(header: &Header<G>, lines: &[Line<G::Action>], hashes: bool) -> String {
    let mut board = Board::open(header);
    let mut text = serde_json::Value::Object(header.write()).to_string() + "\n";
    for line in lines {
        let hash = match line {
            Line::Action(entry) => board.play(entry).unwrap(),
            Line::Control(note) => board.note(note).unwrap(),
        };
        let hash = hex::encode(hash);
        let hash = hashes.then_some(hash.as_str());
        text.push_str(&match line {
            Line::Action(entry) => write_action::<G>(entry, hash),
            Line::Control(note) => write_note::<G>(note, hash),
        });
        text.push('\n');
    }
    text
}

fn answers(text: &str) -> Vec<serde_json::Value> {
    Records::new(text.as_bytes())
        .map(|raw| match replay_any(&raw.unwrap()) {
            Ok(answer) => serde_json::Value::Object(answer.replay_answer(1)),
            Err(failure) => serde_json::Value::Object(failure.to_json(1, Lang::En)),
        })
        .collect()
}

#[test]
fn records_take_notes_and_say_that_a_board_was_ended() {
    let told = told(&request::<Wakeng>("records", 1, 1, HUMAN_AI));
    let journal_of_event = replayed(&told.store, &told.event.id).unwrap();
    let header = told.dealer().dealt(&journal_of_event.competition().sittings()[0]).unwrap();
    let play = &Archive::plays(&told.store, &told.event.id).unwrap()[0];
    let entries: Entries<Wakeng> = Archive::journal(&told.store, play.id).unwrap()[1..]
        .iter()
        .map(|row| fushi::journal::scan_entry::<Wakeng>(&row.body).unwrap())
        .collect();
    for hashes in [false, true] {
        let lines = noted(&header, 1, entries.clone());
        let answer = &answers(&record(&header, &lines, hashes))[0];
        assert_eq!((&answer["ok"], &answer["finished"]), (&true.into(), &true.into()), "{answer}");
        assert_eq!(answer["actions"], entries.len());
        assert_eq!(answer["notes"], 7);
        let answer = &answers(&record(&header, &cut(&header, 1, entries.clone()), hashes))[0];
        let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
        let expected = ["ok", "record", "board", "finished", "ended", "outcome", "actions", "notes", "hash"];
        assert_eq!(keys, expected);
        assert_eq!((&answer["finished"], &answer["ended"]), (&false.into(), &true.into()));
    }
    let ended = record(&header, &cut(&header, 1, entries.clone()), true);
    for raw in Records::new(ended.as_bytes()) {
        let legal = replay_any(&raw.unwrap()).unwrap().legal_answer(1, 10);
        assert_eq!(serde_json::to_string(&legal).unwrap(), r#"[{"record":1,"seat":null,"legal":[]}]"#);
    }
    let plain: Lines<Wakeng> = entries.into_iter().map(Line::Action).collect();
    let plain = record(&header, &plain, false);
    assert!(answers(&plain)[0].get("notes").is_none(), "unchanged without notes");
    let first = plain.lines().next().unwrap();
    for (line, reason) in [
        (r#"{"note":"go","by":"server"}"#, "wrong_phase"),
        (r#"{"note":"deal","by":"dealer"}"#, "wrong_phase"),
        (r#"{"note":"deal","by":"server"}"#, "malformed"),
        (r#"{"note":"look","by":"referee"}"#, "malformed"),
        (r#"{"note":"look","by":"referee","who":"a b"}"#, "malformed"),
        (r#"{"note":"call","by":"player","seat":"Z"}"#, "malformed"),
        (r#"{"note":"give","by":"clock","seat":"A","ms":0}"#, "malformed"),
        (r#"{"note":"pause","by":"server"}"#, "malformed"),
        (r#"{"note":"stop","by":"server","do":"pass"}"#, "malformed"),
        (r#"{"note":"stop","by":"server","hash":"00"}"#, "hash_mismatch"),
    ] {
        let answer = &answers(&format!("{first}\n{line}\n"))[0];
        assert_eq!((&answer["ok"], &answer["reason"]), (&false.into(), &reason.into()), "{line}: {answer}");
        assert_eq!(answer["line"], 2);
    }
    let after = format!("{ended}{}\n", r#"{"seat":"A","do":"pass"}"#);
    assert_eq!(answers(&after)[0]["reason"], "wrong_phase");
}

/// What a referee plays for a seat stands only under a ruling that holds: on the board, or on a result at that table.
#[test]
fn an_action_by_a_referee_stands_under_a_ruling_and_falls_with_it() {
    let told = told(&request::<Wakeng>("acts", 2, 2, HUMAN_AI));
    // On board 1 the referee plays the last card for whoever had it, at both tables.
    let by_referee = |_: &Header<Wakeng>, number: i64, mut entries: Entries<Wakeng>| {
        if number == 1 {
            entries.last_mut().unwrap().by = Some(By::Referee);
        }
        entries.into_iter().map(Line::Action).collect::<Lines<Wakeng>>()
    };
    let four = |board: u32, entrant: &str| Decision::Score {
        board,
        entrant: entrant.to_owned(),
        score: Score::from(4),
    };
    let refused = |decisions: &[Decision]| {
        let wrong = check(&told.retold(&by_referee, decisions, false)).unwrap_err();
        assert_eq!(wrong.code, "referee_without_ruling", "{wrong:?}");
        wrong.place.table.unwrap()
    };
    let journal = replayed(&told.store, &told.event.id).unwrap();
    let entrant_at = |table: u32| {
        let results = journal.competition().results();
        let at = |result: &&fushi::formats::tally::Played| (result.board, result.table) == (1, Some(table));
        results.iter().find(at).unwrap().entrant.clone()
    };
    let mut decisions = Vec::new();
    assert_eq!(refused(&decisions), 1);
    decisions.push(four(2, &entrant_at(1)));
    assert_eq!(refused(&decisions), 1, "another board");
    decisions.push(four(1, &entrant_at(1)));
    assert_eq!(refused(&decisions), 2, "the other table is left");
    decisions.push(four(1, &entrant_at(2)));
    let report = check(&told.retold(&by_referee, &decisions, false)).unwrap();
    assert_eq!((report.referee_actions, report.referee_notes, report.time_outs), (2, 0, 0));
    decisions.push(Decision::Withdraw { ruling: 3 });
    assert_eq!(refused(&decisions), 2, "withdrawn");
    decisions.push(Decision::Void { board: 1 });
    let report = check(&told.retold(&by_referee, &decisions, false)).unwrap();
    assert_eq!(report.referee_actions, 2);
}
