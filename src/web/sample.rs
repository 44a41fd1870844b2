//! Sample events for a first look: AI players at several tables in play from the first second, and a human–AI event
//! whose seats are free.

use actix_web::web;

use super::App;
use crate::canonical::sha256;
use crate::desk::draft::Fields;
use crate::desk::live::Pace;
use crate::desk::people::{People as _, SeatToken};
use crate::desk::stage::{Staging, stage};
use crate::desk::{DeskError, Event};
use crate::games::holdem::Holdem;
use crate::games::tuolaji::Tuolaji;
use crate::games::wakeng::Wakeng;
use crate::players::Levels;
use crate::words::{Lang, Message, message, say};

/// The event whose seats are free.
const OPEN: &str = "sample-open";
/// Who acts in the audit log.
const WHO: &str = "sample";

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

/// Opens the sample events, or finds those of an earlier start; the free seats keep their tokens.
///
/// # Errors
/// Those of the database.
pub async fn open(app: &App) -> Result<Sample, Message> {
    let state = app.clone();
    let sample = web::block(move || prepare(&state)).await.map_err(Message::verbatim)?;
    let mut sample = sample.map_err(|error| error.message())?;
    for (event, hall) in app.halls.all() {
        if event.starts_with("sample-") {
            // A round that has started already is what is wanted.
            let _ = hall.start(1).await;
        }
    }
    sample.over = app.halls.get(OPEN).is_none_or(|hall| hall.progress().complete());
    Ok(sample)
}

fn prepare(app: &App) -> Result<Sample, DeskError> {
    let rounds = |title: &str, format: &str, boards, boards_per_round| Fields {
        title: Some(title.to_owned()),
        format: Some(format.to_owned()),
        boards: Some(boards),
        boards_per_round: Some(boards_per_round),
        pace: Some(Pace::Rounds),
        ai_delay_ms: Some(1200),
        between_s: Some(3),
        auto_rounds: Some(true),
        ..Fields::default()
    };
    let nine = ["wakeng-2", "wakeng-1", "wakeng-1"].repeat(3);
    one::<Wakeng>(app, "sample-wakeng", rounds("挖坑示范赛 Wakeng sample", "individual", 27, 3), 0, &nine)?;
    let eight = ["tuolaji-1"; 8];
    one::<Tuolaji>(app, "sample-tuolaji", rounds("拖拉机示范赛 Tuolaji sample", "pairs", 14, 2), 0, &eight)?;
    let twelve = ["holdem-2", "holdem-1"].repeat(6);
    one::<Holdem>(
        app,
        "sample-holdem",
        rounds("德州示范赛 Hold'em sample", "individual", 24, 6),
        0,
        &twelve,
    )?;
    let own = Fields {
        title: Some("挖坑人机赛 Wakeng against the computer".to_owned()),
        format: Some("human-ai".to_owned()),
        boards: Some(16),
        boards_per_round: Some(16),
        pace: Some(Pace::Own),
        ai_delay_ms: Some(0),
        ..Fields::default()
    };
    one::<Wakeng>(app, OPEN, own, 3, &[])?;
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

fn fresh() -> Result<[u8; 32], DeskError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| DeskError::Setting(error.to_string()))?;
    Ok(bytes)
}

fn one<G: Levels>(
    app: &App,
    id: &str,
    fields: Fields,
    persons: u32,
    programs: &[&str],
) -> Result<(), DeskError> {
    if app.store.event(id).is_err() {
        let staging = Staging { id, fields, persons, programs, seed: fresh()? };
        stage::<G>(app.store.as_ref(), &staging, &app.secret.sealing(), app.clock.now(), WHO)?;
    }
    app.halls.open(id)?;
    Ok(())
}
