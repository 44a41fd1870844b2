//! Journals with notes: the bundle proves them, a board that was ended unfinished waits for a ruling, records read
//! them.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

use fushi::dealing::MasterKey;
use fushi::desk::export;
use fushi::event::archive::{
    AnnouncementRow, Archive, ArchiveError, AuditRow, BoardRow, CheckpointRow, EntrantRow, EntryRow,
    EventRow, HallRow, Kept, Lock, NewEvent, NewPlay, PlayId, PlayRow, ResultRow, RevisionRow, RoundStart,
    RulingRow, StandingRow,
};
use fushi::event::results::{self, checkpoint, collect, publish};
use fushi::event::{Dealer, Event};
use fushi::formats::Format;
use fushi::formats::ruling::{Decision, Ruling};
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::games::{Game, Seat};
use fushi::journal::bundle::ResultState;
use fushi::journal::record::{Records, write_action, write_note};
use fushi::journal::replay::replay_any;
use fushi::journal::sign::Signer;
use fushi::journal::verify::{Options, Report, Wrong, verify};
use fushi::journal::{Board, By, ControlEntry, ControlKind, Entry, Header, Line, scan_line};
use fushi::scoring::{Exact, Score, Status};
use fushi::store::Store;
use fushi::words::Lang;

use crate::bundle::{HUMAN_AI, played, request};

/// An archive with other journals than the demonstration's, and nothing checkpointed or published yet.
struct Retold<'a> {
    store: &'a Store,
    journals: BTreeMap<i64, Vec<EntryRow>>,
    checkpoints: Mutex<Vec<CheckpointRow>>,
    revisions: Mutex<Vec<RevisionRow>>,
}

impl Archive for Retold<'_> {
    fn create_event(&self, new: NewEvent, audit: AuditRow) -> Kept<()> {
        self.store.create_event(new, audit)
    }
    fn announce(&self, row: AnnouncementRow, audit: AuditRow) -> Kept<()> {
        self.store.announce(row, audit)
    }
    fn set_delayed(&self, event: &str, value: String, audit: AuditRow) -> Kept<()> {
        Archive::set_delayed(self.store, event, value, audit)
    }
    fn change_settings(&self, before: EventRow, after: String, audit: AuditRow) -> Kept<()> {
        self.store.change_settings(before, after, audit)
    }
    fn join_offices(&self, event: &str, one_account: bool, audit: AuditRow) -> Kept<()> {
        self.store.join_offices(event, one_account, audit)
    }
    fn correct_entrant(&self, before: EntrantRow, after: EntrantRow, audit: AuditRow) -> Kept<()> {
        self.store.correct_entrant(before, after, audit)
    }
    fn add_entrants(&self, event: &str, rows: Vec<EntrantRow>, audit: AuditRow) -> Kept<()> {
        self.store.add_entrants(event, rows, audit)
    }
    fn remove_entrant(&self, event: &str, id: &str, audit: AuditRow) -> Kept<()> {
        self.store.remove_entrant(event, id, audit)
    }
    fn lock(&self, lock: Lock, audit: AuditRow) -> Kept<Vec<PlayId>> {
        self.store.lock(lock, audit)
    }
    fn open_board(&self, event: &str, set: &str, number: i64) -> Kept<()> {
        self.store.open_board(event, set, number)
    }
    fn keep_hall(&self, event: &str, row: HallRow) -> Kept<()> {
        self.store.keep_hall(event, row)
    }
    fn hall(&self, event: &str) -> Kept<Option<HallRow>> {
        Archive::hall(self.store, event)
    }
    fn start_round(&self, event: &str, start: RoundStart) -> Kept<()> {
        self.store.start_round(event, start)
    }
    fn rounds_started(&self, event: &str) -> Kept<Vec<RoundStart>> {
        Archive::rounds_started(self.store, event)
    }
    fn add_plays(&self, event: &str, boards: Vec<BoardRow>, plays: Vec<NewPlay>) -> Kept<Vec<PlayId>> {
        self.store.add_plays(event, boards, plays)
    }
    fn append(&self, entries: Vec<EntryRow>) -> Kept<()> {
        self.store.append(entries)
    }
    fn set_board_state(&self, event: &str, set: &str, number: i64, state: &'static str) -> Kept<()> {
        self.store.set_board_state(event, set, number, state)
    }
    fn add_checkpoint(&self, row: CheckpointRow) -> Kept<()> {
        self.checkpoints.lock().unwrap().push(row);
        Ok(())
    }
    fn add_ruling(&self, row: RulingRow, audit: AuditRow) -> Kept<()> {
        self.store.add_ruling(row, audit)
    }
    fn publish(&self, row: RevisionRow, _state: &'static str, audit: AuditRow) -> Kept<()> {
        self.revisions.lock().unwrap().push(row);
        Archive::audit(self.store, audit)
    }
    fn replace_derived(&self, event: &str, results: Vec<ResultRow>, standings: Vec<StandingRow>) -> Kept<()> {
        self.store.replace_derived(event, results, standings)
    }
    fn audit(&self, row: AuditRow) -> Kept<()> {
        Archive::audit(self.store, row)
    }
    fn event(&self, id: &str) -> Kept<EventRow> {
        Archive::event(self.store, id)
    }
    fn announcement(&self, event: &str) -> Kept<Option<AnnouncementRow>> {
        Archive::announcement(self.store, event)
    }
    fn sealed_key(&self, event: &str, name: &str) -> Kept<Vec<u8>> {
        Archive::sealed_key(self.store, event, name)
    }
    fn entrants(&self, event: &str) -> Kept<Vec<EntrantRow>> {
        Archive::entrants(self.store, event)
    }
    fn boards(&self, event: &str) -> Kept<Vec<BoardRow>> {
        Archive::boards(self.store, event)
    }
    fn plays(&self, event: &str) -> Kept<Vec<PlayRow>> {
        Archive::plays(self.store, event)
    }
    fn journal(&self, play: PlayId) -> Kept<Vec<EntryRow>> {
        self.journals.get(&play.0).cloned().ok_or_else(|| ArchiveError::Missing("journal".to_owned()))
    }
    fn checkpoints(&self, _event: &str) -> Kept<Vec<CheckpointRow>> {
        Ok(self.checkpoints.lock().unwrap().clone())
    }
    fn rulings(&self, event: &str) -> Kept<Vec<RulingRow>> {
        Archive::rulings(self.store, event)
    }
    fn revisions(&self, _event: &str) -> Kept<Vec<RevisionRow>> {
        Ok(self.revisions.lock().unwrap().clone())
    }
    fn results(&self, event: &str) -> Kept<Vec<ResultRow>> {
        Archive::results(self.store, event)
    }
    fn standings(&self, event: &str) -> Kept<Vec<StandingRow>> {
        Archive::standings(self.store, event)
    }
}

