//! Bundles: the original is accepted, every mutation is rejected with its place.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use fushi::canonical::{self, Hash, link};
use fushi::dealing::{Announcement, MasterKey, Purpose as SetPurpose, from_hex};
use fushi::desk::demo::{self, Groups, Played, Request};
use fushi::event::Dealer;
use fushi::formats::settings::{Measure, Settings};
use fushi::formats::{Bell, BoardSet, Competition, Fact, Format};
use fushi::games::holdem::Holdem;
use fushi::games::tuolaji::Tuolaji;
use fushi::games::wakeng::Wakeng;
use fushi::games::{Game, Seat, rulesets};
use fushi::journal::bundle::{BundleWriter, Section, entry_line};
use fushi::journal::revision::signed;
use fushi::journal::sign::{Purpose, Signer};
use fushi::journal::verify::{Options, Report, Wrong, verify};
use fushi::journal::{
    Author, Board, By, DeskFact, Entry, EventFact, EventJournal, EventLine, Line, scan_line,
};
use fushi::players::{self, Levels};
use fushi::scoring::Rules;
use fushi::store::Store;
use fushi::words::Lang;
use serde_json::{Map, Value};

pub fn request<G: Levels>(seed: &str, entrants: u32, boards: u32, format: Format) -> Request<G> {
    let random = players::find::<G>("random").unwrap();
    Request {
        seed: seed.to_owned(),
        entrants,
        boards,
        format,
        round_robin: None,
        rules: rulesets::default::<G>().unwrap(),
        levels: vec![random],
        opponents: random,
        slips: 300,
        measure: Measure::Score,
        scoring: Rules::default(),
        replay: None,
    }
}

pub fn played<G: Levels>(request: &Request<G>) -> (tempfile::TempDir, Store, Played<G>, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!("sqlite:{}", folder.path().join("db").display())).unwrap();
    let (played, bytes) = demo::play(&store, request, Vec::new(), &mut |_| {}).unwrap();
    (folder, store, played, bytes)
}

pub const HUMAN_AI: Format = Format::HumanAi { seat: 0 };

fn check(bytes: &[u8]) -> Result<Report, Box<Wrong>> {
    verify(bytes, &Options { announcement: None, ai: false })
}

/// A small event with one board, played once for all tests.
fn small() -> &'static [u8] {
    static SMALL: OnceLock<Vec<u8>> = OnceLock::new();
    SMALL.get_or_init(|| played(&request::<Wakeng>("small", 1, 1, HUMAN_AI)).3)
}

fn refused(bytes: &[u8]) -> Box<Wrong> {
    let wrong = check(bytes).unwrap_err();
    for lang in Lang::ALL {
        let sentence = wrong.sentence(lang);
        assert!(!sentence.contains('\n') && !sentence.contains("verify-"), "{sentence}");
    }
    wrong
}

fn line_of(bytes: &[u8], position: usize) -> u64 {
    bytes[..position].split(|byte| *byte == b'\n').count() as u64
}

#[test]
fn a_genuine_bundle_is_accepted_with_its_ai_moves() {
    let (_folder, _store, played, bytes) = played(&request::<Wakeng>("genuine", 5, 3, HUMAN_AI));
    let announced = *played.announcement.hash();
    let report = verify(&bytes[..], &Options { announcement: Some(announced), ai: true }).unwrap();
    assert_eq!((report.boards, report.entrants, report.journals, report.results), (3, 5, 15, 15));
    assert_eq!(report.entries, played.entries);
    assert!(report.ai_moves > 0 && report.ai_moves < report.entries);
    let other = from_hex("test", &"00".repeat(32)).unwrap();
    let wrong = verify(&bytes[..], &Options { announcement: Some(other), ai: true }).unwrap_err();
    assert_eq!(wrong.code, "not_announced");
}

/// The section of every line of a bundle.
fn sections(bytes: &[u8]) -> Vec<Section> {
    let mut last = Section::Bundle;
    let text = std::str::from_utf8(bytes).unwrap();
    let section = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(name) = value["section"].as_str() {
            last = Section::named(name).unwrap();
        }
        last
    };
    text.lines().map(section).collect()
}

/// Line and section: the named ones are those of the changed byte.
#[test]
fn flipping_any_single_byte_is_rejected_with_the_place_named() {
    let bytes = small();
    check(bytes).unwrap();
    let sections = sections(bytes);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let sections = &sections;
            scope.spawn(move || {
                let mut changed = bytes.to_vec();
                for position in (thread..bytes.len()).step_by(threads) {
                    // A low bit, so that a digit mostly stays a digit and a letter a letter: the subtle changes. Now
                    // and then a high one, which is no text, or a line feed.
                    let flip = match position % 5 {
                        bit @ 0..3 => 1 << bit,
                        3 => 0x80,
                        _ if bytes[position] == b'\n' => 1,
                        _ => bytes[position] ^ b'\n',
                    };
                    changed[position] ^= flip;
                    let wrong = refused(&changed);
                    changed[position] ^= flip;
                    let section = sections[usize::try_from(line_of(bytes, position)).unwrap() - 1];
                    assert_eq!(
                        wrong.place.section,
                        Some(section),
                        "byte {position} was flipped by {flip}, blamed: {}",
                        wrong.sentence(Lang::En)
                    );
                    let (first, last) = wrong.place.lines.unwrap_or_default();
                    let line = line_of(bytes, position);
                    assert!(
                        (first..=last).contains(&line),
                        "byte {position} of line {line} was flipped, blamed: {}",
                        wrong.sentence(Lang::En)
                    );
                }
            });
        }
    });
}

