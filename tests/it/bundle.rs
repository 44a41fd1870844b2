//! Bundles: the original is accepted, every mutation is rejected with its place.

use std::sync::{Arc, OnceLock};

use fushi::dealing::{DrawKey, DrawSeed, MasterKey, Secret, draw_seed, from_hex, list_hash};
use fushi::desk::demo::{self, Played, Request};
use fushi::desk::draft::Fields;
use fushi::desk::stage::{Staging, stage};
use fushi::desk::{export, opening};
use fushi::event::archive::{Archive, EntryRow, RoundStart};
use fushi::event::results::{self, collect, publish};
use fushi::event::{Dealer, Event};
use fushi::formats::Format;
use fushi::formats::ruling::{Decision, Ruling};
use fushi::formats::settings::Measure;
use fushi::games::wakeng::Wakeng;
use fushi::games::{Seat, rulesets};
use fushi::journal::bundle::entry_line;
use fushi::journal::bundle::{ResultState, Section};
use fushi::journal::sign::{Purpose, Signer};
use fushi::journal::verify::{Options, Report, Wrong, verify};
use fushi::journal::{Board, By, ControlEntry, ControlKind, Entry, Line, scan_line};
use fushi::players::{self, Levels};
use fushi::scoring::{Amount, Exact, Rules, Score, Standing, Status, Weighted};
use fushi::store::Store;
use fushi::words::Lang;

