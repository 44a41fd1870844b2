//! The store as the keeper of people: accounts, sessions, seats, answered requests.

use diesel::prelude::*;

use super::connection::Database;
use super::schema;
use super::write::insert_audit;
use super::{Store, StoreError};
use crate::canonical::{self, Hash, sha256};
use crate::desk::accounts::wait;
use crate::desk::network::Network;
use crate::desk::people::{
    Account, Attempt, Audited, CheckIn, Device, Known, People, SeatCode, SeatKind, SeatToken, Session,
};
use crate::event::archive::{ArchiveError, AuditRow, Kept};

/// How many names that do not exist are remembered; the one that was tried longest ago is forgotten first.
const UNKNOWN_MAX: i64 = 10_000;

type AccountColumns = (String, String, String, String, String, i64, i64, i64, i64);
type SessionColumns = (String, Vec<u8>, String, String, i64, i64, Option<i64>);
type TokenColumns = (Vec<u8>, String, String, i64, String, Option<String>, i64, Option<i64>);
type DeviceColumns = (String, String, String, Vec<u8>, Option<i64>, Option<String>, i64, Option<i64>);

fn hash(bytes: &[u8]) -> Hash {
    // The tables check the length.
    Hash::try_from(bytes).unwrap_or_default()
}

fn account_of(row: AccountColumns) -> Account {
    let (id, name, display, password, grants, created_us, disabled, failures, locked_until_us) = row;
    Account {
        id,
        name,
        display,
        password,
        // Grants that cannot be read are no grants.
        grants: serde_json::from_str(&grants).unwrap_or_default(),
        created_us,
        disabled: disabled != 0,
        failures,
        locked_until_us,
    }
}

fn session_of(row: SessionColumns) -> Session {
    let (id, token_hash, account_id, address, created_us, expires_us, revoked_us) = row;
    Session { id, token_hash: hash(&token_hash), account_id, address, created_us, expires_us, revoked_us }
}

fn token_of((row, position): (TokenColumns, i64)) -> SeatToken {
    let (token_hash, event, entrant, member, kind, device, created_us, revoked_us) = row;
    SeatToken {
        token_hash: hash(&token_hash),
        event,
        entrant,
        number: u32::try_from(position).unwrap_or(0),
        member: u8::from(member != 0),
        kind: SeatKind::of(&kind),
        device,
        created_us,
        revoked: revoked_us.is_some(),
    }
}

fn device_of(row: DeviceColumns) -> Device {
    let (_, id, name, token_hash, table, seat, enrolled_us, revoked_us) = row;
    Device {
        id,
        name,
        token_hash: hash(&token_hash),
        table: table.and_then(|table| u32::try_from(table).ok()),
        seat,
        enrolled_us,
        revoked: revoked_us.is_some(),
    }
}

fn grants_text(account: &Account) -> String {
    // Words and ids always have a canonical form.
    canonical::to_string(&account.grants).unwrap_or_default()
}

fn insert_token(database: &mut Database, token: &SeatToken) -> Result<(), StoreError> {
    use schema::seat_tokens::dsl;
    diesel::insert_into(dsl::seat_tokens)
        .values((
            dsl::token_hash.eq(token.token_hash.to_vec()),
            dsl::event_id.eq(&token.event),
            dsl::entrant.eq(&token.entrant),
            dsl::member.eq(i64::from(token.member)),
            dsl::kind.eq(token.kind.word()),
            dsl::device.eq(&token.device),
            dsl::created_us.eq(token.created_us),
        ))
        .execute(database)
        .map(|_| ())
        .map_err(|error| StoreError::of(error, &|| "token".to_owned()))
}

fn end_tokens(
    database: &mut Database,
    event: &str,
    entrant: &str,
    member: Option<i64>,
    at: i64,
) -> Result<usize, StoreError> {
    use schema::seat_tokens::dsl;
    let (first, last) = member.map_or((0, 1), |member| (member, member));
    Ok(diesel::update(
        dsl::seat_tokens
            .filter(dsl::event_id.eq(event))
            .filter(dsl::entrant.eq(entrant))
            .filter(dsl::member.ge(first))
            .filter(dsl::member.le(last))
            .filter(dsl::revoked_us.is_null()),
    )
    .set(dsl::revoked_us.eq(at))
    .execute(database)?)
}