/// Journals are checked on all cores at once; the fault that is named is still the first one of the file.
#[test]
fn of_several_faults_the_first_one_of_the_file_is_named() {
    let (_folder, _store, _played, bytes) = played(&request::<Wakeng>("many", 12, 4, HUMAN_AI));
    assert!(bytes.len() > 400_000, "several batches of journals");
    check(&bytes).unwrap();
    let starts: Vec<usize> = bytes
        .windows(18)
        .enumerate()
        .filter(|(_, window)| *window == b"\"section\":\"journal\"".get(..18).unwrap())
        .map(|(position, _)| position)
        .collect();
    assert_eq!(starts.len(), 48);
    // A hash in the third line of each journal is changed, in all of them from one on.
    let place = |start: usize| {
        let line = bytes[start..].iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(2).unwrap().0;
        let hash = bytes[start + line..].windows(8).position(|window| window == b"\"hash\":\"").unwrap();
        start + line + hash + 8
    };
    for first in [0, 1, 20, 30, 46, 47] {
        let mut changed = bytes.clone();
        for start in &starts[first..] {
            changed[place(*start)] ^= 1;
        }
        let line = line_of(&bytes, place(starts[first]));
        let named = |wrong: Box<Wrong>| (wrong.code, wrong.place.lines, wrong.place.entry);
        let expected = ("chain", Some((line, line)), Some(3));
        assert_eq!(named(refused(&changed)), expected);
        // What cannot even be read comes after it, in the last journal and behind the journals.
        for position in [starts[47] - 5, starts[47] + 900, bytes.len() - 5] {
            let mut broken = changed.clone();
            broken[position] = 0xff;
            let wrong = refused(&broken);
            if position > place(starts[first]) {
                assert_eq!(named(wrong), expected, "byte {position} is no text");
            } else {
                assert_eq!(wrong.code, "not_utf8");
            }
        }
    }
}

#[test]
fn a_bundle_cut_off_anywhere_is_rejected() {
    let bytes = small();
    for length in (0..bytes.len()).step_by(37).chain(bytes.len() - 3..bytes.len()) {
        let wrong = refused(&bytes[..length]);
        if length > 0 {
            let lines = wrong.place.lines.unwrap();
            assert!(lines.1 <= line_of(bytes, length), "{}", wrong.sentence(Lang::En));
        }
    }
    // Whole lines missing at the end.
    let mut rest = bytes;
    while let Some(end) = rest[..rest.len() - 1].iter().rposition(|byte| *byte == b'\n') {
        rest = &rest[..=end];
        refused(rest);
    }
}

#[test]
fn lines_that_are_doubled_removed_or_exchanged_are_rejected() {
    let text = std::str::from_utf8(small()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let join = |lines: &[&str]| lines.join("\n") + "\n";
    for index in 0..lines.len() {
        let mut doubled = lines.clone();
        doubled.insert(index, lines[index]);
        refused(join(&doubled).as_bytes());
        let mut removed = lines.clone();
        removed.remove(index);
        refused(join(&removed).as_bytes());
        if index > 0 {
            let mut exchanged = lines.clone();
            exchanged.swap(index - 1, index);
            refused(join(&exchanged).as_bytes());
        }
    }
}

#[test]
fn other_encodings_line_ends_marks_and_tails_are_rejected() {
    let text = std::str::from_utf8(small()).unwrap();
    let code = |bytes: &[u8]| refused(bytes).code;
    assert_eq!(code(b""), "empty");
    assert_eq!(code(text.replace('\n', "\r\n").as_bytes()), "carriage_return");
    assert_eq!(code(format!("\u{feff}{text}").as_bytes()), "byte_order_mark");
    assert_eq!(code(format!("{text}\n").as_bytes()), "after_the_end");
    assert_eq!(code(format!("{text} ").as_bytes()), "cut_off");
    assert_eq!(code(format!("\n{text}").as_bytes()), "malformed");
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(code(&utf16), "malformed");
    assert_eq!(code(b"\xff\xfe{\n"), "not_utf8");
    assert_eq!(code(text.trim_end().as_bytes()), "cut_off");
    assert_eq!(code(&vec![b'x'; 1000]), "cut_off");
    assert_eq!(code(&[vec![b'['; 200_000], vec![b'\n']].concat()), "malformed");
    assert_eq!(code(text.replacen(':', ": ", 1).as_bytes()), "not_canonical");
    let upper = text.replacen("\"hash\":\"", "\"hash\":\"A", 1);
    assert_eq!(code(upper.as_bytes()), "bad_announcement");
}

/// The bundle of a demonstration's seed with its manifest made and signed anew.
pub fn resigned(text: &str, seed: &str) -> Vec<u8> {
    let master = MasterKey::practice(&format!("fushi-demo/1|{seed}"));
    let signer = Signer::of_event(&master, &format!("demo-{seed}"));
    let mut out = BundleWriter::new(Vec::new());
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut object = value.as_object().unwrap().clone();
        match object.remove("section") {
            Some(name) if name == "manifest" => {}
            Some(name) => {
                let section = fushi::journal::bundle::Section::named(name.as_str().unwrap()).unwrap();
                out.line(section, &object).unwrap();
            }
            None => {
                let hash = object.remove("hash").unwrap();
                let canonical = fushi::canonical::to_string(&object).unwrap();
                out.entry(&canonical, hash.as_str().unwrap()).unwrap();
            }
        }
    }
    out.finish(&signer).unwrap()
}

