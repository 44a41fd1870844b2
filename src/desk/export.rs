//! The bundle of a finished event, from the archive.

use std::collections::BTreeSet;
use std::io::Write;

use serde_json::{Map, Value};

use crate::dealing::{AiReveal, Announcement, DrawReveal, MasterKey, Reveal};
use crate::event::EventError;
use crate::event::archive::{Archive, EventLineRow, PlayId};
use crate::event::log::{begun, take};
use crate::event::model::Event;
use crate::event::results::checkpoints;
use crate::formats::Competition;
use crate::games::Game;
use crate::journal::bundle::model::{AnnouncementLine, BundleLine, DelayedLine, RulesetLine};
use crate::journal::bundle::{BundleWriter, FORMAT, JournalLine, Section};
use crate::journal::sign::Signer;
use crate::journal::{DeskFact, EventFact, EventJournal};
use crate::words::message;

fn object(text: &str) -> Result<Map<String, Value>, EventError> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        _ => Err(EventError::Damaged("a stored text is not a JSON object".to_owned())),
    }
}

fn failed(error: &std::io::Error) -> EventError {
    EventError::Write(error.to_string())
}

/// Writes the bundle of an event as it was published last, revealing the keys of every set that was played, of the AI players
/// and of the draws. Lines of the event's journal after the last publication are not in it.
///
/// # Errors
/// Nothing is published yet; the archive, the keys, the output.
pub fn export<G: Game, W: Write>(
    archive: &dyn Archive,
    event: &Event<G>,
    master: &MasterKey,
    signer: &Signer,
    out: W,
) -> Result<W, EventError> {
    let (journal, lines) = published(archive, &event.id)?;
    let mut bundle = BundleWriter::new(out);
    preamble(archive, event, master, journal.competition(), &mut bundle)?;
    for line in &lines {
        bundle.event_line(&line.body, &hex::encode(&line.hash)).map_err(|error| failed(&error))?;
    }
    journals(archive, event, journal.competition(), &mut bundle)?;
    let last = journal.seq();
    for line in checkpoints(archive, &event.id)?.into_iter().filter(|line| line.body.journal.seq <= last) {
        bundle.line(Section::Checkpoint, &line).map_err(|error| failed(&error))?;
    }
    if let Some(snapshot) = journal.published() {
        for (section, texts) in
            [(Section::Result, snapshot.results()), (Section::Standing, snapshot.standings())]
        {
            for text in texts {
                let mut line = object(text)?;
                line.shift_remove("section");
                bundle.line(section, &line).map_err(|error| failed(&error))?;
            }
        }
    }
    bundle.finish(signer).map_err(|error| failed(&error))
}

/// The event's journal up to the last publication, and its lines.
fn published(archive: &dyn Archive, event: &str) -> Result<(EventJournal, Vec<EventLineRow>), EventError> {
    let mut journal = begun(archive, event)?;
    let mut lines = archive.event_lines(event, 0)?;
    let mut last = None;
    for (place, row) in lines.iter().enumerate() {
        let line = take(&mut journal, row)?;
        if let EventFact::Desk(DeskFact::Published(_)) = line.fact {
            last = Some((place, journal.clone()));
        }
    }
    let Some((place, journal)) = last else {
        return Err(EventError::Said(message!("desk-not-published")));
    };
    lines.truncate(place + 1);
    Ok((journal, lines))
}

fn preamble<G: Game, W: Write>(
    archive: &dyn Archive,
    event: &Event<G>,
    master: &MasterKey,
    competition: &Competition,
    bundle: &mut BundleWriter<W>,
) -> Result<(), EventError> {
    let write = |error: std::io::Error| failed(&error);
    let (announcement, delayed) = event.announced(archive)?;
    let first =
        BundleLine { format: FORMAT.to_owned(), event: event.id.clone(), game: G::KIND.name().to_owned() };
    bundle.line(Section::Bundle, &first).map_err(write)?;
    let line =
        AnnouncementLine { body: object(announcement.text())?, hash: hex::encode(announcement.hash()) };
    bundle.line(Section::Announcement, &line).map_err(write)?;
    let value = (!delayed.is_none()).then(|| delayed.as_str().to_owned());
    bundle.line(Section::Delayed, &DelayedLine { value }).map_err(write)?;
    for reveal in reveals(&announcement, master, competition)? {
        bundle.line(Section::Set, &reveal).map_err(write)?;
    }
    if !announcement.body().ai.levels.is_empty() {
        bundle.line(Section::AiKey, &AiReveal::of(&announcement, master)?).map_err(write)?;
    }
    bundle.line(Section::DrawKey, &DrawReveal::of(&announcement, master)?).map_err(write)?;
    let Ok(Value::Object(rules)) = serde_json::to_value(event.rules.as_ref()) else {
        return Err(EventError::Damaged("the ruleset cannot be written".to_owned()));
    };
    bundle.line(Section::Ruleset, &RulesetLine { rules }).map_err(write)?;
    bundle.line(Section::Settings, &event.settings).map_err(write)?;
    for entrant in &event.entrants {
        bundle.line(Section::Entrant, entrant).map_err(write)?;
    }
    Ok(())
}

/// The keys of the sets that were played.
fn reveals(
    announcement: &Announcement,
    master: &MasterKey,
    competition: &Competition,
) -> Result<Vec<Reveal>, EventError> {
    let played: BTreeSet<&str> =
        competition.sittings().iter().map(|sitting| sitting.deal.set.as_str()).collect();
    let mut reveals = Vec::new();
    for set in announcement.body().sets.iter().filter(|set| played.contains(set.id.as_str())) {
        reveals.push(Reveal::of(announcement, master, &set.id)?);
    }
    Ok(reveals)
}

/// The journals of the boards, by sitting; one that was never opened has none.
fn journals<G: Game, W: Write>(
    archive: &dyn Archive,
    event: &Event<G>,
    competition: &Competition,
    bundle: &mut BundleWriter<W>,
) -> Result<(), EventError> {
    let number = archive.event_number(&event.id)?;
    for sitting in competition.sittings() {
        let mut rows = archive.journal(PlayId::of(number, sitting.sitting))?.into_iter();
        let Some(receipt) = rows.next() else {
            if competition.unplayed(sitting.sitting) {
                continue;
            }
            return Err(EventError::Damaged(format!("the journal of sitting {} is empty", sitting.sitting)));
        };
        let line = JournalLine {
            sitting: sitting.sitting,
            opened: receipt.at_us,
            // A damaged one is written as it stands: whoever checks the bundle finds the place.
            receipt: object(&receipt.body)
                .unwrap_or_else(|_| Map::from_iter([("damaged".to_owned(), receipt.body.into())])),
            hash: hex::encode(&receipt.hash),
        };
        bundle.line(Section::Journal, &line).map_err(|error| failed(&error))?;
        for row in rows {
            bundle.entry(&row.body, &hex::encode(&row.hash)).map_err(|error| failed(&error))?;
        }
    }
    Ok(())
}