fn end_codes(
    database: &mut Database,
    event: &str,
    entrant: &str,
    member: Option<i64>,
    at: i64,
) -> Result<usize, StoreError> {
    use schema::seat_codes::dsl;
    let (first, last) = member.map_or((0, 1), |member| (member, member));
    Ok(diesel::update(
        dsl::seat_codes
            .filter(dsl::event_id.eq(event))
            .filter(dsl::entrant.eq(entrant))
            .filter(dsl::member.ge(first))
            .filter(dsl::member.le(last))
            .filter(dsl::used_us.is_null())
            .filter(dsl::revoked_us.is_null()),
    )
    .set(dsl::revoked_us.eq(at))
    .execute(database)?)
}

fn forget_failures(database: &mut Database, id: &str) -> Result<(), StoreError> {
    use schema::accounts::dsl;
    diesel::update(dsl::accounts.find(id))
        .set((dsl::failures.eq(0), dsl::locked_until_us.eq(0)))
        .execute(database)?;
    Ok(())
}

fn end_sessions_of(database: &mut Database, account: &str, at: i64) -> Result<(), StoreError> {
    use schema::sessions::dsl;
    diesel::update(dsl::sessions.filter(dsl::account_id.eq(account)).filter(dsl::revoked_us.is_null()))
        .set(dsl::revoked_us.eq(at))
        .execute(database)?;
    Ok(())
}

/// Counts an attempt with a name that no account has: the same work as for one that has.
fn count_unknown(database: &mut Database, name: &str, now: i64) -> Result<Attempt, StoreError> {
    use schema::unknown_names::dsl;
    let hash = sha256(name.as_bytes()).to_vec();
    let known: Option<(i64, i64)> = dsl::unknown_names
        .find(&hash)
        .select((dsl::failures, dsl::locked_until_us))
        .first(database)
        .optional()?;
    let (failures, locked) = known.unwrap_or_default();
    if locked > now {
        return Ok(Attempt::Locked(locked));
    }
    let failures = failures.saturating_add(1);
    let until = if wait(failures) > 0 { now.saturating_add(wait(failures)) } else { 0 };
    let counted = (dsl::failures.eq(failures), dsl::locked_until_us.eq(until), dsl::last_us.eq(now));
    if known.is_some() {
        diesel::update(dsl::unknown_names.find(&hash)).set(counted).execute(database)?;
        return Ok(Attempt::Counted { account: None, failures });
    }
    let count: i64 = dsl::unknown_names.count().get_result(database)?;
    if count >= UNKNOWN_MAX {
        let oldest: Vec<Vec<u8>> = dsl::unknown_names
            .order((dsl::last_us, dsl::name_hash))
            .limit(count - UNKNOWN_MAX + 1)
            .select(dsl::name_hash)
            .load(database)?;
        diesel::delete(dsl::unknown_names.filter(dsl::name_hash.eq_any(oldest))).execute(database)?;
    }
    diesel::insert_into(dsl::unknown_names).values((dsl::name_hash.eq(&hash), counted)).execute(database)?;
    Ok(Attempt::Counted { account: None, failures })
}

impl Store {
    /// Runs a job of the writer and waits until it is durable.
    fn durably<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Kept<T> {
        self.writer().submit(job).and_then(super::Pending::wait).map_err(ArchiveError::from)
    }
}