/// Everything after the cheat is chained and signed again by the server itself: only computing finds it.
#[test]
fn a_cheating_server_with_the_right_signature_is_found_out() {
    let text = String::from_utf8(small().to_vec()).unwrap();
    let resigned = |text: &str| resigned(text, "small");
    assert_eq!(resigned(&text), text.as_bytes(), "signing again changes nothing by itself");
    let score = text.lines().find(|line| line.contains("\"section\":\"result\"")).unwrap();
    let better = if score.contains("\"score\":-") {
        score.replace("\"score\":-", "\"score\":")
    } else {
        score.replace("\"score\":", "\"score\":1")
    };
    assert_ne!(score, better);
    let wrong = refused(&resigned(&text.replace(score, &better)));
    assert_eq!((wrong.code, wrong.place.entrant.as_deref()), ("not_as_published", Some("e01")));
    let settings = text.lines().find(|line| line.contains("\"section\":\"settings\"")).unwrap();
    let kinder = settings.replace("\"lone\":\"undefined\"", "\"lone\":\"half\"");
    assert_ne!(settings, kinder);
    assert_eq!(refused(&resigned(&text.replace(settings, &kinder))).code, "other_settings");
    let name = text.lines().find(|line| line.contains("\"section\":\"entrant\"")).unwrap();
    let other = name.replace("\"name\":\"", "\"name\":\"Dr. ");
    assert!(check(&resigned(&text.replace(name, &other))).is_ok(), "a name may be struck out on request");
}

#[test]
fn a_stolen_database_gives_no_deals() {
    let (folder, store, played, _) = played(&request::<Wakeng>("stolen", 1, 1, HUMAN_AI));
    let master = MasterKey::practice("fushi-demo/1|stolen");
    drop(store);
    let file = std::fs::read(folder.path().join("db")).unwrap();
    let holds = |needle: &[u8]| file.windows(needle.len()).any(|window| window == needle);
    assert!(holds(played.announcement.hash()), "the search finds what is there");
    let secrets = [
        *master.expose(),
        *master.set_key("s1").expose(),
        *master.set_salt("s1").expose(),
        *master.set_key("reserve").expose(),
        *master.ai_key(&played.event.id).expose(),
    ];
    for secret in secrets {
        assert!(!holds(&secret) && !holds(hex::encode(secret).as_bytes()));
    }
    // Beyond what was played, no deal is there either: a hand of sixteen never stands together.
    assert!(!holds(b"\"bottom\":"));
}

#[test]
fn two_entrants_who_make_the_same_choices_have_the_same_journals_but_for_ids_and_times() {
    let mut request = request::<Wakeng>("same", 2, 2, HUMAN_AI);
    request.slips = 0;
    let (_folder, store, played, bytes) = played(&request);
    let report = verify(&bytes[..], &Options::default()).unwrap();
    assert_eq!(report.ai_moves, report.entries, "all entrants are AI players here");
    let plays = store.plays(&played.event.id).unwrap();
    let journal = |number: i64, table: i64| {
        let row =
            plays.iter().find(|row| row.play.number == number && row.play.table_number == table).unwrap();
        let rows = store.journal(row.id).unwrap();
        let receipt = rows[0].body.clone();
        let times: Vec<i64> = rows.iter().map(|row| row.at_us).collect();
        let rest: Vec<String> =
            rows[1..].iter().map(|row| row.body.replacen(&format!("\"at\":{},", row.at_us), "", 1)).collect();
        (receipt, times, rest)
    };
    for number in 1..=2 {
        let (one, other) = (journal(number, 1), journal(number, 2));
        assert_eq!(one.0, other.0);
        assert_ne!(one.1, other.1, "the clocks ran differently");
        assert_eq!(one.2, other.2);
    }
}

#[test]
fn the_same_seed_gives_the_same_bundle_and_another_seed_another() {
    let bytes = |seed: &str| played(&request::<Wakeng>(seed, 3, 2, HUMAN_AI)).3;
    assert_eq!(bytes("1"), bytes("1"));
    assert_ne!(bytes("1"), bytes("2"));
}

#[test]
fn individual_events_with_stand_ins_are_proved_too() {
    for entrants in [3, 4, 5, 7] {
        let request = request::<Wakeng>("individual", entrants, 6, Format::Individual);
        let (_folder, _store, played, bytes) = played(&request);
        let report = check(&bytes).unwrap();
        assert_eq!(report.boards, 6);
        let ranked = played.tally.standings.iter().filter(|line| line.rank.is_some()).count();
        assert_eq!(ranked, entrants as usize);
    }
}

#[test]
fn an_event_with_its_own_ruleset_is_proved_by_the_ruleset_in_the_bundle() {
    let mut request = request::<Wakeng>("own", 2, 1, HUMAN_AI);
    let mut rules = (*request.rules).clone();
    "house".clone_into(&mut rules.name);
    request.rules = Arc::new(rules);
    let bytes = played(&request).3;
    check(&bytes).unwrap();
}

/// How a line of a section is told anew.
fn told_anew(
    section: &str,
    line: usize,
    tell: impl Fn(&mut serde_json::Map<String, serde_json::Value>),
) -> String {
    let text = std::str::from_utf8(small()).unwrap();
    let mark = format!("\"section\":\"{section}\"");
    let mut seen = 0;
    let mut out = String::new();
    for written in text.lines() {
        if written.contains(&mark) {
            seen += 1;
            if seen == line {
                let mut object: serde_json::Map<_, _> = serde_json::from_str(written).unwrap();
                tell(&mut object);
                out += &fushi::canonical::to_string(&object).unwrap();
                out.push('\n');
                continue;
            }
        }
        out += written;
        out.push('\n');
    }
    out
}

/// Signs the body of a line, as the server could.
fn signed_by_the_server(object: &mut Map<String, Value>, purpose: Purpose) {
    let signer = Signer::of_event(&MasterKey::practice("fushi-demo/1|small"), "demo-small");
    let text = canonical::to_string(&object["body"]).unwrap();
    object.insert("signature".to_owned(), hex::encode(signer.sign(purpose, &text)).into());
}

