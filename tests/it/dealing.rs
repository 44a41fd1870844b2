//! The dealing room from outside: announcement, commitments, reveal, reserves.

use fushi::cards::Pack;
use fushi::dealing::{
    AiLevel, AiReveal, Announcement, Delayed, DelayedForm, DelayedSpec, DelayedValue, Draft, MasterKey,
    Purpose, ReserveUse, Reveal, RulesetLine, SetLine, deal_order, fresh_master, fresh_seal, merkle, to_hex,
};
use proptest::prelude::*;

/// The public key of the first test case of RFC 8032.
const SERVER_KEY: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

fn set(id: &str, first: u32, last: u32, purpose: Purpose) -> SetLine {
    SetLine { id: id.to_owned(), first, last, purpose }
}

fn draft() -> Draft {
    Draft {
        event: "spring-open".to_owned(),
        game: "wakeng".to_owned(),
        ruleset: RulesetLine { name: "wakeng-bomb".to_owned(), hash: [0x11; 32] },
        settings: None,
        sets: vec![
            set("R1", 1, 16, Purpose::Original),
            set("R2", 17, 32, Purpose::Original),
            set("spare", 1, 32, Purpose::Reserve),
        ],
        delayed: Delayed::Value(DelayedSpec {
            description: "上证指数 close of 2030-05-06, two decimals".to_owned(),
            form: DelayedForm::Digits,
            length: 6,
            known_after: 1_904_000_000_000_000,
        }),
        draws: false,
        ai_levels: vec![AiLevel { name: "rules".to_owned(), hash: [0x22; 32] }],
        published_at: 1_903_000_000_000_000,
        server_key: fushi::dealing::from_hex("the server key", SERVER_KEY).unwrap(),
    }
}

fn master() -> MasterKey {
    MasterKey::from_bytes([0x42; 32])
}

fn announced() -> Announcement {
    draft().announce(&master()).unwrap()
}

fn refused(change: impl FnOnce(&mut Draft)) {
    let mut draft = draft();
    change(&mut draft);
    let error = draft.announce(&master()).unwrap_err();
    assert_eq!(error.code(), "bad_announcement");
    assert!(!error.to_string().contains('\n') && !error.to_string().starts_with("dealing-"), "{error}");
}

#[test]
fn scheme_1_everything_is_under_the_announcement_hash() {
    let before = *announced().hash();
    let changes: [fn(&mut Draft); 15] = [
        |d| d.event.push('x'),
        |d| d.game = "holdem".to_owned(),
        |d| d.ruleset.name.push('x'),
        |d| d.ruleset.hash[31] ^= 1,
        |d| d.sets[0].id = "R0".to_owned(),
        |d| d.sets[0].last = 15,
        |d| d.sets[1].purpose = Purpose::Reserve,
        |d| d.sets.swap(0, 1),
        |d| d.delayed = Delayed::None,
        |d| {
            if let Delayed::Value(spec) = &mut d.delayed {
                spec.description.push('.');
            }
        },
        |d| {
            if let Delayed::Value(spec) = &mut d.delayed {
                spec.known_after += 1;
            }
        },
        |d| d.ai_levels[0].name.push('x'),
        |d| d.ai_levels[0].hash[0] ^= 1,
        |d| d.published_at -= 1,
        |d| d.server_key = ed25519_dalek::SigningKey::from_bytes(&[1; 32]).verifying_key().to_bytes(),
    ];
    let mut hashes = vec![before, *draft().announce(&MasterKey::from_bytes([0x43; 32])).unwrap().hash()];
    for change in changes {
        let mut draft = draft();
        change(&mut draft);
        hashes.push(*draft.announce(&master()).unwrap().hash());
    }
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
}