pub fn request<G: Levels>(seed: &str, entrants: u32, boards: u32, format: Format) -> Request<G> {
    let random = players::find::<G>("random").unwrap();
    Request {
        seed: seed.to_owned(),
        entrants,
        boards,
        format,
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
    let mut out = fushi::journal::bundle::BundleWriter::new(Vec::new());
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

fn rule(number: u32, decision: Decision) -> Ruling {
    Ruling {
        number,
        at: 1_800_000_000_000_000,
        by: "裁判长 Chief referee".to_owned(),
        reason: "explained to both sides".to_owned(),
        decision,
    }
}

/// Ruling after ruling, each published as a revision; the bundle proves them all.
#[test]
fn rulings_become_signed_revisions_with_their_differences_and_the_bundle_proves_them() {
    let (_folder, store, played, _) = played(&request::<Wakeng>("ruled", 6, 4, HUMAN_AI));
    let event = Event::<Wakeng>::load(&store, &played.event.id).unwrap();
    let (announcement, delayed) = event.announced(&store).unwrap();
    let master = MasterKey::practice("fushi-demo/1|ruled");
    let signer = Signer::of_event(&master, &event.id);
    let dealer = Dealer::new(&event, &announcement, &master, &delayed).unwrap();
    let collected = collect(&store, &event, &dealer).unwrap();
    let half: Exact = "1/2".parse().unwrap();
    let id = |number: u32| format!("e0{number}");
    let decisions = [
        Decision::Score { board: 1, entrant: id(1), score: Score::from(100) },
        Decision::Status { board: 2, entrant: id(2), status: Status::AwardPlus },
        Decision::Weighted {
            board: 3,
            entrant: id(3),
            outcomes: vec![
                Weighted { weight: half.clone(), score: Score::from(50) },
                Weighted { weight: half, score: Score::from(-50) },
            ],
        },
        Decision::Penalty { board: 4, entrant: id(4), amount: Amount::OfTop("1/10".parse().unwrap()) },
        Decision::Void { board: 1 },
        Decision::Withdraw { ruling: 5 },
        Decision::Standing { entrant: id(5), standing: Standing::Disqualified },
    ];
    for (number, decision) in (1..).zip(decisions) {
        let ruling = rule(number, decision);
        let (before, after) = results::preview(&store, &event, &collected, &ruling).unwrap();
        results::rule(&store, &event, &collected, &ruling).unwrap();
        assert!(results::rule(&store, &event, &collected, &ruling).is_err(), "another referee was faster");
        let at = ruling.at + 1;
        let line = publish(&store, &event, &collected, &signer, ResultState::Official, at, "chief").unwrap();
        assert_eq!(line.body.number, number + 1);
        let differs = before.results != after.results || before.standings != after.standings;
        assert_eq!(line.body.changes.is_empty(), !differs);
        assert!(differs, "ruling {number} changes something");
    }
    let refuse = |decision| results::rule(&store, &event, &collected, &rule(8, decision)).unwrap_err();
    for bad in [
        Decision::Void { board: 9 },
        Decision::Score { board: 1, entrant: "nobody".to_owned(), score: Score::from(1) },
        Decision::Status { board: 1, entrant: id(1), status: Status::Played },
        Decision::Weighted { board: 1, entrant: id(1), outcomes: Vec::new() },
        Decision::Withdraw { ruling: 5 },
    ] {
        refuse(bad);
    }
    assert_eq!(store.rulings(&event.id).unwrap().len(), 7, "a refused ruling leaves nothing behind");
    let tally = results::rebuild(&store, &event, &collected).unwrap();
    let bytes = export::export(&store, &event, &master, &signer, &tally, Vec::new()).unwrap();
    let report = check(&bytes).unwrap();
    assert_eq!((report.rulings, report.revisions), (7, 8));
    // A ruling that is made and not published is not in the bundle of the last revision, which stays as it was.
    results::rule(&store, &event, &collected, &rule(8, Decision::Void { board: 2 })).unwrap();
    let again = export::export(&store, &event, &master, &signer, &tally, Vec::new()).unwrap();
    assert_eq!(again, bytes);
    // In a bundle a ruling that no revision rests on is found, whoever signs it.
    let text = std::str::from_utf8(&bytes).unwrap();
    let last = text.lines().rfind(|line| line.contains(r#""section":"revision""#)).unwrap();
    let without = text.replace(&format!("{last}\n"), "");
    assert_eq!(refused(&resigned(&without, "ruled")).code, "ruling_not_published");
}

/// A referee's or a server's ruling that cannot stand is found in a bundle as well, though everything is chained and signed.
#[test]
fn a_bundle_with_a_penalty_that_is_a_bonus_or_a_score_for_nobody_is_refused() {
    let (_folder, store, played, _) = played(&request::<Wakeng>("fined", 4, 2, HUMAN_AI));
    let event = Event::<Wakeng>::load(&store, &played.event.id).unwrap();
    let (announcement, delayed) = event.announced(&store).unwrap();
    let master = MasterKey::practice("fushi-demo/1|fined");
    let signer = Signer::of_event(&master, &event.id);
    let dealer = Dealer::new(&event, &announcement, &master, &delayed).unwrap();
    let collected = collect(&store, &event, &dealer).unwrap();
    let fine = |amount| Decision::Penalty { board: 1, entrant: "e01".to_owned(), amount };
    let share = |text: &str| fine(Amount::OfTop(text.parse().unwrap()));
    let points = |text: &str| fine(Amount::Points(text.parse().unwrap()));
    let bad = [
        share("-1/2"),
        share("0"),
        share("100"),
        points("-3"),
        // Four results: no board is worth more than six matchpoints.
        points("7"),
        Decision::Standing { entrant: "e01".to_owned(), standing: Standing::StandIn },
    ];
    for decision in &bad {
        results::rule(&store, &event, &collected, &rule(1, decision.clone())).unwrap_err();
    }
    results::rule(&store, &event, &collected, &rule(1, points("6"))).unwrap();
    let at = rule(1, points("6")).at + 1;
    publish(&store, &event, &collected, &signer, ResultState::Official, at, "chief").unwrap();
    let tally = results::rebuild(&store, &event, &collected).unwrap();
    let bytes = export::export(&store, &event, &master, &signer, &tally, Vec::new()).unwrap();
    check(&bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let line = text.lines().find(|line| line.contains("\"section\":\"ruling\"")).unwrap();
    for decision in bad {
        let ruling = rule(1, decision);
        let hash = hex::encode(ruling.chained(&[0; 32]));
        let forged =
            format!("{{\"hash\":\"{hash}\",\"ruling\":{},\"section\":\"ruling\"}}", ruling.canonical());
        let wrong = refused(&resigned(&text.replace(line, &forged), "fined"));
        assert_eq!(wrong.code, "bad_ruling", "{forged}: {}", wrong.sentence(Lang::En));
    }
}

#[test]
fn results_thrown_away_are_rebuilt_from_journals_and_rulings() {
    let (_folder, store, played, _) = played(&request::<Wakeng>("rebuilt", 4, 3, HUMAN_AI));
    let event = &played.event;
    let before = (store.results(&event.id).unwrap(), store.standings(&event.id).unwrap());
    assert_eq!(before.0.len(), 12);
    store.writer().replace_derived(&event.id, Vec::new(), Vec::new()).unwrap().wait().unwrap();
    assert!(store.results(&event.id).unwrap().is_empty());
    let (announcement, delayed) = event.announced(&store).unwrap();
    let master = MasterKey::practice("fushi-demo/1|rebuilt");
    let dealer = Dealer::new(event, &announcement, &master, &delayed).unwrap();
    let collected = collect(&store, event, &dealer).unwrap();
    results::rebuild(&store, event, &collected).unwrap();
    assert_eq!((store.results(&event.id).unwrap(), store.standings(&event.id).unwrap()), before);
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
fn signed_by_the_server(object: &mut serde_json::Map<String, serde_json::Value>, purpose: Purpose) {
    let signer = Signer::of_event(&MasterKey::practice("fushi-demo/1|small"), "demo-small");
    let text = fushi::canonical::to_string(&object["body"]).unwrap();
    object.insert("signature".to_owned(), hex::encode(signer.sign(purpose, &text)).into());
}

/// Whatever the server signs: nobody played before the cards could be known, and nothing is older than what it follows.
#[test]
fn instants_before_the_delayed_value_or_out_of_order_are_rejected() {
    let text = std::str::from_utf8(small()).unwrap();
    let known: i64 = {
        let line: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
        line["body"]["delayed"]["known_after"].as_i64().unwrap()
    };
    let code = |text: &str| {
        let wrong = refused(&resigned(text, "small"));
        (wrong.code, wrong.place.section.unwrap())
    };
    let opened = |at: i64| {
        told_anew("journal", 1, |line| {
            line.insert("opened".to_owned(), at.into());
        })
    };
    assert_eq!(code(&opened(known - 1)), ("opened_too_early", Section::Journal));
    assert_eq!(code(&opened(0)), ("opened_too_early", Section::Journal));
    check(&resigned(&opened(known), "small")).unwrap();
    // A board that opens after its head was signed.
    assert_eq!(code(&opened(i64::MAX)), ("instant_runs_back", Section::Checkpoint));
    for (section, purpose) in [("checkpoint", Purpose::Checkpoint), ("revision", Purpose::Revision)] {
        for at in [0, known - 1, known] {
            let early = told_anew(section, 1, |line| {
                line["body"]["at"] = at.into();
                signed_by_the_server(line, purpose);
            });
            assert_eq!(code(&early), ("instant_runs_back", Section::named(section).unwrap()), "{at}");
        }
    }
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
    let mut board = Board::open(&dealer.header(1).unwrap());
    let signer = Signer::of_event(&master, &played.event.id);
    let mut out = String::new();
    let mut entries = 0;
    for line in text.lines() {
        let mut object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
        if object.contains_key("do") {
            object.remove("hash");
            let canonical = fushi::canonical::to_string(&object).unwrap();
            let Line::Action(mut entry) = scan_line::<Wakeng>(&canonical).unwrap() else { unreachable!() };
            (entry.by, entry.at) = by(entries, &entry);
            entries += 1;
            let hash = hex::encode(board.play(&entry).unwrap());
            out += &entry_line(board.last_bytes(), &hash).unwrap();
            out.push('\n');
            continue;
        }
        if object.get("section").is_some_and(|section| section == "checkpoint") {
            object["body"]["heads"][0]["hash"] = hex::encode(board.chain()).into();
            let text = fushi::canonical::to_string(&object["body"]).unwrap();
            object
                .insert("signature".to_owned(), hex::encode(signer.sign(Purpose::Checkpoint, &text)).into());
        }
        out += &fushi::canonical::to_string(&object).unwrap();
        out.push('\n');
    }
    out
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

/// The rulings that the documentation shows are rulings, in canonical form, and every kind of decision is shown.
#[test]
fn the_documented_rulings_are_read_and_written_as_they_stand() {
    let page = include_str!("../../docs/journal.md");
    let block = page.split("```ruling\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let mut kinds = std::collections::BTreeSet::new();
    let mut made: Vec<Ruling> = Vec::new();
    for (number, line) in (1..).zip(block.lines()) {
        let ruling: Ruling = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(ruling.canonical(), line);
        ruling.check(number).unwrap();
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        kinds.extend(value["decision"].as_object().unwrap().keys().cloned());
        // A decision that is not shown does not compile here.
        match ruling.decision {
            Decision::Score { .. }
            | Decision::Status { .. }
            | Decision::Weighted { .. }
            | Decision::Penalty { amount: Amount::OfTop(_) | Amount::Points(_), .. }
            | Decision::Void { .. }
            | Decision::Standing { .. }
            | Decision::Withdraw { .. } => {}
        }
        made.push(ruling);
    }
    let all = ["penalty", "score", "standing", "status", "void", "weighted", "withdraw"];
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), all);
    let holding = fushi::formats::ruling::in_force(&made).unwrap();
    assert_eq!(holding.iter().map(|ruling| ruling.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 7]);
}

/// The order of the changes of a revision is the documented one: results by board, position, id, then standings by id.
#[test]
fn the_changes_of_a_revision_come_in_the_documented_order() {
    let (_folder, store, played, _) = played(&request::<Wakeng>("order", 12, 3, HUMAN_AI));
    let event = Event::<Wakeng>::load(&store, &played.event.id).unwrap();
    let (announcement, delayed) = event.announced(&store).unwrap();
    let master = MasterKey::practice("fushi-demo/1|order");
    let signer = Signer::of_event(&master, &event.id);
    let dealer = Dealer::new(&event, &announcement, &master, &delayed).unwrap();
    let collected = collect(&store, &event, &dealer).unwrap();
    for (number, board) in [(1, 2), (2, 1)] {
        results::rule(&store, &event, &collected, &rule(number, Decision::Void { board })).unwrap();
    }
    let at = 1_800_000_000_000_001;
    let line = publish(&store, &event, &collected, &signer, ResultState::Official, at, "chief").unwrap();
    let changes = &line.body.changes;
    let key = |change: &fushi::journal::bundle::Change| {
        let line = change.after.as_ref().or(change.before.as_ref()).unwrap();
        let seat = line["seat"].as_str().unwrap_or_default().to_owned();
        (change.board.is_none(), change.board, seat, change.entrant.clone())
    };
    let keys: Vec<_> = changes.iter().map(key).collect();
    assert!(
        keys.is_sorted() && keys.iter().any(|key| key.0) && keys.iter().filter(|key| !key.0).count() == 24
    );
    for change in changes {
        assert!(change.before.is_some() && change.after.is_some() && change.before != change.after);
    }
    let first: serde_json::Value = store
        .revisions(&event.id)
        .unwrap()
        .first()
        .map(|row| serde_json::from_str(&row.body).unwrap())
        .unwrap();
    assert_eq!(first["changes"], serde_json::json!([]));
}

/// A line of the first section of a name, told anew in a bundle of `text`.
fn retold(
    text: &str,
    section: &str,
    tell: impl Fn(&mut serde_json::Map<String, serde_json::Value>),
) -> String {
    let mark = format!("\"section\":\"{section}\"");
    let line = text.lines().find(|line| line.contains(&mark)).unwrap();
    let mut object: serde_json::Map<_, _> = serde_json::from_str(line).unwrap();
    tell(&mut object);
    text.replacen(line, &fushi::canonical::to_string(&object).unwrap(), 1)
}

/// The organizer cannot choose who sits where: key, list and delayed value give the seed, the seed gives numbers and
/// movement, and the key was announced before anybody had entered.
#[test]
fn a_seat_draw_that_does_not_follow_from_key_value_and_list_is_rejected() {
    let (_folder, _store, played, bytes) = played(&request::<Wakeng>("seats", 6, 3, Format::Individual));
    let text = String::from_utf8(bytes).unwrap();
    let code = |text: &str| {
        let wrong = refused(&resigned(text, "seats"));
        (wrong.code, wrong.place.section)
    };
    check(text.as_bytes()).unwrap();
    let line: serde_json::Value =
        serde_json::from_str(text.lines().find(|line| line.contains("\"section\":\"draw\"")).unwrap())
            .unwrap();
    assert_eq!(line["order"], serde_json::json!(["e01", "e02", "e03", "e04", "e05", "e06"]));
    let value = played.announcement.delayed_value(Some(&played.delayed)).unwrap();
    let seed = draw_seed(
        &DrawKey::from_hex(line["key"].as_str().unwrap()).unwrap(),
        &DrawSeed {
            announcement_hash: played.announcement.hash(),
            delayed: &value,
            purpose: "seats",
            number: 1,
            list: &list_hash(&["e01", "e02", "e03", "e04", "e05", "e06"]),
        },
    );
    assert_eq!(played.event.schedule.draw.as_ref().unwrap().seed, hex::encode(seed));
    let draw = Some(Section::Draw);
    let other_list = retold(&text, "draw", |line| line["order"].as_array_mut().unwrap().swap(0, 1));
    assert_eq!(code(&other_list), ("other_draw", draw));
    let late_entry = retold(&text, "draw", |line| line["order"].as_array_mut().unwrap().push("e07".into()));
    assert_eq!(code(&late_entry), ("other_draw", draw));
    let without = retold(&text, "draw", |line| {
        line.insert("delayed".to_owned(), false.into());
    });
    assert_eq!(code(&without), ("other_movement", Some(Section::Round)), "another seed, another movement");
    let other_key = retold(&text, "draw", |line| {
        line.insert("key".to_owned(), "00".repeat(32).into());
    });
    assert_eq!(code(&other_key), ("wrong_draw_key", draw));
    let early = retold(&text, "draw", |line| {
        line.insert("at".to_owned(), 1.into());
    });
    assert_eq!(code(&early), ("instant_runs_back", draw));
    // Two entrants exchange their places in the movement.
    let round = retold(&text, "round", |line| {
        for table in line["tables"].as_array_mut().unwrap() {
            for who in table["sittings"]
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .flat_map(|one| one.as_array_mut().unwrap())
            {
                *who = match who.as_u64() {
                    Some(1) => 2.into(),
                    Some(2) => 1.into(),
                    _ => who.clone(),
                };
            }
        }
    });
    assert_eq!(code(&round), ("other_movement", Some(Section::Round)));
}

#[test]
fn a_bundle_of_the_format_before_is_refused_by_name() {
    let text = std::str::from_utf8(small()).unwrap().replacen("fushi-bundle/2", "fushi-bundle/1", 1);
    let wrong = refused(&resigned(&text, "small"));
    assert_eq!(wrong.code, "unknown_format");
    let sentence = wrong.sentence(Lang::En);
    assert!(sentence.contains("fushi-bundle/1") && sentence.contains("fushi-bundle/2"), "{sentence}");
}

/// A reserve set is not opened for a reason made up afterwards.
#[test]
fn reason_and_instant_of_a_reserve_set_are_those_of_its_ruling() {
    let mut request = request::<Wakeng>("spare", 3, 2, HUMAN_AI);
    request.replay = Some(1);
    let text = String::from_utf8(played(&request).3).unwrap();
    check(text.as_bytes()).unwrap();
    let code = |text: &str| {
        let wrong = refused(&resigned(text, "spare"));
        (wrong.code, wrong.place.section)
    };
    let expected = ("reserve_without_ruling", Some(Section::Reserve));
    let reason = retold(&text, "reserve", |line| {
        line.insert("reason".to_owned(), "somebody wished it".into());
    });
    assert_eq!(code(&reason), expected);
    let later = retold(&text, "reserve", |line| {
        line.insert("at".to_owned(), (line["at"].as_i64().unwrap() + 1).into());
    });
    assert_eq!(code(&later), expected);
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

/// An event of one program and one board that `by` ended before anything was played; when its round started, and when the
/// board was opened, µs after the announcement.
fn cut_off(by: By, start: Option<(i64, u32)>, opened: i64) -> Result<Report, Box<Wrong>> {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!("sqlite:{}", folder.path().join("db").display())).unwrap();
    let secret = Secret::key_file(&[7; 32]).unwrap();
    let fields = Fields { title: Some("Cut".to_owned()), boards: Some(1), ..Fields::default() };
    let staging = Staging { id: "cut", fields, persons: 0, programs: &["random"], seed: [1; 32] };
    let at = 1_800_000_000_000_000;
    let event = stage::<Wakeng>(&store, &staging, &secret, at, "test").unwrap();
    let master = opening::master(&store, "cut", &secret, "test", at, "test").unwrap();
    let (announcement, delayed) = event.announced(&store).unwrap();
    let dealer = Dealer::new(&event, &announcement, &master, &delayed).unwrap();
    if let Some((started, minutes)) = start {
        Archive::start_round(&store, "cut", RoundStart { round: 1, at: at + started, minutes }).unwrap();
    }
    let header = dealer.header(1).unwrap();
    let mut board = Board::open(&header);
    let play = Archive::plays(&store, "cut").unwrap()[0].id;
    let receipt = EntryRow::new(play, 0, at + opened, header.receipt(), *board.chain());
    let who = (by == By::Referee).then(|| "r1".to_owned());
    let hash =
        board.note(&ControlEntry { at: Some(0), who, ..ControlEntry::new(ControlKind::End, by) }).unwrap();
    store.append(vec![receipt, EntryRow::new(play, 1, 0, board.last_bytes().to_owned(), hash)]).unwrap();
    let signer = Signer::of_event(&master, "cut");
    let collected = collect(&store, &event, &dealer).unwrap();
    let sign = || results::sign_boards(&store, "cut", &signer, at + opened, &collected.heads).unwrap();
    assert_eq!((sign(), sign()), (1, 0), "a board is signed once");
    publish(&store, &event, &collected, &signer, ResultState::Official, at + opened, "test").unwrap();
    let tally =
        fushi::formats::tally::tally(&event.settings, &event.entrants, collected.played, &[]).unwrap();
    let bytes = export::export(&store, &event, &master, &signer, &tally, Vec::new()).unwrap();
    check(&bytes)
}

/// A board without a play is not one that agrees with everything: who ended it is said, and the clock ends none before
/// the time of its round is over.
#[test]
fn a_board_ended_by_the_clock_is_told_and_held_against_the_time_of_its_round() {
    let minutes = |count: i64| count * 60_000_000;
    let report = cut_off(By::Clock, Some((0, 20)), minutes(20)).unwrap();
    assert_eq!((report.time_outs, report.unfinished.len()), (0, 1));
    let one = &report.unfinished[0];
    assert_eq!((one.board.as_str(), one.table, one.by, &one.who), ("s1/1", 1, By::Clock, &None));
    assert_eq!(report.to_json()["unfinished"][0]["by"], "clock");
    let early = cut_off(By::Clock, Some((1, 20)), minutes(20)).unwrap_err();
    assert_eq!((early.code, early.place.entry), ("end_early", Some(1)));
    let code = |start, opened| cut_off(By::Clock, start, opened).unwrap_err().code;
    assert_eq!(code(Some((0, 0)), minutes(500)), "end_without_limit");
    assert_eq!(code(None, minutes(500)), "end_without_limit");
    let report = cut_off(By::Referee, None, 0).unwrap();
    assert_eq!(report.unfinished[0].who.as_deref(), Some("r1"));
}