/// The parts of a bundle: lines before the event's journal, the event's journal, lines of boards' journals, checkpoints.
pub struct Parts {
    before: Vec<String>,
    pub events: Vec<Map<String, Value>>,
    pub boards: Vec<String>,
    pub checkpoints: Vec<Map<String, Value>>,
    after: Vec<String>,
}

pub fn parts(text: &str) -> Parts {
    let (mut before, mut events, mut boards) = (Vec::new(), Vec::new(), Vec::new());
    let (mut checkpoints, mut after) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let object: Map<String, Value> = serde_json::from_str(line).unwrap();
        match object.get("section").and_then(Value::as_str) {
            Some("event") => events.push(object),
            None | Some("journal") => boards.push(line.to_owned()),
            Some("checkpoint") => checkpoints.push(object),
            Some("result" | "standing") => after.push(line.to_owned()),
            Some("manifest") => {}
            Some(_) => before.push(line.to_owned()),
        }
    }
    Parts { before, events, boards, checkpoints, after }
}

fn signer(seed: &str) -> Signer {
    Signer::of_event(&MasterKey::practice(&format!("fushi-demo/1|{seed}")), &format!("demo-{seed}"))
}

impl Parts {
    fn announcement(&self) -> Announcement {
        let line: Value = serde_json::from_str(&self.before[1]).unwrap();
        Announcement::parse(&line["body"].to_string()).unwrap()
    }

    /// Everything chained and signed again by the server itself; lines of the event's journal as they stand.
    pub fn rechained(mut self, seed: &str) -> Vec<u8> {
        let signer = signer(seed);
        let mut chain: Hash = *self.announcement().hash();
        let mut chains = Vec::new();
        for object in &mut self.events {
            object.remove("hash");
            object.remove("section");
            if let Some(published) = object["fact"].get_mut("published") {
                let text = canonical::to_string(&published["body"]).unwrap();
                published["signature"] = hex::encode(signer.sign(Purpose::Revision, &text)).into();
            }
            chain = link(&chain, canonical::to_string(object).unwrap().as_bytes());
            chains.push(chain);
            object.insert("hash".to_owned(), hex::encode(chain).into());
            object.insert("section".to_owned(), "event".into());
        }
        let mut prev: Hash = [0; 32];
        for object in &mut self.checkpoints {
            let seq = usize::try_from(object["body"]["journal"]["seq"].as_u64().unwrap()).unwrap();
            let seq = seq.min(chains.len());
            object["body"]["journal"]["seq"] = seq.into();
            object["body"]["journal"]["hash"] = hex::encode(chains[seq - 1]).into();
            object["body"]["prev"] = hex::encode(prev).into();
            let text = canonical::to_string(&object["body"]).unwrap();
            prev = canonical::sha256(text.as_bytes());
            let signature = hex::encode(signer.sign(Purpose::Checkpoint, &text));
            object.insert("signature".to_owned(), signature.into());
        }
        let write = |object: &Map<String, Value>| canonical::to_string(object).unwrap();
        let lines: Vec<String> = self
            .before
            .into_iter()
            .chain(self.events.iter().map(write))
            .chain(self.boards)
            .chain(self.checkpoints.iter().map(write))
            .chain(self.after)
            .collect();
        resigned(&(lines.join("\n") + "\n"), seed)
    }

    /// The event's journal told anew through the event's journal itself: orders and publications follow from the facts that
    /// `edit` makes of each line, results and standings from the last publication.
    pub fn retold<G: Game>(
        mut self,
        seed: &str,
        edit: impl Fn(EventLine) -> Vec<(Author, u64, EventFact)>,
    ) -> Vec<u8> {
        let announcement = self.announcement();
        let find = |section: &str| {
            let mark = format!("\"section\":\"{section}\"");
            let line = self.before.iter().find(|line| line.contains(&mark)).unwrap();
            let mut object: Map<String, Value> = serde_json::from_str(line).unwrap();
            object.remove("section");
            object
        };
        let settings: Settings = serde_json::from_value(Value::Object(find("settings"))).unwrap();
        let sets = announcement.body().sets.iter().map(|set| BoardSet {
            id: set.id.clone(),
            first: set.first,
            last: set.last,
            reserve: set.purpose == SetPurpose::Reserve,
        });
        let setups = G::setups(&rulesets::default::<G>().unwrap());
        let competition = Competition::new(&settings, &sets.collect::<Vec<_>>(), &setups);
        let mut journal = EventJournal::begin(announcement.hash(), competition);
        let mut events = Vec::new();
        for mut object in std::mem::take(&mut self.events) {
            object.remove("hash");
            object.remove("section");
            let line = EventLine::read(&canonical::to_string(&object).unwrap()).unwrap();
            let wall = line.wall;
            for (by, at, fact) in edit(line) {
                let fact = match fact {
                    EventFact::Desk(DeskFact::Published(old)) => {
                        let body = journal.revision(&old.body.event, wall, old.body.state).unwrap();
                        DeskFact::Published(Box::new(signed(&signer(seed), Purpose::Revision, body))).into()
                    }
                    other => other,
                };
                let chained = journal.append(by, at, wall, fact).unwrap();
                events.push(serde_json::from_str(&chained.bytes).unwrap());
            }
        }
        self.events = events;
        let snapshot = journal.published().unwrap();
        self.after = snapshot.results().iter().chain(snapshot.standings()).cloned().collect();
        self.rechained(seed)
    }
}

/// The line as it is.
pub fn same(line: EventLine) -> Vec<(Author, u64, EventFact)> {
    vec![(line.by, line.at, line.fact)]
}

/// A change to a `finished` line.
type Change = fn(&mut fushi::formats::Finished);

