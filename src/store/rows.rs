//! How rows of the database become rows of the desk: column by column, in the order of the table.

use diesel::backend::Backend;
use diesel::deserialize::{self, FromStaticSqlRow, Queryable};

use crate::event::archive::{AnnouncementRow, AuditRow, CheckpointRow, EntrantRow, EventRow};

macro_rules! loaded {
    ($($row:ident { $($field:ident: $type:ty),* })*) => {
        $(impl<DB: Backend, ST> Queryable<ST, DB> for $row
        where
            ($($type,)*): FromStaticSqlRow<ST, DB>,
        {
            type Row = ($($type,)*);

            fn build(($($field,)*): Self::Row) -> deserialize::Result<$row> {
                Ok($row { $($field),* })
            }
        })*
    };
}

impl<DB: Backend, ST> Queryable<ST, DB> for EventRow
where
    (String, String, String, String, i64, bool): FromStaticSqlRow<ST, DB>,
{
    type Row = (String, String, String, String, i64, bool);

    fn build(
        (id, game, settings, state, created_us, one_account): Self::Row,
    ) -> deserialize::Result<EventRow> {
        Ok(EventRow { id, game, settings, state: state.parse()?, created_us, one_account })
    }
}

loaded! {
    AnnouncementRow {
        event_id: String, body: String, hash: Vec<u8>, delayed: Option<String>, published_us: i64
    }
    EntrantRow {
        event_id: String, id: String, position: i64, name: String, level: Option<String>,
        club: Option<String>, region: Option<String>
    }
    CheckpointRow { event_id: String, number: i64, body: String, signature: Vec<u8> }
    AuditRow {
        event_id: Option<String>, at_us: i64, who: String, act: String, reason: String, details: String
    }
}