type Entries<G> = Vec<Entry<<G as Game>::Action>>;
type Lines<G> = Vec<Line<<G as Game>::Action>>;

/// What a retelling knows: the header, the number of the board, the entries as they were played.
type Edit<'a, G> = &'a dyn Fn(&Header<G>, i64, Entries<G>) -> Lines<G>;

fn note<A>(kind: ControlKind, by: By, at: Option<u64>, seat: Option<Seat>, who: Option<&str>) -> Line<A> {
    Line::Control(ControlEntry { kind, by, at, seat, who: who.map(str::to_owned) })
}

/// The rows of a journal that holds these lines.
fn rows<G: Game>(header: &Header<G>, old: &[EntryRow], lines: &[Line<G::Action>]) -> Vec<EntryRow> {
    let mut board = Board::open(header);
    let mut rows = vec![old[0].clone()];
    for (seq, line) in (1..).zip(lines) {
        let (hash, at) = match line {
            Line::Action(entry) => (board.play(entry).unwrap(), entry.at),
            Line::Control(note) => (board.note(note).unwrap(), note.at),
        };
        rows.push(EntryRow {
            play_id: old[0].play_id,
            seq,
            at_us: i64::try_from(at.unwrap_or_default()).unwrap(),
            body: board.last_bytes().to_owned(),
            hash: hash.to_vec(),
        });
    }
    rows
}

struct Told<G: Game> {
    event: Event<G>,
    master: MasterKey,
    signer: Signer,
}

impl<G: Game> Told<G> {
    fn dealer(&self, store: &Store) -> Dealer<G> {
        let (announcement, delayed) = self.event.announced(store).unwrap();
        Dealer::new(&self.event, &announcement, &self.master, &delayed).unwrap()
    }
}

fn retold<'a, G: Game>(told: &Told<G>, store: &'a Store, edit: Edit<'_, G>) -> Retold<'a> {
    let dealer = told.dealer(store);
    let mut journals = BTreeMap::new();
    for play in Archive::plays(store, &told.event.id).unwrap() {
        let number = play.play.number;
        let header = dealer.header(u32::try_from(number).unwrap()).unwrap();
        let old = Archive::journal(store, play.id).unwrap();
        let entries = old[1..].iter().map(|row| match scan_line::<G>(&row.body).unwrap() {
            Line::Action(entry) => entry,
            Line::Control(_) => panic!("a demonstration has no notes"),
        });
        let lines = edit(&header, number, entries.collect());
        journals.insert(play.id.0, rows(&header, &old, &lines));
    }
    Retold { store, journals, checkpoints: Mutex::default(), revisions: Mutex::default() }
}