/// What the event's journal says of a board is held against the board's own journal, field by field, though everything is
/// chained, signed, ranked and published again.
fn finished_is_held_against_the_board<G: Game>(text: &str, seed: &str, changes: &[(&str, Change)]) {
    check(&parts(text).retold::<G>(seed, same)).unwrap();
    for (code, change) in changes {
        let bytes = parts(text).retold::<G>(seed, |mut line| {
            if let EventFact::Play(Fact::Finished(finished)) = &mut line.fact
                && finished.sitting == 1
            {
                change(finished);
            }
            same(line)
        });
        let wrong = refused(&bytes);
        assert_eq!((wrong.code, wrong.place.section), (*code, Some(Section::Event)));
        assert!(wrong.place.board.is_some() && wrong.place.table == Some(1), "{code}");
    }
}

#[test]
fn scores_sides_lines_and_head_of_a_finished_board_are_those_of_its_journal() {
    let small = std::str::from_utf8(small()).unwrap();
    finished_is_held_against_the_board::<Wakeng>(
        small,
        "small",
        &[
            ("finished_scores", |finished| {
                for score in finished.scores.values_mut() {
                    *score *= 2;
                }
            }),
            ("finished_roles", |finished| {
                let roles: Vec<_> = finished.roles.values().rev().copied().collect();
                for (role, other) in finished.roles.values_mut().zip(roles) {
                    *role = other;
                }
                let first = finished.roles.values().next().copied();
                for role in finished.roles.values_mut() {
                    *role = first.unwrap();
                }
            }),
            ("finished_lines", |finished| finished.lines += 1),
            ("finished_head", |finished| finished.head = "00".repeat(32)),
        ],
    );
}

#[test]
fn small_points_of_a_finished_board_are_those_of_its_journal() {
    let bytes = played(&request::<Tuolaji>("points", 4, 4, Format::Pairs)).3;
    let change: Change = |finished| finished.small = finished.small.map(|small| small + 5);
    let text = String::from_utf8(bytes).unwrap();
    finished_is_held_against_the_board::<Tuolaji>(&text, "points", &[("finished_small", change)]);
}

#[test]
fn what_a_board_hands_on_is_what_its_journal_gives() {
    let bytes = played(&request::<Wakeng>("carry", 1, 1, HUMAN_AI)).3;
    let change: Change = |finished| {
        finished.carry.0.insert("stacks".to_owned(), 1.into());
    };
    let text = String::from_utf8(bytes).unwrap();
    finished_is_held_against_the_board::<Wakeng>(&text, "carry", &[("finished_carry", change)]);
}

/// A line of the event's journal by the key of its fact, to be damaged.
pub fn event_of<'a>(parts: &'a mut Parts, fact: &str) -> &'a mut Map<String, Value> {
    parts.events.iter_mut().find(|line| line["fact"].get(fact).is_some()).unwrap()
}

/// Whatever the server chains and signs: each line of the event's journal is computed again.
#[test]
fn a_line_of_the_events_journal_that_does_not_follow_is_named() {
    let text = std::str::from_utf8(small()).unwrap();
    assert_eq!(parts(text).rechained("small"), small(), "chaining again changes nothing by itself");
    let code = |damage: &dyn Fn(&mut Parts)| {
        let mut parts = parts(text);
        damage(&mut parts);
        let wrong = refused(&parts.rechained("small"));
        assert_eq!(wrong.place.section, Some(Section::Event), "{}", wrong.sentence(Lang::En));
        wrong.code
    };
    let seed = |parts: &mut Parts| event_of(parts, "draw")["fact"]["draw"]["seed"] = "11".repeat(32).into();
    assert_eq!(code(&seed), "draw_seed");
    let without = |parts: &mut Parts| event_of(parts, "draw")["fact"]["draw"]["delayed"] = false.into();
    assert_eq!(code(&without), "draw_seed");
    let table = |parts: &mut Parts| event_of(parts, "round")["orders"][0]["sit"]["table"] = 2.into();
    assert_eq!(code(&table), "other_orders");
    let none = |parts: &mut Parts| event_of(parts, "round")["orders"] = serde_json::json!([]);
    assert_eq!(code(&none), "other_orders");
    let seq = |parts: &mut Parts| {
        event_of(parts, "round").insert("seq".to_owned(), 9.into());
    };
    assert_eq!(code(&seq), "event_order");
    let back = |parts: &mut Parts| {
        event_of(parts, "closed").insert("at".to_owned(), 0.into());
    };
    assert_eq!(code(&back), "time_runs_back");
    let wall = |parts: &mut Parts| {
        event_of(parts, "closed").insert("wall".to_owned(), 0.into());
    };
    assert_eq!(code(&wall), "time_runs_back");
    let unknown = |parts: &mut Parts| {
        let body = event_of(parts, "closed")["fact"]["closed"].clone();
        event_of(parts, "closed")["fact"] = serde_json::json!({ "close": body });
    };
    assert_eq!(code(&unknown), "unknown_fact");
    let key = |parts: &mut Parts| event_of(parts, "closed")["fact"]["closed"]["why"] = 1.into();
    assert!(["bad_fields", "not_canonical"].contains(&code(&key)));
    let again = |parts: &mut Parts| {
        let body = event_of(parts, "finished")["fact"].clone();
        event_of(parts, "closed")["fact"] = body;
    };
    assert_eq!(code(&again), "fact_refused");
    let early = |parts: &mut Parts| {
        for line in &mut parts.events {
            line.insert("wall".to_owned(), 1.into());
        }
    };
    assert_eq!(code(&early), "instant_runs_back");
    let body = |parts: &mut Parts, key: &str, value: Value| {
        event_of(parts, "published")["fact"]["published"]["body"][key] = value;
    };
    assert_eq!(code(&|parts| body(parts, "results", "00".repeat(32).into())), "revision_differs");
    assert_eq!(code(&|parts| body(parts, "standings", "00".repeat(32).into())), "revision_differs");
    assert_eq!(code(&|parts| body(parts, "number", 2.into())), "revision_order");
    assert_eq!(code(&|parts| body(parts, "event", "demo-other".into())), "other_event");
    assert_eq!(code(&|parts| body(parts, "at", 1.into())), "revision_differs");
    assert_eq!(code(&|parts| body(parts, "at", i64::MAX.into())), "instant_runs_back");
    let nobody = |parts: &mut Parts| {
        parts.events.pop();
    };
    assert_eq!(code(&nobody), "not_all_published");
    let open = |parts: &mut Parts| parts.events.truncate(3);
    assert_eq!(code(&open), "sitting_open");
}

