//! The store as the desk's archive: every write waits until it is durable.

use super::{Pending, Store, StoreError};
use crate::canonical::Hash;
use crate::event::archive::{
    AnnouncementRow, Archive, ArchiveError, AuditRow, CheckpointRow, EntrantRow, EntryRow, EventLineRow,
    EventRow, Kept, NewEvent, PlayId, PlayRow,
};
use crate::journal::ControlKind;

impl From<StoreError> for ArchiveError {
    fn from(error: StoreError) -> ArchiveError {
        match error {
            StoreError::Exists(what) => ArchiveError::Exists(what),
            StoreError::Missing(what) => ArchiveError::Missing(what),
            StoreError::Changed(what) => ArchiveError::Changed(what),
            other => ArchiveError::Failed(other.to_string()),
        }
    }
}

fn durable<T>(pending: Result<Pending<T>, StoreError>) -> Kept<T> {
    pending.and_then(Pending::wait).map_err(ArchiveError::from)
}

impl Archive for Store {
    fn create_event(&self, new: NewEvent, audit: AuditRow) -> Kept<()> {
        durable(self.writer().create_event(new, audit))
    }

    fn announce(&self, row: AnnouncementRow, audit: AuditRow) -> Kept<()> {
        durable(self.writer().announce(row, audit))
    }

    fn set_delayed(&self, event: &str, value: String, audit: AuditRow) -> Kept<()> {
        durable(self.writer().set_delayed(event, value, audit))
    }

    fn change_settings(&self, before: EventRow, after: String, audit: AuditRow) -> Kept<()> {
        durable(self.writer().change_settings(before, after, audit))
    }

    fn join_offices(&self, event: &str, one_account: bool, audit: AuditRow) -> Kept<()> {
        durable(self.writer().join_offices(event, one_account, audit))
    }

    fn add_entrants(&self, event: &str, rows: Vec<EntrantRow>, audit: AuditRow) -> Kept<()> {
        durable(self.writer().add_entrants(event, rows, audit))
    }

    fn correct_entrant(&self, before: EntrantRow, after: EntrantRow, audit: AuditRow) -> Kept<()> {
        durable(self.writer().correct_entrant(before, after, audit))
    }

    fn remove_entrant(&self, event: &str, id: &str, audit: AuditRow) -> Kept<()> {
        durable(self.writer().remove_entrant(event, id, audit))
    }

    fn append(&self, entries: Vec<EntryRow>) -> Kept<()> {
        durable(self.writer().append(entries))
    }

    fn keep_event_clock(&self, event: &str, at_us: u64) -> Kept<()> {
        durable(self.writer().keep_event_clock(event, at_us))
    }

    fn erase_words(&self, hash: &Hash, audit: AuditRow) -> Kept<()> {
        durable(self.writer().erase_words(hash, audit))
    }

    fn add_checkpoint(&self, row: CheckpointRow) -> Kept<()> {
        durable(self.writer().add_checkpoint(row))
    }

    fn audit(&self, row: AuditRow) -> Kept<()> {
        durable(self.writer().audit(row))
    }

    fn event(&self, id: &str) -> Kept<EventRow> {
        Ok(self.event(id)?)
    }

    fn event_number(&self, event: &str) -> Kept<u32> {
        Ok(self.event_number(event)?)
    }

    fn event_lines(&self, event: &str, after: u64) -> Kept<Vec<EventLineRow>> {
        Ok(self.event_lines(event, after)?)
    }

    fn event_length(&self, event: &str) -> Kept<u64> {
        Ok(self.event_length(event)?)
    }

    fn begun_plays(&self, event: &str) -> Kept<Vec<PlayId>> {
        Ok(self.journal_sizes(event)?.into_iter().map(|(play, _)| PlayId(play)).collect())
    }

    fn control_lines(&self, event: &str, kind: ControlKind) -> Kept<Vec<EntryRow>> {
        Ok(self.notes(event, kind)?)
    }

    fn event_clock(&self, event: &str) -> Kept<u64> {
        Ok(self.event_clock(event)?)
    }

    fn words(&self, hash: &Hash) -> Kept<Option<String>> {
        Ok(self.words(hash)?)
    }

    fn announcement(&self, event: &str) -> Kept<Option<AnnouncementRow>> {
        Ok(self.announcement(event)?)
    }

    fn sealed_key(&self, event: &str, name: &str) -> Kept<Vec<u8>> {
        Ok(self.sealed_key(event, name)?)
    }

    fn entrants(&self, event: &str) -> Kept<Vec<EntrantRow>> {
        Ok(self.entrants(event)?)
    }

    fn plays(&self, event: &str) -> Kept<Vec<PlayRow>> {
        Ok(self.plays(event)?)
    }

    fn journal(&self, play: PlayId) -> Kept<Vec<EntryRow>> {
        Ok(self.journal(play)?)
    }

    fn checkpoints(&self, event: &str) -> Kept<Vec<CheckpointRow>> {
        Ok(self.checkpoints(event)?)
    }
}