impl People for Store {
    fn count_accounts(&self) -> Kept<u64> {
        let count: i64 = self.read(|database| schema::accounts::table.count().get_result(database))?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    fn create_account(&self, account: Account, first: Option<Hash>, audit: AuditRow) -> Kept<()> {
        self.durably(move |database| {
            use schema::accounts::dsl;
            if let Some(setup) = first {
                use schema::server_values::dsl;
                let count: i64 = schema::accounts::table.count().get_result(database)?;
                let gone = diesel::delete(
                    dsl::server_values
                        .filter(dsl::name.eq("setup"))
                        .filter(dsl::value.eq(hex::encode(setup))),
                )
                .execute(database)?;
                if count > 0 || gone == 0 {
                    return Err(StoreError::Missing("setup link".to_owned()));
                }
            }
            diesel::insert_into(dsl::accounts)
                .values((
                    dsl::id.eq(&account.id),
                    dsl::name.eq(&account.name),
                    dsl::display.eq(&account.display),
                    dsl::password.eq(&account.password),
                    dsl::grants.eq(grants_text(&account)),
                    dsl::created_us.eq(account.created_us),
                    dsl::disabled.eq(i64::from(account.disabled)),
                    dsl::failures.eq(0),
                    dsl::locked_until_us.eq(0),
                ))
                .execute(database)
                .map_err(|error| StoreError::of(error, &|| format!("account {}", account.name)))?;
            insert_audit(database, &audit)
        })
    }

    fn change_account(
        &self,
        account: Account,
        end_sessions: bool,
        unlock: bool,
        audit: Option<AuditRow>,
    ) -> Kept<()> {
        self.durably(move |database| {
            use schema::accounts::dsl;
            let changed = diesel::update(dsl::accounts.find(&account.id))
                .set((
                    dsl::display.eq(&account.display),
                    dsl::password.eq(&account.password),
                    dsl::grants.eq(grants_text(&account)),
                    dsl::disabled.eq(i64::from(account.disabled)),
                ))
                .execute(database)?;
            if changed == 0 {
                return Err(StoreError::Missing(format!("account {}", account.id)));
            }
            if unlock {
                forget_failures(database, &account.id)?;
            }
            if end_sessions {
                end_sessions_of(database, &account.id, audit.as_ref().map_or(0, |row| row.at_us))?;
            }
            audit.iter().try_for_each(|row| insert_audit(database, row))
        })
    }

    fn change_password(&self, id: &str, before: &str, after: String, audit: AuditRow) -> Kept<bool> {
        let (id, before) = (id.to_owned(), before.to_owned());
        self.durably(move |database| {
            use schema::accounts::dsl;
            let same = dsl::accounts
                .filter(dsl::id.eq(&id))
                .filter(dsl::password.eq(&before))
                .filter(dsl::disabled.eq(0));
            if diesel::update(same).set(dsl::password.eq(&after)).execute(database)? == 0 {
                return Ok(false);
            }
            forget_failures(database, &id)?;
            end_sessions_of(database, &id, audit.at_us)?;
            insert_audit(database, &audit)?;
            Ok(true)
        })
    }

    fn account(&self, id: &str) -> Kept<Option<Account>> {
        let row: Option<AccountColumns> =
            self.read(|database| schema::accounts::table.find(id).first(database).optional())?;
        Ok(row.map(account_of))
    }

    fn account_named(&self, name: &str) -> Kept<Option<Account>> {
        use schema::accounts::dsl;
        let row: Option<AccountColumns> =
            self.read(|database| dsl::accounts.filter(dsl::name.eq(name)).first(database).optional())?;
        Ok(row.map(account_of))
    }

    fn accounts(&self) -> Kept<Vec<Account>> {
        let rows: Vec<AccountColumns> = self.read(|database| schema::accounts::table.load(database))?;
        let mut accounts: Vec<Account> = rows.into_iter().map(account_of).collect();
        accounts.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(accounts)
    }

    fn count_attempt(&self, name: &str, now: i64) -> Kept<Attempt> {
        let name = name.to_owned();
        self.durably(move |database| {
            use schema::accounts::dsl;
            let account: Option<AccountColumns> =
                dsl::accounts.filter(dsl::name.eq(&name)).first(database).optional()?;
            let Some(account) = account.map(account_of) else {
                return count_unknown(database, &name, now);
            };
            if account.locked_until_us > now {
                return Ok(Attempt::Locked(account.locked_until_us));
            }
            let failures = account.failures.saturating_add(1);
            let until = if wait(failures) > 0 { now.saturating_add(wait(failures)) } else { 0 };
            diesel::update(dsl::accounts.find(&account.id))
                .set((dsl::failures.eq(failures), dsl::locked_until_us.eq(until)))
                .execute(database)?;
            Ok(Attempt::Counted { account: Some(account), failures })
        })
    }

    fn begin_session(&self, session: Session, password: &str, audit: AuditRow) -> Kept<bool> {
        let password = password.to_owned();
        self.durably(move |database| {
            use schema::accounts::dsl as a;
            use schema::sessions::dsl;
            let same = a::accounts
                .filter(a::id.eq(&session.account_id))
                .filter(a::password.eq(&password))
                .filter(a::disabled.eq(0));
            if diesel::update(same).set((a::failures.eq(0), a::locked_until_us.eq(0))).execute(database)? == 0
            {
                return Ok(false);
            }
            // Sessions that have long expired say nothing that the audit log does not.
            let old = session.created_us.saturating_sub(30 * 86_400_000_000);
            diesel::delete(dsl::sessions.filter(dsl::expires_us.lt(old))).execute(database)?;
            diesel::insert_into(dsl::sessions)
                .values((
                    dsl::id.eq(&session.id),
                    dsl::token_hash.eq(session.token_hash.to_vec()),
                    dsl::account_id.eq(&session.account_id),
                    dsl::address.eq(&session.address),
                    dsl::created_us.eq(session.created_us),
                    dsl::expires_us.eq(session.expires_us),
                ))
                .execute(database)
                .map_err(|error| StoreError::of(error, &|| "session".to_owned()))?;
            insert_audit(database, &audit)?;
            Ok(true)
        })
    }

    fn session(&self, token_hash: &Hash) -> Kept<Option<(Session, Account)>> {
        use schema::sessions::dsl;
        let row: Option<SessionColumns> = self.read(|database| {
            dsl::sessions.filter(dsl::token_hash.eq(token_hash.to_vec())).first(database).optional()
        })?;
        let Some(session) = row.map(session_of) else { return Ok(None) };
        Ok(self.account(&session.account_id)?.map(|account| (session, account)))
    }

    fn sessions(&self, account: &str) -> Kept<Vec<Session>> {
        use schema::sessions::dsl;
        let rows: Vec<SessionColumns> = self.read(|database| {
            dsl::sessions
                .filter(dsl::account_id.eq(account))
                .order((dsl::created_us.desc(), dsl::id))
                .load(database)
        })?;
        Ok(rows.into_iter().map(session_of).collect())
    }

    fn end_session(&self, account: &str, id: &str, at: i64, audit: AuditRow) -> Kept<()> {
        let (account, id) = (account.to_owned(), id.to_owned());
        self.durably(move |database| {
            use schema::sessions::dsl;
            let changed = diesel::update(
                dsl::sessions
                    .filter(dsl::id.eq(&id))
                    .filter(dsl::account_id.eq(&account))
                    .filter(dsl::revoked_us.is_null()),
            )
            .set(dsl::revoked_us.eq(at))
            .execute(database)?;
            if changed == 0 {
                return Err(StoreError::Missing(format!("session {id}")));
            }
            insert_audit(database, &audit)
        })
    }

    fn joint_offices(&self) -> Kept<Vec<String>> {
        use schema::events::dsl;
        Ok(self
            .read(|database| dsl::events.filter(dsl::one_account.eq(true)).select(dsl::id).load(database))?)
    }

    fn server_value(&self, name: &str) -> Kept<Option<String>> {
        use schema::server_values::dsl;
        Ok(self
            .read(|database| dsl::server_values.find(name).select(dsl::value).first(database).optional())?)
    }

    fn set_server_value(&self, name: &str, value: &str) -> Kept<()> {
        let (name, value) = (name.to_owned(), value.to_owned());
        self.durably(move |database| {
            use schema::server_values::dsl;
            diesel::delete(dsl::server_values.find(&name)).execute(database)?;
            diesel::insert_into(dsl::server_values)
                .values((dsl::name.eq(&name), dsl::value.eq(&value)))
                .execute(database)?;
            Ok(())
        })
    }

    fn begin_answer(&self, scope: &str, key: &str, request_hash: Hash, at: i64) -> Kept<Known> {
        let (scope, key) = (scope.to_owned(), key.to_owned());
        self.durably(move |database| {
            use schema::answered::dsl;
            let known: Option<(Vec<u8>, Option<Vec<u8>>)> = dsl::answered
                .find((&scope, &key))
                .select((dsl::request_hash, dsl::answer))
                .first(database)
                .optional()?;
            if let Some((request_hash, answer)) = known {
                return Ok(Known::Before { request_hash, answer });
            }
            diesel::insert_into(dsl::answered)
                .values((
                    dsl::scope.eq(&scope),
                    dsl::key.eq(&key),
                    dsl::request_hash.eq(request_hash.to_vec()),
                    dsl::at_us.eq(at),
                ))
                .execute(database)?;
            Ok(Known::New)
        })
    }

    fn end_answer(&self, scope: &str, key: &str, answer: Option<Vec<u8>>) -> Kept<()> {
        let (scope, key) = (scope.to_owned(), key.to_owned());
        self.durably(move |database| {
            use schema::answered::dsl;
            let row = dsl::answered.find((&scope, &key));
            match &answer {
                Some(answer) => {
                    diesel::update(row).set(dsl::answer.eq(answer)).execute(database)?;
                }
                None => {
                    diesel::delete(row).execute(database)?;
                }
            }
            Ok(())
        })
    }

    fn audit_page(&self, event: Option<&str>, after: i64, limit: i64) -> Kept<Vec<Audited>> {
        type Columns = (i64, Option<String>, i64, String, String, String, String);
        use schema::audit::dsl;
        let rows: Vec<Columns> = self.read(|database| match event {
            Some(event) => dsl::audit
                .filter(dsl::id.gt(after))
                .filter(dsl::event_id.eq(event))
                .order(dsl::id)
                .limit(limit)
                .load(database),
            None => dsl::audit.filter(dsl::id.gt(after)).order(dsl::id).limit(limit).load(database),
        })?;
        Ok(rows
            .into_iter()
            .map(|(id, event_id, at_us, who, act, reason, details)| Audited {
                id,
                row: AuditRow { event_id, at_us, who, act, reason, details },
            })
            .collect())
    }

    fn seat_codes_made(&self, event: &str) -> Kept<bool> {
        use schema::seat_codes::dsl;
        let known: Option<String> = self.read(|database| {
            dsl::seat_codes.filter(dsl::event_id.eq(event)).select(dsl::event_id).first(database).optional()
        })?;
        Ok(known.is_some())
    }

    fn add_seat_codes(&self, codes: Vec<SeatCode>, audit: AuditRow) -> Kept<()> {
        self.durably(move |database| {
            use schema::seat_codes::dsl;
            for code in &codes {
                end_codes(
                    database,
                    &code.event,
                    &code.entrant,
                    Some(i64::from(code.member)),
                    code.created_us,
                )?;
                diesel::insert_into(dsl::seat_codes)
                    .values((
                        dsl::code_hash.eq(code.code_hash.to_vec()),
                        dsl::event_id.eq(&code.event),
                        dsl::entrant.eq(&code.entrant),
                        dsl::member.eq(i64::from(code.member)),
                        dsl::created_us.eq(code.created_us),
                    ))
                    .execute(database)
                    .map_err(|error| StoreError::of(error, &|| "code".to_owned()))?;
            }
            insert_audit(database, &audit)
        })
    }

    fn use_seat_code(
        &self,
        event: &str,
        code_hash: Hash,
        token_hash: Hash,
        device: Option<String>,
        at: i64,
    ) -> Kept<Option<SeatToken>> {
        let event = event.to_owned();
        let stored = self.durably(move |database| {
            use schema::seat_codes::dsl;
            let known: Option<(String, i64)> = dsl::seat_codes
                .filter(dsl::code_hash.eq(code_hash.to_vec()))
                .filter(dsl::event_id.eq(&event))
                .filter(dsl::used_us.is_null())
                .filter(dsl::revoked_us.is_null())
                .select((dsl::entrant, dsl::member))
                .first(database)
                .optional()?;
            let Some((entrant, member)) = known else { return Ok(false) };
            diesel::update(dsl::seat_codes.filter(dsl::code_hash.eq(code_hash.to_vec())))
                .set(dsl::used_us.eq(at))
                .execute(database)?;
            end_tokens(database, &event, &entrant, Some(member), at)?;
            let token = SeatToken {
                token_hash,
                event: event.clone(),
                entrant: entrant.clone(),
                number: 0,
                member: u8::from(member != 0),
                kind: SeatKind::Person,
                device,
                created_us: at,
                revoked: false,
            };
            insert_token(database, &token)?;
            insert_audit(
                database,
                &AuditRow {
                    event_id: Some(event),
                    at_us: at,
                    who: format!("entrant:{entrant}"),
                    act: "use-seat-code".to_owned(),
                    reason: String::new(),
                    details: format!("{{\"member\":{member}}}"),
                },
            )?;
            Ok(true)
        })?;
        if stored { self.seat_token(&token_hash) } else { Ok(None) }
    }

    fn add_seat_tokens(&self, tokens: Vec<SeatToken>, audit: AuditRow) -> Kept<()> {
        self.durably(move |database| {
            for token in &tokens {
                end_tokens(
                    database,
                    &token.event,
                    &token.entrant,
                    Some(i64::from(token.member)),
                    token.created_us,
                )?;
                insert_token(database, token)?;
            }
            insert_audit(database, &audit)
        })
    }

    fn seat_token(&self, token_hash: &Hash) -> Kept<Option<SeatToken>> {
        use schema::entrants::dsl as e;
        use schema::seat_tokens::dsl;
        let row: Option<(TokenColumns, i64)> = self.read(|database| {
            dsl::seat_tokens
                .inner_join(e::entrants.on(e::event_id.eq(dsl::event_id).and(e::id.eq(dsl::entrant))))
                .filter(dsl::token_hash.eq(token_hash.to_vec()))
                .select((schema::seat_tokens::all_columns, e::position))
                .first(database)
                .optional()
        })?;
        Ok(row.map(token_of))
    }

    fn seat_tokens(&self, event: &str) -> Kept<Vec<SeatToken>> {
        use schema::entrants::dsl as e;
        use schema::seat_tokens::dsl;
        let rows: Vec<(TokenColumns, i64)> = self.read(|database| {
            dsl::seat_tokens
                .inner_join(e::entrants.on(e::event_id.eq(dsl::event_id).and(e::id.eq(dsl::entrant))))
                .filter(dsl::event_id.eq(event))
                .filter(dsl::revoked_us.is_null())
                .select((schema::seat_tokens::all_columns, e::position))
                .order((e::position, dsl::member))
                .load(database)
        })?;
        Ok(rows.into_iter().map(token_of).collect())
    }

    fn end_seats(&self, event: &str, entrant: &str, at: i64, audit: AuditRow) -> Kept<u64> {
        let (event, entrant) = (event.to_owned(), entrant.to_owned());
        self.durably(move |database| {
            let ended = end_tokens(database, &event, &entrant, None, at)?;
            end_codes(database, &event, &entrant, None, at)?;
            insert_audit(database, &audit)?;
            Ok(ended as u64)
        })
    }

    fn check_in(&self, event: &str, check_in: CheckIn, audit: AuditRow) -> Kept<()> {
        let event = event.to_owned();
        self.durably(move |database| {
            use schema::checkins::dsl;
            diesel::delete(dsl::checkins.find((&event, &check_in.entrant))).execute(database)?;
            diesel::insert_into(dsl::checkins)
                .values((
                    dsl::event_id.eq(&event),
                    dsl::entrant.eq(&check_in.entrant),
                    dsl::at_us.eq(check_in.at_us),
                    dsl::by_whom.eq(&check_in.by),
                    dsl::rules_hash.eq(check_in.rules_hash.to_vec()),
                ))
                .execute(database)?;
            insert_audit(database, &audit)
        })
    }

    fn check_out(&self, event: &str, entrant: &str, audit: AuditRow) -> Kept<()> {
        let (event, entrant) = (event.to_owned(), entrant.to_owned());
        self.durably(move |database| {
            let gone = diesel::delete(schema::checkins::table.find((&event, &entrant))).execute(database)?;
            if gone == 0 {
                return Err(StoreError::Missing(format!("check-in of {entrant}")));
            }
            insert_audit(database, &audit)
        })
    }

    fn check_ins(&self, event: &str) -> Kept<Vec<CheckIn>> {
        use schema::checkins::dsl;
        let rows: Vec<(String, i64, String, Vec<u8>)> = self.read(|database| {
            dsl::checkins
                .filter(dsl::event_id.eq(event))
                .select((dsl::entrant, dsl::at_us, dsl::by_whom, dsl::rules_hash))
                .load(database)
        })?;
        let mut found: Vec<CheckIn> = rows
            .into_iter()
            .map(|(entrant, at_us, by, rules)| CheckIn { entrant, at_us, by, rules_hash: hash(&rules) })
            .collect();
        found.sort_by(|a, b| a.entrant.cmp(&b.entrant));
        Ok(found)
    }

    fn set_networks(&self, event: &str, networks: Vec<Network>, audit: AuditRow) -> Kept<()> {
        let event = event.to_owned();
        self.durably(move |database| {
            use schema::networks::dsl;
            diesel::delete(dsl::networks.filter(dsl::event_id.eq(&event))).execute(database)?;
            for network in &networks {
                diesel::insert_into(dsl::networks)
                    .values((dsl::event_id.eq(&event), dsl::network.eq(network.to_string())))
                    .execute(database)
                    .map_err(|error| StoreError::of(error, &|| format!("network {network}")))?;
            }
            insert_audit(database, &audit)
        })
    }

    fn networks(&self, event: &str) -> Kept<Vec<Network>> {
        use schema::networks::dsl;
        let texts: Vec<String> = self.read(|database| {
            dsl::networks.filter(dsl::event_id.eq(event)).select(dsl::network).load(database)
        })?;
        let mut networks: Vec<Network> = texts.iter().filter_map(|text| text.parse().ok()).collect();
        networks.sort_unstable();
        Ok(networks)
    }

    fn add_device(&self, event: &str, device: Device, most: usize, audit: AuditRow) -> Kept<bool> {
        let event = event.to_owned();
        self.durably(move |database| {
            use schema::devices::dsl;
            let count: i64 = dsl::devices.filter(dsl::event_id.eq(&event)).count().get_result(database)?;
            if usize::try_from(count).is_ok_and(|count| count >= most) {
                return Ok(false);
            }
            diesel::insert_into(dsl::devices)
                .values((
                    dsl::event_id.eq(&event),
                    dsl::id.eq(&device.id),
                    dsl::name.eq(&device.name),
                    dsl::token_hash.eq(device.token_hash.to_vec()),
                    dsl::table_number.eq(device.table.map(i64::from)),
                    dsl::seat.eq(&device.seat),
                    dsl::enrolled_us.eq(device.enrolled_us),
                ))
                .execute(database)
                .map_err(|error| StoreError::of(error, &|| format!("device {}", device.id)))?;
            insert_audit(database, &audit)?;
            Ok(true)
        })
    }

    fn end_device(&self, event: &str, id: &str, at: i64, audit: AuditRow) -> Kept<()> {
        let (event, id) = (event.to_owned(), id.to_owned());
        self.durably(move |database| {
            use schema::devices::dsl;
            let changed = diesel::update(
                dsl::devices
                    .filter(dsl::event_id.eq(&event))
                    .filter(dsl::id.eq(&id))
                    .filter(dsl::revoked_us.is_null()),
            )
            .set(dsl::revoked_us.eq(at))
            .execute(database)?;
            if changed == 0 {
                return Err(StoreError::Missing(format!("device {id}")));
            }
            insert_audit(database, &audit)
        })
    }

    fn devices(&self, event: &str) -> Kept<Vec<Device>> {
        use schema::devices::dsl;
        let rows: Vec<DeviceColumns> =
            self.read(|database| dsl::devices.filter(dsl::event_id.eq(event)).load(database))?;
        let mut devices: Vec<Device> = rows.into_iter().map(device_of).collect();
        devices.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(devices)
    }
}