#[test]
fn the_entries_were_closed_with_the_entrants_of_the_bundle() {
    let text = std::str::from_utf8(small()).unwrap().replace("\"id\":\"e01\"", "\"id\":\"e02\"");
    assert_eq!(refused(&resigned(&text, "small")).code, "other_entrants");
}

#[test]
fn a_checkpoint_that_names_another_head_of_the_events_journal_is_rejected() {
    let other = told_anew("checkpoint", 1, |line| {
        line["body"]["journal"]["hash"] = "00".repeat(32).into();
        signed_by_the_server(line, Purpose::Checkpoint);
    });
    let wrong = refused(&resigned(&other, "small"));
    assert_eq!((wrong.code, wrong.place.section), ("event_head", Some(Section::Checkpoint)));
}

/// Whatever the server signs: nobody played before the cards could be known, or before the board was ordered.
#[test]
fn boards_that_are_opened_too_early_are_rejected() {
    let text = std::str::from_utf8(small()).unwrap();
    let known = parts(text).announcement().not_before();
    let code = |at: i64| {
        let opened = told_anew("journal", 1, |line| {
            line.insert("opened".to_owned(), at.into());
        });
        let wrong = refused(&resigned(&opened, "small"));
        (wrong.code, wrong.place.section.unwrap())
    };
    assert_eq!(code(known - 1), ("opened_too_early", Section::Journal));
    assert_eq!(code(0), ("opened_too_early", Section::Journal));
    assert_eq!(code(known), ("opened_before_order", Section::Journal));
    assert_eq!(code(i64::MAX), ("instant_runs_back", Section::Journal));
}

/// An event of two entrants in which a bell struck the board of the second one.
fn struck(minutes: u32, at: impl Fn(u64) -> u64, keep: bool) -> Result<Report, Box<Wrong>> {
    let bytes = played(&request::<Wakeng>("bell", 2, 1, HUMAN_AI)).3;
    let mut parts = parts(std::str::from_utf8(&bytes).unwrap());
    let begins = parts.boards.iter().position(|line| line.contains("\"sitting\":2}")).unwrap();
    if !keep {
        parts.boards.truncate(begins);
        for checkpoint in &mut parts.checkpoints {
            checkpoint["body"]["heads"].as_array_mut().unwrap().retain(|head| head["sitting"] == 1);
        }
    }
    let started = std::cell::Cell::new(0);
    let bytes = parts.retold::<Wakeng>("bell", |mut line| {
        match &mut line.fact {
            EventFact::Play(Fact::Round(round)) => {
                round.minutes = minutes;
                started.set(line.at);
            }
            EventFact::Play(Fact::Finished(finished)) if finished.sitting == 2 => return Vec::new(),
            EventFact::Play(Fact::Closed(_)) => {
                let bell = Fact::Bell(Bell { stage: 1, round: 1, unplayed: vec![2] });
                let closed = (line.by, line.at.max(at(started.get())), line.fact);
                return vec![(Author::Clock, at(started.get()), bell.into()), closed];
            }
            _ => {}
        }
        same(line)
    });
    check(&bytes)
}

#[test]
fn a_bell_is_held_against_the_time_of_its_round_and_strikes_only_what_was_not_begun() {
    let after = |minutes: u64| move |at: u64| at + minutes * 60_000_000;
    let report = struck(20, after(100), false).unwrap();
    assert_eq!(report.unfinished.len(), 1);
    let one = &report.unfinished[0];
    assert_eq!((one.board.as_str(), one.table, one.by, &one.who), ("s1/1", 2, By::Clock, &None));
    assert_eq!(report.to_json()["unfinished"][0]["by"], "clock");
    assert_eq!(struck(200, after(100), false).unwrap_err().code, "bell_early");
    assert_eq!(struck(0, after(100), false).unwrap_err().code, "bell_without_limit");
    let played = struck(20, after(100), true).unwrap_err();
    assert!(["bell_in_play", "opened_after_bell"].contains(&played.code), "{}", played.code);
}

/// A board from the reserve set is played in place of one that a ruling makes void.
#[test]
fn a_replay_rests_on_its_ruling_and_both_are_lines_of_the_journal() {
    let mut request = request::<Wakeng>("spare", 3, 2, HUMAN_AI);
    request.replay = Some(1);
    let text = String::from_utf8(played(&request).3).unwrap();
    let report = check(text.as_bytes()).unwrap();
    assert_eq!((report.rulings, report.sets), (1, 2));
    let ruling =
        parts(&text).events.iter().find(|line| line["fact"].get("ruling").is_some()).cloned().unwrap();
    assert_eq!(ruling["fact"]["ruling"]["void"]["board"], 1);
    let code = |damage: &dyn Fn(&mut Parts)| {
        let mut parts = parts(&text);
        damage(&mut parts);
        refused(&parts.rechained("spare")).code
    };
    let instant = |parts: &mut Parts| event_of(parts, "ruling")["fact"]["ruling"]["at"] = 1.into();
    assert_eq!(code(&instant), "ruling_instant");
    let board = |parts: &mut Parts| event_of(parts, "replay")["fact"]["replay"]["board"] = 2.into();
    assert_eq!(code(&board), "fact_refused");
    let two = |parts: &mut Parts| {
        event_of(parts, "ruling")["fact"]["ruling"]["withdraw"] = serde_json::json!({ "ruling": 1 });
    };
    assert_eq!(code(&two), "bad_fields");
}