const AT: i64 = 1_800_000_000_000_000;

fn told<G: Game>(event: Event<G>, seed: &str) -> Told<G> {
    let master = MasterKey::practice(&format!("fushi-demo/1|{seed}"));
    let signer = Signer::of_event(&master, &event.id);
    Told { event, master, signer }
}

fn bundle<G: Game>(told: &Told<G>, archive: &Retold<'_>) -> Vec<u8> {
    let dealer = told.dealer(archive.store);
    let collected = collect(archive, &told.event, &dealer).unwrap();
    if archive.checkpoints.lock().unwrap().is_empty() {
        checkpoint(archive, &told.event.id, &told.signer, AT, collected.heads.clone()).unwrap();
    }
    let state = ResultState::Official;
    publish(archive, &told.event, &collected, &told.signer, state, AT, "chief").unwrap();
    let tally = results::rebuild(archive, &told.event, &collected).unwrap();
    export::export(archive, &told.event, &told.master, &told.signer, &tally, Vec::new()).unwrap()
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
    SMALL.get_or_init(|| {
        let (_folder, store, played, _) = played(&request::<Wakeng>("noted", 1, 1, HUMAN_AI));
        let told = told(played.event, "noted");
        bundle(&told, &retold(&told, &store, &noted))
    })
}

#[test]
fn notes_are_proved_with_the_actions_and_are_not_counted_as_such() {
    let (_folder, store, played, plain) = played(&request::<Wakeng>("noted-2", 3, 2, HUMAN_AI));
    let told = told(played.event, "noted-2");
    let report = check(&bundle(&told, &retold(&told, &store, &noted))).unwrap();
    let before = check(&plain).unwrap();
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
    let (_folder, store, played, plain) = played(&request::<Wakeng>("unfit", 1, 1, HUMAN_AI));
    let told = told(played.event, "unfit");
    let text = String::from_utf8(plain).unwrap();
    let header = told.dealer(&store).header(1).unwrap();
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
    Ruling { number, at: AT, by, reason, decision }
}

#[test]
fn a_board_that_was_ended_is_not_played_until_a_ruling_decides_and_the_bundle_proves_both() {
    let (_folder, store, played, _) = played(&request::<Wakeng>("ended", 4, 3, HUMAN_AI));
    let told = told(played.event, "ended");
    let archive = retold(&told, &store, &cut);
    let bytes = bundle(&told, &archive);
    let report = check(&bytes).unwrap();
    assert_eq!(report.notes, 4, "board 1 was ended at all four tables");
    let collected = collect(&archive, &told.event, &told.dealer(&store)).unwrap();
    let ended: Vec<_> = collected.played.iter().filter(|result| result.board == 1).collect();
    assert!(ended.iter().all(|result| result.score.is_none() && result.table.is_some()));
    let rebuilt = || results::rebuild(&archive, &told.event, &collected).unwrap();
    let status = |entrant: &str| {
        let line = rebuilt().results.into_iter().find(|line| line.board == 1 && line.entrant == entrant);
        line.map(|line| (line.status, line.value)).unwrap()
    };
    assert_eq!(status("e01"), (Status::NotPlayed, None));
    let decisions = [
        Decision::Status { board: 1, entrant: "e01".to_owned(), status: Status::AwardPlus },
        Decision::Status { board: 1, entrant: "e02".to_owned(), status: Status::AwardMinus },
        Decision::Score { board: 1, entrant: "e03".to_owned(), score: Score::from(4) },
        Decision::Score { board: 1, entrant: "e04".to_owned(), score: Score::from(-2) },
    ];
    for (number, decision) in (1..).zip(decisions) {
        results::rule(&archive, &told.event, &collected, &rule(number, decision)).unwrap();
        let report = check(&bundle(&told, &archive)).unwrap();
        assert_eq!((report.rulings, report.revisions), (u64::from(number), u64::from(number) + 1));
    }
    let value = |text: &str| Some(text.parse::<Exact>().unwrap());
    assert_eq!(status("e01").0, Status::AwardPlus);
    assert_eq!(status("e02").0, Status::AwardMinus);
    assert_eq!(status("e03"), (Status::Played, value("1")));
    assert_eq!(status("e04"), (Status::Played, value("0")));
    assert!(status("e01").1 > status("e02").1, "an award counts for more than a penalty");
}

#[test]
fn a_journal_that_just_stops_is_refused_and_so_is_anything_after_the_end() {
    let (_folder, store, played, _) = played(&request::<Wakeng>("stops", 1, 1, HUMAN_AI));
    let told = told(played.event, "stops");
    let ended = String::from_utf8(bundle(&told, &retold(&told, &store, &cut))).unwrap();
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
    let archive = retold(&told, &store, &|header, number, entries| {
        let mut lines = cut(header, number, entries);
        lines.pop();
        lines
    });
    let error = collect(&archive, &told.event, &told.dealer(&store)).unwrap_err();
    assert!(error.to_string().contains("not finished"), "{error}");
}

