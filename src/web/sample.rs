//! Sample events for a first look: AI players at several tables in play from the first second, and a human–AI event
//! whose seats are free.

use actix_web::web;

use super::App;
use crate::canonical::sha256;
use crate::desk::draft::{self, Fields};
use crate::desk::outlook;
use crate::desk::people::{People as _, SeatToken};
use crate::desk::stage::{Staging, stage};
use crate::event::live::Pace;
use crate::event::{Event, EventError};
use crate::games::wakeng::Wakeng;
use crate::games::{Fault, GameKind, rulesets};
use crate::players::Levels;
use crate::with_game;
use crate::words::{Lang, Message, message, say};

/// The event whose seats are free.
const OPEN: &str = "sample-open";
/// Who acts in the audit log.
const WHO: &str = "sample";
/// After how many seconds a computer player decides for a free seat that nobody has taken.
const ABSENT_S: u32 = 60;

/// The sample events and the words of their titles.
const TITLES: [(&str, &str); 4] = [
    ("sample-wakeng", "pages-sample-wakeng"),
    ("sample-tuolaji", "pages-sample-tuolaji"),
    ("sample-holdem", "pages-sample-holdem"),
    (OPEN, "pages-sample-open"),
];

fn title_word(id: &str) -> Option<&'static str> {
    TITLES.iter().find(|(event, _)| *event == id).map(|(_, word)| *word)
}

/// The title under which a sample event is stored and announced.
fn stored_title(id: &str) -> Option<String> {
    title_word(id).map(|word| say(Lang::En, &Message::plain(word)))
}

/// The title of an event for a reader: that of a sample event in the reader's language, every other one as its organizer
/// wrote it.
#[must_use]
pub fn title(id: &str, stored: &str, lang: Lang) -> Option<String> {
    let word = title_word(id).filter(|_| stored_title(id).as_deref() == Some(stored))?;
    Some(say(lang, &Message::plain(word)))
}

/// What was opened.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Tokens of the free seats.
    pub tokens: Vec<String>,
    /// Whether everything at the free seats has been played already, in an earlier run.
    pub over: bool,
}

impl Sample {
    /// What to type next.
    #[must_use]
    pub fn lines(&self, base: &str, lang: Lang) -> String {
        if self.over {
            let over = message!("serve-sample-over", event = OPEN, link = format!("{base}/events/{OPEN}"));
            return format!("{}\n", say(lang, &over));
        }
        let free = message!("serve-sample", event = OPEN, seats = self.tokens.len());
        let mut text = format!("{}\n", say(lang, &free));
        for token in &self.tokens {
            text.push_str(&format!("  fushi play --url {base} --token {token}\n"));
        }
        text.push_str(&format!("{}\n", say(lang, &Message::plain("serve-sample-browser"))));
        for token in &self.tokens {
            text.push_str(&format!("  {base}/play/{OPEN}#token={token}\n"));
        }
        text
    }
}

/// The sample events that are wanted.
#[derive(Clone, Debug, Default)]
pub struct Demo {
    /// The ruleset of the organizer's own, if any.
    pub rules: Option<OwnRules>,
}

/// A ruleset of the organizer's own, by which the sample events of its game are played.
#[derive(Clone, Debug)]
pub struct OwnRules {
    kind: GameKind,
    text: String,
}

impl OwnRules {
    /// Reads the text of a ruleset file, and sees whether the sample events of its game can be played by it.
    ///
    /// # Errors
    /// A file that fits no game; everything that is wrong with the ruleset; an event that it cannot be played in.
    pub fn read(text: String) -> Result<OwnRules, Vec<Fault>> {
        let Some(kind) = rulesets::game_of(&text) else {
            return Err(match rulesets::parse::<Wakeng>(&text) {
                // What is no TOML fits no game, for a reason that can be said.
                Err(faults) if faults.iter().any(|fault| fault.code == "bad_toml") => faults,
                _ => vec![Fault::new("unknown_game", message!("sample-no-game"))],
            });
        };
        let own = OwnRules { kind, text };
        for sample in samples().into_iter().filter(|sample| sample.kind == kind) {
            with_game!(kind, G => sample.faults::<G>(&own)?);
        }
        Ok(own)
    }
}

/// A sample event before it is staged.
struct Planned {
    id: &'static str,
    kind: GameKind,
    fields: Fields,
    persons: u32,
    programs: Vec<&'static str>,
}

impl Planned {
    /// What is wrong with it under a ruleset.
    fn faults<G: Levels>(mut self, own: &OwnRules) -> Result<(), Vec<Fault>> {
        self.fields.ruleset_file = Some(own.text.clone());
        let mut event = draft::blank::<G>(self.id)?;
        draft::apply(&mut event, &self.fields)?;
        let programs = u32::try_from(self.programs.len()).unwrap_or(u32::MAX);
        let count = self.persons.saturating_add(programs);
        outlook::movement(&outlook::request(&event.settings, count, self.id)?).map(|_| ())
    }
}