fn robin<G: Levels>(seed: &str, entrants: u32, groups: Groups, format: Format) -> Request<G> {
    Request { round_robin: Some(groups), ..request::<G>(seed, entrants, 1, format) }
}

/// Groups and a final of every game, with odd sizes: everybody has a place, and the bundle proves it.
fn round_robin_is_proved<G: Levels>(entrants: u32, format: Format) {
    let groups = Groups { group_size: 4, deals: 1, quota: 1 };
    let (_folder, _store, played, bytes) = played(&robin::<G>("robin", entrants, groups, format));
    let report = check(&bytes).unwrap_or_else(|wrong| panic!("{entrants}: {}", wrong.sentence(Lang::En)));
    let stages = if entrants > 4 { 2 } else { 1 };
    assert_eq!(report.stages, stages);
    let first: Vec<_> = played.standings.iter().filter(|row| row.stage == 1).collect();
    assert_eq!(first.len(), entrants as usize);
    assert!(first.iter().all(|row| row.group.is_some() && row.rank.is_some()));
    let mut ranks: BTreeMap<_, u32> = BTreeMap::new();
    for row in &played.standings {
        *ranks.entry((row.stage, row.group.clone(), row.rank.clone())).or_default() += 1;
    }
    assert!(ranks.values().all(|count| *count == 1), "lots separate what nothing else does");
    if entrants > 4 {
        let text = String::from_utf8(bytes).unwrap();
        let mut damaged = parts(&text);
        let line = damaged
            .events
            .iter_mut()
            .find(|line| {
                line["orders"].as_array().unwrap().iter().any(|order| order.get("advance").is_some())
            })
            .unwrap();
        for order in line["orders"].as_array_mut().unwrap() {
            if let Some(advance) = order.get_mut("advance") {
                advance["entrants"].as_array_mut().unwrap().reverse();
            }
        }
        assert_eq!(refused(&damaged.rechained("robin")).code, "other_orders");
    }
}

#[test]
fn a_round_robin_of_wakeng_is_proved() {
    for entrants in [3, 5] {
        round_robin_is_proved::<Wakeng>(entrants, Format::Individual);
    }
}

#[test]
fn a_round_robin_of_tuolaji_pairs_is_proved() {
    for entrants in [5, 9] {
        round_robin_is_proved::<Tuolaji>(entrants, Format::Pairs);
    }
}

#[test]
fn a_round_robin_of_holdem_is_proved() {
    round_robin_is_proved::<Holdem>(5, Format::Individual);
}

#[test]
fn two_heads_of_one_journal_in_a_checkpoint_are_rejected() {
    let twice = told_anew("checkpoint", 1, |line| {
        let heads = line["body"]["heads"].as_array_mut().unwrap();
        heads.push(heads[0].clone());
        signed_by_the_server(line, Purpose::Checkpoint);
    });
    let wrong = refused(&resigned(&twice, "small"));
    assert_eq!((wrong.code, wrong.place.section), ("head_twice", Some(Section::Checkpoint)));
}

#[test]
fn names_that_hide_something_are_rejected() {
    let named = |name: &str| {
        resigned(
            &told_anew("entrant", 1, |line| {
                line.insert("name".to_owned(), name.into());
            }),
            "small",
        )
    };
    for name in ["李伟", "A".repeat(203).as_str(), "می\u{200c}خواهم"] {
        check(&named(name)).unwrap();
    }
    let long = "A".repeat(204);
    for name in ["", " ", "A\tB", "A\u{1}", "A\u{202e}B", "\u{2067}A", "\u{200b}", "A ", "\u{3164}", &long] {
        let wrong = refused(&named(name));
        assert_eq!((wrong.code, wrong.place.section), ("bad_entrant", Some(Section::Entrant)), "{name:?}");
    }
}

/// The journals of an event told anew: each action may get another `by` and another time before it is chained.
fn acted(
    seed: &str,
    by: impl Fn(usize, &Entry<fushi::games::wakeng::Action>) -> (Option<By>, Option<u64>),
) -> String {
    let (_folder, store, played, bytes) = played(&request::<Wakeng>(seed, 1, 1, HUMAN_AI));
    let text = String::from_utf8(bytes).unwrap();
    let (announcement, delayed) = played.event.announced(&store).unwrap();
    let master = MasterKey::practice(&format!("fushi-demo/1|{seed}"));
    let dealer = Dealer::new(&played.event, &announcement, &master, &delayed).unwrap();
    let journal = fushi::event::log::replayed(&store, &played.event.id).unwrap();
    let mut board = Board::open(&dealer.dealt(&journal.competition().sittings()[0]).unwrap());
    let mut parts = parts(&text);
    let mut entries = 0;
    for line in &mut parts.boards {
        let mut object: Map<String, Value> = serde_json::from_str(line).unwrap();
        if object.contains_key("do") {
            object.remove("hash");
            let canonical = canonical::to_string(&object).unwrap();
            let Line::Action(mut entry) = scan_line::<Wakeng>(&canonical).unwrap() else { unreachable!() };
            (entry.by, entry.at) = by(entries, &entry);
            entries += 1;
            let hash = hex::encode(board.play(&entry).unwrap());
            *line = entry_line(board.last_bytes(), &hash).unwrap();
        }
    }
    let head = hex::encode(board.chain());
    event_of(&mut parts, "finished")["fact"]["finished"]["head"] = head.as_str().into();
    parts.checkpoints[0]["body"]["heads"][0]["hash"] = head.into();
    String::from_utf8(parts.rechained(seed)).unwrap()
}

