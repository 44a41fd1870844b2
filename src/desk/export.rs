//! The bundle of a finished event, from the archive.

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::{Map, Value};

use crate::canonical::Hash;
use crate::dealing::{AiReveal, Announcement, DrawReveal, MasterKey, Purpose, ReserveUse, Reveal};
use crate::event::EventError;
use crate::event::archive::Archive;
use crate::event::model::{Event, set_of};
use crate::event::results::{checkpoints, revisions, rulings};
use crate::formats::ruling::Decision;
use crate::formats::tally::Tally;
use crate::games::Game;
use crate::journal::bundle::model::{
    AnnouncementLine, BundleLine, DelayedLine, DrawLine, RulesetLine, RulingLine,
};
use crate::journal::bundle::{BundleWriter, FORMAT, JournalLine, Section};
use crate::journal::sign::Signer;
use crate::words::message;

fn object(text: &str) -> Result<Map<String, Value>, EventError> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err(EventError::Damaged("a stored text is not a JSON object".to_owned())),
    }
}

/// Writes the bundle of an event whose boards are all finished or ended, revealing the keys of every set that was played and
/// the key of the AI players. It is the bundle of the last revision, whose tally `tally` is: rulings that were made since
/// are not in it.
///
/// # Errors
/// The archive, the keys, the output.
pub fn export<G: Game, W: Write>(
    archive: &dyn Archive,
    event: &Event<G>,
    master: &MasterKey,
    signer: &Signer,
    tally: &Tally,
    out: W,
) -> Result<W, EventError> {
    let write = |error: std::io::Error| EventError::Write(error.to_string());
    let mut bundle = BundleWriter::new(out);
    ahead(archive, event, master, &mut bundle)?;
    journals(archive, event, &mut bundle)?;
    for line in checkpoints(archive, &event.id)? {
        bundle.line(Section::Checkpoint, &line).map_err(write)?;
    }
    let mut chain: Hash = [0; 32];
    let published = revisions(archive, &event.id)?;
    let upto = published.last().map_or(0, |last| last.body.rulings as usize);
    for ruling in rulings(archive, &event.id)?.into_iter().take(upto) {
        chain = ruling.chained(&chain);
        bundle.line(Section::Ruling, &RulingLine { ruling, hash: hex::encode(chain) }).map_err(write)?;
    }
    for line in &tally.results {
        bundle.line(Section::Result, line).map_err(write)?;
    }
    for line in &tally.standings {
        bundle.line(Section::Standing, line).map_err(write)?;
    }
    for line in published {
        bundle.line(Section::Revision, &line).map_err(write)?;
    }
    bundle.finish(signer).map_err(write)
}

fn ahead<G: Game, W: Write>(
    archive: &dyn Archive,
    event: &Event<G>,
    master: &MasterKey,
    bundle: &mut BundleWriter<W>,
) -> Result<(), EventError> {
    let write = |error: std::io::Error| EventError::Write(error.to_string());
    let (announcement, delayed) = event.announced(archive)?;
    let first =
        BundleLine { format: FORMAT.to_owned(), event: event.id.clone(), game: G::KIND.name().to_owned() };
    bundle.line(Section::Bundle, &first).map_err(write)?;
    let line =
        AnnouncementLine { body: object(announcement.text())?, hash: hex::encode(announcement.hash()) };
    bundle.line(Section::Announcement, &line).map_err(write)?;
    let value = (!delayed.is_none()).then(|| delayed.as_str().to_owned());
    bundle.line(Section::Delayed, &DelayedLine { value }).map_err(write)?;
    let mut played = BTreeSet::new();
    for number in event.rounds.iter().flat_map(|round| &round.boards) {
        played.insert(set_of(&announcement, *number)?.to_owned());
    }
    for set in announcement.body().sets.iter().filter(|set| played.contains(&set.id)) {
        bundle.line(Section::Set, &Reveal::of(&announcement, master, &set.id)?).map_err(write)?;
    }
    for set in announcement.body().sets.iter().filter(|set| set.purpose == Purpose::Reserve) {
        if played.contains(&set.id) {
            let entry = opened(archive, event, &announcement, &set.id)?;
            bundle.line(Section::Reserve, &entry).map_err(write)?;
        }
    }
    if !announcement.body().ai.levels.is_empty() {
        bundle.line(Section::AiKey, &AiReveal::of(&announcement, master)?).map_err(write)?;
    }
    let Ok(Value::Object(rules)) = serde_json::to_value(event.rules.as_ref()) else {
        return Err(EventError::Damaged("the ruleset cannot be written".to_owned()));
    };
    bundle.line(Section::Ruleset, &RulesetLine { rules }).map_err(write)?;
    bundle.line(Section::Settings, &event.settings).map_err(write)?;
    for entrant in &event.entrants {
        bundle.line(Section::Entrant, entrant).map_err(write)?;
    }
    bundle.line(Section::Draw, &drawn(event, &announcement, master)?).map_err(write)?;
    for round in &event.rounds {
        bundle.line(Section::Round, round).map_err(write)?;
    }
    for start in archive.rounds_started(&event.id)? {
        bundle.line(Section::Start, &start).map_err(write)?;
    }
    Ok(())
}

/// The seat draw with the key of the draws.
fn drawn<G: Game>(
    event: &Event<G>,
    announcement: &Announcement,
    master: &MasterKey,
) -> Result<DrawLine, EventError> {
    let Some(draw) = event.schedule.draw.clone() else {
        return Err(EventError::Damaged("the seats of the event were never drawn".to_owned()));
    };
    let DrawReveal { key, salt } = DrawReveal::of(announcement, master)?;
    let boards_per_round = event.settings.boards_per_round();
    Ok(DrawLine { at: draw.at, boards_per_round, delayed: draw.delayed, key, salt, order: draw.order })
}

/// Why and when a reserve set was opened: the first ruling that made a board void says so.
fn opened<G: Game>(
    archive: &dyn Archive,
    event: &Event<G>,
    announcement: &Announcement,
    set: &str,
) -> Result<ReserveUse, EventError> {
    let rulings = rulings(archive, &event.id)?;
    let void = rulings.iter().find(|ruling| matches!(ruling.decision, Decision::Void { .. }));
    let Some(ruling) = void else {
        return Err(EventError::Said(message!("desk-reserve-used", set)));
    };
    Ok(ReserveUse::new(announcement, set, &ruling.reserve_reason(), ruling.at)?)
}

fn journals<G: Game, W: Write>(
    archive: &dyn Archive,
    event: &Event<G>,
    bundle: &mut BundleWriter<W>,
) -> Result<(), EventError> {
    let write = |error: std::io::Error| EventError::Write(error.to_string());
    let plays = archive.plays(&event.id)?;
    for (sitting, play) in event.sittings().zip(&plays) {
        let mut rows = archive.journal(play.id)?.into_iter();
        let Some(receipt) = rows.next() else {
            return Err(EventError::Damaged(format!("journal {} is empty", play.id.0)));
        };
        let line = JournalLine {
            round: sitting.round,
            table: sitting.table,
            board: sitting.board,
            opened: receipt.at_us,
            seats: event.seats(sitting.who),
            // A damaged one is written as it stands: whoever checks the bundle finds the place.
            receipt: object(&receipt.body)
                .unwrap_or_else(|_| Map::from_iter([("damaged".to_owned(), receipt.body.into())])),
            hash: hex::encode(&receipt.hash),
        };
        bundle.line(Section::Journal, &line).map_err(write)?;
        for row in rows {
            bundle.entry(&row.body, &hex::encode(&row.hash)).map_err(write)?;
        }
    }
    Ok(())
}