fn samples() -> [Planned; 4] {
    let rounds = |id: &str, format: &str, boards, boards_per_round| Fields {
        title: stored_title(id),
        format: Some(format.to_owned()),
        boards: Some(boards),
        boards_per_round: Some(boards_per_round),
        pace: Some(Pace::Rounds),
        ai_delay_ms: Some(1200),
        between_s: Some(3),
        auto_rounds: Some(true),
        ..Fields::default()
    };
    let own = Fields {
        title: stored_title(OPEN),
        format: Some("human-ai".to_owned()),
        boards: Some(16),
        boards_per_round: Some(16),
        pace: Some(Pace::Own),
        ai_delay_ms: Some(0),
        absent_s: Some(ABSENT_S),
        ..Fields::default()
    };
    let played = |id: &'static str, kind, format, boards, each, programs| Planned {
        id,
        kind,
        fields: rounds(id, format, boards, each),
        persons: 0,
        programs,
    };
    let nine = ["wakeng-2", "wakeng-1", "wakeng-1"].repeat(3);
    [
        played("sample-wakeng", GameKind::Wakeng, "individual", 27, 3, nine),
        played("sample-tuolaji", GameKind::Tuolaji, "pairs", 14, 2, ["tuolaji-1"; 8].to_vec()),
        played("sample-holdem", GameKind::Holdem, "individual", 24, 6, ["holdem-2", "holdem-1"].repeat(6)),
        Planned { id: OPEN, kind: GameKind::Wakeng, fields: own, persons: 3, programs: Vec::new() },
    ]
}

/// Opens the sample events, or finds those of an earlier start; the free seats keep their tokens.
///
/// # Errors
/// Those of the database; sample events of an earlier start that are played by other rules.
pub async fn open(app: &App, demo: Demo) -> Result<Sample, Message> {
    let state = app.clone();
    let sample = web::block(move || prepare(&state, demo.rules.as_ref())).await.map_err(Message::verbatim)?;
    let mut sample = sample.map_err(|error| error.message())?;
    for (event, hall) in app.halls.all() {
        if event.starts_with("sample-") {
            // A round that has started already is what is wanted.
            let _ = hall.start(1, "sample").await;
        }
    }
    sample.over = app.halls.get(OPEN).is_none_or(|hall| hall.progress().complete());
    Ok(sample)
}

fn prepare(app: &App, rules: Option<&OwnRules>) -> Result<Sample, EventError> {
    for sample in samples() {
        let own = rules.filter(|own| own.kind == sample.kind);
        with_game!(sample.kind, G => one::<G>(app, sample, own)?);
    }
    let mut tokens = Vec::new();
    let event = Event::<Wakeng>::load(app.store.as_ref(), OPEN)?;
    for entrant in event.entrants.iter().filter(|entrant| entrant.level.is_none()) {
        // The same after every start, so that whoever plays can come back.
        let token = app.secret.sample_token(&entrant.id);
        let at = app.clock.now();
        let known = app.store.seat_token(&sha256(token.as_bytes()))?;
        tokens.push(token.clone());
        if known.is_some_and(|seat| !seat.revoked) {
            continue;
        }
        let row = SeatToken::for_program(&token, OPEN, &entrant.id, at);
        app.store.add_seat_tokens(vec![row], event.act(at, WHO, "seat-token", &entrant.id))?;
    }
    Ok(Sample { tokens, over: false })
}

fn fresh() -> Result<[u8; 32], EventError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| EventError::Setting(error.to_string()))?;
    Ok(bytes)
}

fn one<G: Levels>(app: &App, sample: Planned, own: Option<&OwnRules>) -> Result<(), EventError> {
    let Planned { id, mut fields, persons, programs, .. } = sample;
    let archive = app.store.as_ref();
    if app.store.event(id).is_err() {
        fields.ruleset_file = own.map(|own| own.text.clone());
        let staging = Staging { id, fields, persons, programs: &programs, seed: fresh()? };
        stage::<G>(archive, app.halls.logs(), &staging, &app.secret.sealing(), app.clock.now(), WHO)?;
    } else if let Some(own) = own {
        let told = |faults: Vec<Fault>| EventError::all(faults.into_iter().map(|fault| fault.told));
        let wanted = rulesets::parse::<G>(&own.text).map_err(told)?;
        if *Event::<G>::load(archive, id)?.rules != wanted {
            return Err(EventError::Said(message!("sample-other-rules", event = id)));
        }
    }
    app.halls.open(id)?;
    Ok(())
}