/// What a referee plays for a seat is nobody's own doing: without a ruling on the board it is refused, whether the seat
/// is an AI player's or a person's.
#[test]
fn an_action_by_a_referee_needs_a_ruling_that_holds() {
    let whole = |text: &str| verify(&resigned(text, "by")[..], &Options::default());
    whole(&acted("by", |_, entry| (entry.by, entry.at))).unwrap();
    for seat in [0, 1] {
        let first = std::cell::Cell::new(true);
        let text = acted("by", |_, entry| {
            let one = entry.seat == Seat(seat) && first.replace(false);
            first.set(first.get() && entry.seat != Seat(seat));
            (if one { Some(By::Referee) } else { entry.by }, entry.at)
        });
        let wrong = whole(&text).unwrap_err();
        assert_eq!((wrong.code, wrong.place.section), ("referee_without_ruling", Some(Section::Journal)));
        let line = text.lines().position(|line| line.contains("\"by\":\"referee\"")).unwrap() as u64 + 1;
        assert_eq!(wrong.place.lines, Some((line, line)), "seat {seat}");
        assert!(wrong.place.entry.is_some() && wrong.place.table == Some(1));
    }
}

/// The clock acts for nobody whose time is not over.
#[test]
fn a_time_out_before_the_time_is_over_is_rejected() {
    // A demonstration in which the first seat does not show.
    let as_the_clock = |seed: &String| {
        let text = acted(seed, |_, entry| (entry.by, entry.at));
        text.lines().find(|line| line.contains("\"do\"")).is_some_and(|line| line.contains("\"show no\""))
    };
    let seed = (1..20).map(|number| format!("early-{number}")).find(as_the_clock).unwrap();
    let whole = |text: &str| verify(&resigned(text, &seed)[..], &Options::default());
    // The first seat does not show its bombs, as the clock would have it: after `at` µs it may have been the clock.
    let limit = 1000 * u64::from(rulesets::default::<Wakeng>().unwrap().show_s * 1000);
    let tell = |at: u64| {
        acted(&seed, |number, entry| match number {
            0 => (Some(By::Clock), Some(at)),
            _ => (entry.by, entry.at.map(|later| later + limit)),
        })
    };
    for (at, expected) in [(0, false), (limit - 1, false), (limit, true), (limit + 1, true)] {
        let checked = whole(&tell(at));
        match checked {
            Ok(report) => assert!(expected && report.time_outs == 1, "{at}"),
            Err(wrong) => assert!(!expected && wrong.code == "time_out_early", "{at}: {wrong:?}"),
        }
    }
}

/// The rulings that the documentation shows are facts as they stand in the event's journal, and every kind is shown.
#[test]
fn the_documented_rulings_are_read_and_written_as_they_stand() {
    let page = include_str!("../../docs/journal.md");
    let block = page.split("```ruling\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    for (number, line) in (1..).zip(block.lines()) {
        let value: Value = serde_json::from_str(line).unwrap();
        let fact = EventFact::from_value(value.clone()).unwrap_or_else(|fault| panic!("{line}: {fault}"));
        assert_eq!(fact.to_value(), value);
        let EventFact::Play(Fact::Ruling(ruling)) = fact else { panic!("{line}") };
        ruling.check(number).unwrap();
        let keys = value["ruling"].as_object().unwrap().keys();
        kinds.extend(keys.filter(|key| !["at", "by", "number", "reason"].contains(&key.as_str())).cloned());
    }
    let all = ["penalty", "score", "standing", "status", "void", "weighted", "withdraw"];
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), all);
}

#[test]
fn a_bundle_of_the_format_before_is_refused_by_name() {
    let text = std::str::from_utf8(small()).unwrap().replacen("fushi-bundle/3", "fushi-bundle/2", 1);
    let wrong = refused(&resigned(&text, "small"));
    assert_eq!(wrong.code, "unknown_format");
    let sentence = wrong.sentence(Lang::En);
    assert!(sentence.contains("fushi-bundle/2") && sentence.contains("fushi-bundle/3"), "{sentence}");
}

#[test]
fn moves_of_ai_players_that_are_left_out_are_counted() {
    let bytes = small();
    let whole = verify(bytes, &Options::default()).unwrap();
    let part = check(bytes).unwrap();
    assert!(whole.ai_moves > 0 && whole.ai_moves_skipped == 0);
    assert_eq!((part.ai_moves, part.ai_moves_skipped), (0, whole.ai_moves));
    assert_eq!(part.to_json()["ai_moves_skipped"], whole.ai_moves);
}

/// Whoever holds the server's key can write an event anew so that everything fits together; not so that it has the
/// hashes that were published while it was played.
#[test]
fn an_event_that_was_written_anew_has_no_checkpoint_of_those_that_were_published() {
    let original = resigned(&acted("anew", |_, entry| (entry.by, entry.at)), "anew");
    let report = check(&original).unwrap();
    let kinds: Vec<_> = report.published.iter().map(|line| (line.kind, line.number)).collect();
    assert_eq!(kinds, [(Purpose::Checkpoint, 1), (Purpose::Revision, 1)]);
    for line in &report.published {
        assert_eq!(report.confirm(&line.hash), Ok(*line));
    }
    let anew = resigned(&acted("anew", |_, entry| (entry.by, entry.at.map(|at| at + 1))), "anew");
    let anew = check(&anew).unwrap();
    let wrong = anew.confirm(&report.published[0].hash).unwrap_err();
    assert_eq!(wrong.code, "not_published");
    assert!(wrong.sentence(Lang::En).contains(&hex::encode(report.published[0].hash)));
}