/// A referee who looks at a finished board after its head was signed does not break the checkpoint.
#[test]
fn a_checkpoint_may_be_older_than_a_note_after_the_board() {
    let (_folder, store, played, _) = played(&request::<Wakeng>("older", 1, 1, HUMAN_AI));
    let told = told(played.event, "older");
    let plain = retold(&told, &store, &|_, _, entries| entries.into_iter().map(Line::Action).collect());
    let heads = collect(&plain, &told.event, &told.dealer(&store)).unwrap().heads;
    let looked = |at: usize| {
        let looked = retold(&told, &store, &move |_, _, entries: Entries<Wakeng>| {
            let last = entries.len();
            let mut lines: Lines<Wakeng> = entries.into_iter().map(Line::Action).collect();
            let look = note(ControlKind::Look, By::Referee, None, None, Some("r1"));
            lines.insert(if at == 0 { 0 } else { last }, look);
            lines
        });
        checkpoint(&looked, &told.event.id, &told.signer, AT, heads.clone()).unwrap();
        check(&bundle(&told, &looked))
    };
    assert_eq!(looked(1).unwrap().notes, 1);
    assert_eq!(looked(0).unwrap_err().code, "checkpoint_head");
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
    let (_folder, store, played, plain) = played(&request::<Tuolaji>("dealt", 4, 6, Format::Pairs));
    let told = told(played.event, "dealt");
    let archive = retold(&told, &store, &dealt);
    let report = check(&bundle(&told, &archive)).unwrap();
    let before = check(&plain).unwrap();
    assert_eq!((report.entries, report.ai_moves), (before.entries, before.ai_moves));
    assert!(report.notes > 100 * report.journals, "{} notes", report.notes);
    // A step too few, and the next action comes too early.
    let short = retold(&told, &store, &|header, number, entries| {
        let mut lines = dealt(header, number, entries);
        lines.truncate(30);
        lines
    });
    assert!(collect(&short, &told.event, &told.dealer(&store)).is_err());
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
    let (_folder, store, played, _) = played(&request::<Wakeng>("records", 1, 1, HUMAN_AI));
    let told = told(played.event, "records");
    let header = told.dealer(&store).header(1).unwrap();
    let play = &Archive::plays(&store, &told.event.id).unwrap()[0];
    let entries: Entries<Wakeng> = Archive::journal(&store, play.id).unwrap()[1..]
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
    let (_folder, store, played, _) = played(&request::<Wakeng>("acts", 2, 2, HUMAN_AI));
    let told = told(played.event, "acts");
    // On board 1 the referee plays the last card for whoever had it, at both tables.
    let archive = retold(&told, &store, &|_, number, mut entries| {
        if number == 1 {
            entries.last_mut().unwrap().by = Some(By::Referee);
        }
        entries.into_iter().map(Line::Action).collect()
    });
    let dealer = told.dealer(&store);
    let collected = collect(&archive, &told.event, &dealer).unwrap();
    let four = |board: u32, entrant: &str| Decision::Score {
        board,
        entrant: entrant.to_owned(),
        score: Score::from(4),
    };
    let refused = |wrong: Box<Wrong>| {
        assert_eq!(wrong.code, "referee_without_ruling", "{wrong:?}");
        wrong.place.table.unwrap()
    };
    let first = refused(check(&bundle(&told, &archive)).unwrap_err());
    let entrant_at = |table: u32| {
        let at = |result: &&fushi::formats::tally::Played| (result.board, result.table) == (1, Some(table));
        collected.played.iter().find(at).unwrap().entrant.clone()
    };
    let mut number = 0;
    let mut rule = |decision| {
        number += 1;
        results::rule(&archive, &told.event, &collected, &rule(number, decision)).unwrap();
        check(&bundle(&told, &archive))
    };
    assert_eq!(first, 1);
    assert_eq!(refused(rule(four(2, &entrant_at(1))).unwrap_err()), 1, "another board");
    assert_eq!(refused(rule(four(1, &entrant_at(1))).unwrap_err()), 2, "the other table is left");
    let report = rule(four(1, &entrant_at(2))).unwrap();
    assert_eq!((report.referee_actions, report.referee_notes, report.time_outs), (2, 0, 0));
    assert_eq!(refused(rule(Decision::Withdraw { ruling: 3 }).unwrap_err()), 2, "withdrawn");
    assert_eq!(rule(Decision::Void { board: 1 }).unwrap().referee_actions, 2);
}