#[test]
fn scheme_1_the_text_is_canonical_and_layout_never_changes_the_hash() {
    let announcement = announced();
    let text = announcement.text();
    assert!(text.starts_with(r#"{"ai":{"key_commitment":""#), "{text}");
    assert_eq!(Announcement::parse_canonical(text).unwrap(), announcement);
    let pretty = serde_json::to_string_pretty(announcement.body()).unwrap().replace('\n', "\r\n");
    assert_eq!(Announcement::parse(&format!("\u{feff}{pretty}\r\n")).unwrap().hash(), announcement.hash());
    assert_eq!(Announcement::parse_canonical(&pretty).unwrap_err().code(), "not_canonical");
    assert_eq!(Announcement::parse_canonical(&format!("{text}\n")).unwrap_err().code(), "not_canonical");
}

#[test]
fn scheme_1_without_a_delayed_value_the_text_says_none() {
    let mut draft = draft();
    draft.delayed = Delayed::None;
    let announcement = draft.announce(&master()).unwrap();
    assert!(announcement.text().contains(r#""delayed":"none""#));
    assert_eq!(Announcement::parse(announcement.text()).unwrap(), announcement);
    assert_eq!(announcement.delayed_value(None).unwrap(), DelayedValue::none());
    assert_eq!(announcement.delayed_value(Some("1")).unwrap_err().code(), "delayed_unannounced");
}

#[test]
fn scheme_1_announcements_that_cannot_stand_are_refused() {
    refused(|d| d.sets.clear());
    refused(|d| d.sets[1].id = "R1".to_owned());
    refused(|d| d.sets[0].first = 0);
    refused(|d| d.sets[0].first = 17);
    for id in ["", " ", "R 1", "R/1", "一", "R1\n", &"x".repeat(65)] {
        refused(|d| d.sets[0].id = id.to_owned());
        refused(|d| d.event = id.to_owned());
        refused(|d| d.game = id.to_owned());
    }
    for name in ["", " x", "x\ny", &"x".repeat(201)] {
        refused(|d| d.ruleset.name = name.to_owned());
        refused(|d| d.ai_levels[0].name = name.to_owned());
    }
    refused(|d| d.ai_levels.push(d.ai_levels[0].clone()));
    refused(|d| d.published_at = 0);
    refused(|d| d.published_at = 1_904_000_000_000_000);
    refused(|d| d.server_key = [0; 32]);
    // No point of the curve has this y.
    refused(|d| d.server_key = [2; 32]);
    refused(|d| {
        if let Delayed::Value(spec) = &mut d.delayed {
            spec.length = 1025;
        }
    });
}

#[test]
fn scheme_1_malformed_texts_are_refused_in_one_line() {
    let text = announced().text().to_owned();
    let mut bad = vec![
        String::new(),
        "{}".to_owned(),
        "[]".to_owned(),
        "null".to_owned(),
        text.replace("\"game\"", "\"gmae\""),
        text.replace("fushi-deal/1", "fushi-deal/2"),
        text.replace("\"first\":17", "\"first\":1.5"),
        text.replace("\"first\":17", "\"first\":-17"),
        text.replace("\"original\"", "\"Original\""),
        text.replace("\"digits\"", "\"number\""),
        text.replace(SERVER_KEY, &SERVER_KEY.to_uppercase()),
        text.replace(SERVER_KEY, &SERVER_KEY[1..]),
        text.replace("\"event\":", "\"event\":\"a\",\"event\":"),
        format!("{text}{text}"),
    ];
    bad.extend((0..text.len()).filter(|at| text.is_char_boundary(*at)).map(|at| text[..at].to_owned()));
    for text in bad {
        let error = Announcement::parse(&text).unwrap_err();
        assert_eq!(error.code(), "bad_announcement", "{text}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}

#[test]
fn scheme_2_every_set_is_revealed_with_a_proof_and_exposes_no_other() {
    let announcement = announced();
    announcement.verify_master(&master()).unwrap();
    let reveals: Vec<Reveal> =
        ["R1", "R2", "spare"].map(|id| Reveal::of(&announcement, &master(), id).unwrap()).into();
    for reveal in &reveals {
        assert_eq!(reveal.verify(&announcement).unwrap(), master().set_key(&reveal.set));
        let text = serde_json::to_string(reveal).unwrap();
        assert_eq!(serde_json::from_str::<Reveal>(&text).unwrap(), *reveal);
        for other in reveals.iter().filter(|other| other.set != reveal.set) {
            assert!(!text.contains(&other.key) && !text.contains(&other.salt));
            let stolen = Reveal { set: other.set.clone(), ..reveal.clone() };
            assert_eq!(stolen.verify(&announcement).unwrap_err().code(), "wrong_key");
        }
    }
    assert_eq!(Reveal::of(&announcement, &master(), "R3").unwrap_err().code(), "unknown_set");
}

#[test]
fn scheme_2_another_master_key_is_not_the_announced_one() {
    let other = MasterKey::from_bytes([0x43; 32]);
    let announcement = announced();
    assert_eq!(announcement.verify_master(&other).unwrap_err().code(), "wrong_master");
    assert_eq!(Reveal::of(&announcement, &other, "R1").unwrap_err().code(), "wrong_key");
    assert_eq!(AiReveal::of(&announcement, &other).unwrap_err().code(), "wrong_ai_key");
}

#[test]
fn scheme_2_the_ai_key_is_committed_to() {
    let announcement = announced();
    let reveal = AiReveal::of(&announcement, &master()).unwrap();
    assert_eq!(reveal.verify(&announcement).unwrap(), master().ai_key("spring-open"));
    let mut swapped = reveal.clone();
    std::mem::swap(&mut swapped.key, &mut swapped.salt);
    assert_eq!(swapped.verify(&announcement).unwrap_err().code(), "wrong_ai_key");
}

#[test]
fn scheme_2_a_commitment_is_never_an_input_of_a_deal() {
    // A reveal of R1 publishes the leaf of R2 as its partner. Dealing R2 with anything published gives other cards.
    let announcement = announced();
    let value = announcement.delayed_value(Some("3412.57")).unwrap();
    let reveal = Reveal::of(&announcement, &master(), "R1").unwrap();
    let real = announcement.dealer(Pack::FiftyTwo, &master(), &value, "R2").unwrap().order(17);
    let leaf = merkle::leaf("R2", &master().set_salt("R2"), &master().set_key("R2"));
    assert_eq!(reveal.proof[0], leaf);
    for public in [leaf, announcement.body().root, *announcement.hash(), reveal.proof[1]] {
        let guess = fushi::dealing::SetKey::from_bytes(public);
        assert_ne!(deal_order(Pack::FiftyTwo, &guess, announcement.hash(), &value, "R2", 17), real);
    }
}

#[test]
fn scheme_3_the_revealed_key_deals_what_the_master_key_dealt() {
    let announcement = announced();
    let value = announcement.delayed_value(Some("3,412.57")).unwrap();
    for pack in [Pack::FiftyTwo, Pack::TwoWithJokers] {
        let server = announcement.dealer(pack, &master(), &value, "R1").unwrap();
        let reveal = Reveal::of(&announcement, &master(), "R1").unwrap();
        let checker = announcement.revealed_dealer(pack, &reveal, &value).unwrap();
        for board in 1..=16 {
            assert_eq!(server.order(board), checker.order(board));
            let key = reveal.verify(&announcement).unwrap();
            assert_eq!(deal_order(pack, &key, announcement.hash(), &value, "R1", board), server.order(board));
        }
        assert_ne!(server.order(1), server.order(2));
    }
}

#[test]
fn scheme_3_boards_and_values_outside_the_announcement_are_refused() {
    let announcement = announced();
    for (set, board, code) in [
        ("R2", 16, "board_outside_set"),
        ("R2", 33, "board_outside_set"),
        ("R1", 0, "board_outside_set"),
        ("r1", 1, "unknown_set"),
    ] {
        assert_eq!(announcement.verify_board(set, board).unwrap_err().code(), code);
    }
    announcement.verify_board("R2", 17).unwrap();
    announcement.verify_board("R2", 32).unwrap();
    assert_eq!(announcement.delayed_value(None).unwrap_err().code(), "delayed_missing");
    assert_eq!(announcement.delayed_value(Some("3412.5")).unwrap_err().code(), "bad_delayed");
}

#[test]
fn scheme_6_reserve_sets_need_a_logged_reason() {
    let announcement = announced();
    let entry = ReserveUse::new(&announcement, "spare", " table 3 saw board 4 ", 5).unwrap();
    assert_eq!(entry.reason, "table 3 saw board 4");
    let verify = |played: &[&'static str], log: &[ReserveUse]| {
        announcement.verify_reserves(played.iter().copied(), log).map_err(|error| error.code())
    };
    assert_eq!(verify(&["R1", "R2"], &[]), Ok(()));
    assert_eq!(verify(&["R1", "spare"], std::slice::from_ref(&entry)), Ok(()));
    assert_eq!(verify(&["spare"], &[]), Err("no_reason"));
    assert_eq!(verify(&[], &[entry.clone(), entry.clone()]), Err("bad_announcement"));
    assert_eq!(verify(&["R9"], &[]), Err("unknown_set"));
    let blank = ReserveUse { reason: " ".to_owned(), ..entry };
    assert_eq!(verify(&["spare"], &[blank]), Err("no_reason"));
    let new = |set: &str, reason: &str| {
        ReserveUse::new(&announcement, set, reason, 5).map(|_| ()).map_err(|error| error.code())
    };
    assert_eq!(new("R1", "why not"), Err("not_a_reserve"));
    assert_eq!(new("spare", ""), Err("no_reason"));
    assert_eq!(new("spare", "two\nlines"), Err("no_reason"));
    assert_eq!(new("spare", &"x".repeat(501)), Err("no_reason"));
}

#[test]
fn fresh_keys_differ() {
    assert_ne!(fresh_master().unwrap(), fresh_master().unwrap());
    let (a, b) = (fresh_seal().unwrap(), fresh_seal().unwrap());
    assert!(a.salt != b.salt && a.nonce != b.nonce);
}

proptest! {
    #[test]
    fn scheme_2_a_reveal_with_any_bit_flipped_is_refused(which in 0usize..3, bit in 0usize..4096) {
        let announcement = announced();
        let mut reveal = Reveal::of(&announcement, &master(), ["R1", "R2", "spare"][which]).unwrap();
        let flip = |text: &mut String, bit: usize| {
            let mut bytes = fushi::dealing::from_hex("x", text).unwrap();
            bytes[bit / 8] ^= 1 << (bit % 8);
            *text = to_hex(&bytes);
        };
        match bit % ((2 + reveal.proof.len()) * 256) {
            bit if bit < 256 => flip(&mut reveal.key, bit),
            bit if bit < 512 => flip(&mut reveal.salt, bit - 256),
            bit => reveal.proof[bit / 256 - 2][bit % 256 / 8] ^= 1 << (bit % 8),
        }
        let error = reveal.verify(&announcement).unwrap_err();
        prop_assert_eq!(error.code(), "wrong_key");
    }
}
