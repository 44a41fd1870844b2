//! The server: HTTP API, pages, health, metrics, and the state that every request sees.
//!
//! Handlers are thin: they read, ask the desk, and answer. What may be done is decided by the desk's table of rights,
//! what is stored by the store. Everything is refused with RFC 9457 problem details in the asker's language.
//!
//! Architecture invariants: no SQL here and no rules of a game; no password, token or card in a log, a metric or a
//! problem; no input leads to a 500; a request never blocks a worker thread (database and password hashing run in
//! `web::block`).

pub mod address;
pub mod answer;
pub mod api;
pub mod audience;
pub mod config;
pub mod context;
pub mod desk;
pub mod idempotency;
pub mod identity;
pub mod lang;
pub mod log;
pub mod metrics;
pub mod middleware;
pub mod origin;
pub mod pages;
pub mod password;
pub mod play;
pub mod problem;
pub mod rate_limit;
pub mod read_model;
pub mod routes;
pub mod sample;
pub mod secret;
pub mod strict;
pub mod trials;
pub mod venue;

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::{HttpServer, web};
use prometheus_client::metrics::gauge::Gauge;
use tokio::sync::Semaphore;

use crate::dealing::Sealed;
use crate::desk::people::People as _;
use crate::event::EventState;
use crate::event::archive::ArchiveError;
use crate::event::ledger::Ledger;
use crate::event::log::{EventLogs, OnlyOwner, Ports};
#[cfg(target_os = "linux")]
use crate::sabotage::Sabotage;
use crate::store::{Store, settled};
use crate::tables::halls::Halls;
use crate::tables::task::{Counters, Deps, LOOKUPS_MAX, Wall};
use crate::words::{Message, message, why};
use config::Config;
use metrics::Metrics;
use problem::{Code, Problem};
use rate_limit::Guards;
use read_model::ReadModel;
use routes::Table;
use secret::ServerSecret;
use trials::Trials;

/// The wall clock: µs since 1970-01-01T00:00:00Z.
///
/// Instants in the database come from here; clocks of play are monotonic and belong to the tables.
#[derive(Clone, Debug, Default)]
pub struct Clock(Arc<AtomicI64>);

impl Clock {
    /// Now.
    #[must_use]
    pub fn now(&self) -> i64 {
        let real = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(real.as_micros()).unwrap_or(i64::MAX).saturating_add(self.0.load(Ordering::Relaxed))
    }

    /// Moves this clock by so many µs: tests let hours pass.
    pub fn shift(&self, by: i64) {
        self.0.fetch_add(by, Ordering::Relaxed);
    }
}

/// What every request sees. Clones share everything.
#[derive(Clone)]
pub struct App {
    /// The database.
    pub store: Arc<Store>,
    /// The server's secret: opens sealed keys of events.
    pub secret: Arc<ServerSecret>,
    /// The wall clock.
    pub clock: Clock,
    /// The configuration as it was started with.
    pub config: Arc<Config>,
    /// What is counted.
    pub metrics: Arc<Metrics>,
    /// Rate limits and the few places for password hashing.
    pub guards: Arc<Guards>,
    /// The runtime on which tasks live that outlast a request.
    pub runtime: tokio::runtime::Handle,
    /// The endpoints with their rights and their description.
    pub table: Arc<Table>,
    /// What is shown of events: their journals, replayed.
    pub read_model: Arc<ReadModel>,
    /// Set while the server is going down: nothing new is begun.
    pub stopping: Arc<AtomicBool>,
    /// The events that are played.
    pub halls: Halls,
    /// Told when seats, devices or networks change: connections show again what let them in.
    pub doors: Arc<tokio::sync::watch::Sender<u64>>,
    /// How many sockets are open.
    pub sockets: Gauge,
    /// The boards to try.
    pub trials: Arc<Trials>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("config", &self.config).finish_non_exhaustive()
    }
}

impl App {
    /// Opens the database, reads or creates the server's secret.
    ///
    /// # Errors
    /// One line that says what to do. Must be called within a tokio runtime.
    pub fn open(config: Config) -> Result<App, Message> {
        App::open_with(config, |store| store)
    }

    /// As [`App::open`], with journals of live tables going to another ledger than the database: to measure what the
    /// database costs.
    ///
    /// # Errors
    /// As [`App::open`].
    pub fn open_with(
        config: Config,
        ledger: impl FnOnce(Arc<Store>) -> Arc<dyn Ledger>,
    ) -> Result<App, Message> {
        let runtime = tokio::runtime::Handle::try_current().map_err(Message::verbatim)?;
        if config.database_path().is_some() {
            key_alone(&config, &config.key_path()?)?;
        }
        let accepted = |seen: Option<&Store>| secret_of(seen, &config, &config.key_path()?);
        let (store, secret) = Store::open_alone(&config.database, accepted)?;
        let store = Arc::new(store);
        let secret = Arc::new(match secret {
            Some(secret) => secret,
            // Nothing was sealed with whatever key it had.
            None => ServerSecret::load_or_create(&config.key_path()?)?,
        });
        begin_with(&store, &secret)?;
        let clock = Clock::default();
        let metrics = Metrics::new();
        metrics.register("log_lines_lost", "Lines of the log that could not be written", log::lost());
        let counters = Arc::new(Counters::default());
        play::register(&metrics, &counters, &runtime);
        let sockets = Gauge::default();
        metrics.register("sockets", "Players' connections", sockets.clone());
        let ledger = ledger(Arc::clone(&store));
        let halls = halls(&store, ledger, &secret, &clock, counters, runtime.clone());
        Ok(App {
            store,
            secret,
            clock,
            halls,
            sockets,
            doors: Arc::new(tokio::sync::watch::Sender::new(0)),
            metrics: Arc::new(metrics),
            guards: Arc::new(Guards::new(&config)),
            runtime,
            table: Arc::new(api::table()),
            read_model: Arc::new(ReadModel::default()),
            stopping: Arc::new(AtomicBool::new(false)),
            trials: Arc::new(Trials::new(&config.limits)),
            config: Arc::new(config),
        })
    }
}

impl App {
    /// Says that seats, devices or networks have changed.
    pub fn doors_changed(&self) {
        self.doors.send_modify(|changes| *changes = changes.wrapping_add(1));
    }
}

/// Refuses a key file that has no database: a new one would be taken for the one that the key belongs to.
fn key_alone(config: &Config, key: &Path) -> Result<(), Message> {
    let Some(path) = config.database_path() else { return Ok(()) };
    // What is left of a database beside its place is named by the store.
    let empty = std::fs::metadata(path).map_or(true, |metadata| metadata.len() == 0);
    if empty && key.exists() && settled(Path::new(path)).is_ok() {
        return Err(message!("serve-key-alone", file = key.display(), database = path));
    }
    Ok(())
}

/// The name under which a database remembers its key.
const KEY_ID: &str = "key-id";

/// The secret with which a database starts; `None` where a new one is to be made. A database starts with the key that it
/// began with, and a key with its database: only a new database gets a new key. Nothing is written.
fn secret_of(seen: Option<&Store>, config: &Config, path: &Path) -> Result<Option<ServerSecret>, Message> {
    let said = |error: ArchiveError| error.message();
    let alone = || {
        let database = config.database_path().unwrap_or_default();
        message!("serve-key-alone", file = path.display(), database)
    };
    let Some(store) = seen else {
        return if path.exists() { Err(alone()) } else { Ok(None) };
    };
    let known = store.server_value(KEY_ID).map_err(said)?;
    let sealed = sealed(store)?;
    if !path.exists() {
        return if known.is_some() || sealed.is_some() {
            Err(message!("serve-key-missing", file = path.display()))
        } else {
            Ok(None)
        };
    }
    let events = store.events().map_err(|error| error.message())?;
    if known.is_none() && events.is_empty() && store.count_accounts().map_err(said)? == 0 {
        return Err(alone());
    }
    let secret = ServerSecret::load(path)?;
    if let Some((event, sealed)) = &sealed {
        let text = String::from_utf8_lossy(sealed);
        let opens = Sealed::parse(&text)
            .and_then(|sealed| sealed.open(event, &secret.sealing(), "to know the key", |_| {}));
        opens.map_err(|_| message!("serve-key-wrong", file = path.display(), event))?;
    }
    match known {
        Some(known) if known != secret.id() => Err(message!("serve-key-other", file = path.display())),
        _ => Ok(Some(secret)),
    }
}

/// Writes into a new database which key it begins with, and everything that was written so far into its file: without
/// its log it is still this database, which starts with this key only.
fn begin_with(store: &Store, secret: &ServerSecret) -> Result<(), Message> {
    let said = |error: ArchiveError| error.message();
    if store.server_value(KEY_ID).map_err(said)?.is_none() {
        store.set_server_value(KEY_ID, &secret.id()).map_err(said)?;
    }
    if let Err(error) = store.settle() {
        tracing::warn!(%error, "the newest writes stay in the log of the database for now");
    }
    Ok(())
}

/// The sealed key of the first event that was announced, with the event's name.
fn sealed(store: &Store) -> Result<Option<(String, Vec<u8>)>, Message> {
    for event in store.events().map_err(|error| error.message())? {
        if store.announcement(&event).map_err(|error| error.message())?.is_some() {
            return Ok(store.sealed_key(&event, crate::event::model::MASTER).ok().map(|key| (event, key)));
        }
    }
    Ok(None)
}

/// The halls of this server: journals go to the store, AI players think on as many threads as there are processors.
fn halls(
    store: &Arc<Store>,
    ledger: Arc<dyn Ledger>,
    secret: &Arc<ServerSecret>,
    clock: &Clock,
    counters: Arc<Counters>,
    runtime: tokio::runtime::Handle,
) -> Halls {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let lookups = Arc::new(Semaphore::new(LOOKUPS_MAX));
    let wall: Wall = {
        let clock = clock.clone();
        Arc::new(move || clock.now())
    };
    let thinkers = Arc::new(Semaphore::new(processors));
    let deps = Deps { ledger, thinkers, lookups, counters, wall: Arc::clone(&wall) };
    let secret = Arc::clone(secret);
    let unseal = Box::new(move |event: &str, sealed: &[u8]| {
        let text = std::str::from_utf8(sealed).map_err(|error| error.to_string())?;
        let sealed = Sealed::parse(text).map_err(|error| error.to_string())?;
        // Halls write the audit entry of every reading.
        sealed.open(event, &secret.sealing(), "to deal the boards", |_| {}).map_err(|error| error.to_string())
    });
    let ports = Ports { archive: store.clone(), ledger: Arc::clone(&deps.ledger), wall: Arc::clone(&wall) };
    let logs = EventLogs::new(ports, Arc::new(OnlyOwner));
    Halls::new(store.clone(), logs, deps, unseal, runtime, wall)
}

/// Opens the halls of every event in play, or ready for it: boards that were open go on.
///
/// # Errors
/// Only of the database; an event that cannot be opened is named in the log, and the answer is `false`.
pub async fn resume(app: &App) -> Result<bool, Message> {
    let app = app.clone();
    let resumed = web::block(move || -> Result<bool, Message> {
        let mut every = true;
        for event in app.store.events().map_err(|error| error.message())? {
            let state = app.store.event(&event).map_err(|error| error.message())?.state;
            if state != EventState::Locked {
                continue;
            }
            match app.halls.resume(&event) {
                Ok(_) => {}
                // Its deals may still wait for the delayed value.
                Err(error) if !app.halls.has_begun(&event) => {
                    tracing::info!(event, %error, "an event is not open yet");
                }
                Err(error) => {
                    every = false;
                    tracing::error!(event, %error, "an event in play could not be opened: it is tried again");
                }
            }
        }
        Ok(every)
    });
    resumed.await.map_err(Message::verbatim)?
}

/// A server that listens and is ready to be awaited.
pub struct Built {
    /// Await it to serve.
    pub server: Server,
    /// Where it listens; the real port where the configuration said 0.
    pub address: SocketAddr,
}

fn unheard(listen: SocketAddr, error: &std::io::Error) -> Message {
    message!("serve-unheard", listen, error = why(error))
}

/// Binds the address of the configuration and builds the server.
///
/// # Errors
/// The address cannot be listened on.
pub fn build(app: &App) -> Result<Built, Message> {
    let failed = |error| unheard(app.config.listen, &error);
    let listener = TcpListener::bind(app.config.listen).map_err(failed)?;
    // Connections inherit it: without a bound, each of many that do not read could hold megabytes.
    let buffer =
        usize::try_from(app.config.limits.send_buffer_kib).unwrap_or(usize::MAX).saturating_mul(1024);
    socket2::SockRef::from(&listener).set_send_buffer_size(buffer).map_err(failed)?;
    // One that takes nothing for so long, or hardly anything, is ended by the system, whatever is sent on it.
    #[cfg(target_os = "linux")]
    if !Sabotage::Queue.on() {
        socket2::SockRef::from(&listener)
            .set_tcp_user_timeout(Some(Duration::from_secs(app.config.limits.unread_seconds)))
            .map_err(failed)?;
    }
    let address = listener.local_addr().map_err(failed)?;
    let state = app.clone();
    let factory = move || {
        let state = state.clone();
        actix_web::App::new()
            .app_data(web::Data::new(state.clone()))
            .app_data(web::PayloadConfig::new(state.config.limits.body_bytes()))
            .app_data(web::PathConfig::default().error_handler(|_, _| Problem::new(Code::NotFound).into()))
            .wrap(from_fn(middleware::gate))
            .configure(|service| state.table.configure(service))
            .configure(pages::configure)
            .default_service(web::to(api::system::nothing_here))
    };
    let mut server = HttpServer::new(factory)
        .tcp_nodelay(true)
        .disable_signals()
        .shutdown_timeout(app.config.limits.shutdown_seconds)
        .client_request_timeout(Duration::from_secs(10))
        .keep_alive(Duration::from_secs(75));
    if app.config.workers > 0 {
        server = server.workers(app.config.workers);
    }
    let server = server.listen(listener).map_err(failed)?.run();
    Ok(Built { server, address })
}

/// Serves until the process is asked to end (SIGTERM, SIGINT) or the server stops.
///
/// # Errors
/// As [`App::open`] and [`build`].
pub async fn serve(
    config: Config,
    demo: Option<sample::Demo>,
    announce: impl FnOnce(&Started),
) -> Result<(), Message> {
    // An address that is taken leaves no database behind.
    drop(TcpListener::bind(config.listen).map_err(|error| unheard(config.listen, &error))?);
    let app = App::open(config)?;
    let built = build(&app)?;
    if !resume(&app).await? {
        // The disk may have been full, the file system away: play goes on once they are back.
        let app = app.clone();
        tokio::spawn(async move {
            let mut pause = Duration::from_secs(2);
            loop {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_mins(1));
                if app.stopping.load(Ordering::Relaxed) || resume(&app).await.unwrap_or(false) {
                    return;
                }
            }
        });
    }
    let sample = match demo {
        Some(demo) => Some(sample::open(&app, demo).await?),
        None => None,
    };
    let setup = api::setup::fresh_link(&app).await?;
    // Whoever has read where it listens may ask it to end.
    let asked = asked_to_end();
    announce(&Started { address: built.address, setup, sample });
    let handle = built.server.handle();
    let stopping = Arc::clone(&app.stopping);
    let halls = app.halls.clone();
    let signals = tokio::spawn(async move {
        asked.await;
        tracing::info!("asked to end: finishing what is under way");
        stopping.store(true, Ordering::Relaxed);
        halls.close().await;
        handle.stop(true).await;
    });
    let store = Arc::clone(&app.store);
    let ended = built.server.await.map_err(|error| message!("serve-failed", error = why(&error)));
    signals.abort();
    drop(app);
    leave_one_file(store).await;
    ended
}

/// How often the last user of a database is waited for, and how long in between.
const GOODBYES: (u32, Duration) = (100, Duration::from_millis(20));

/// Leaves one file, which can be copied or moved. Connections are closed by whoever uses them last: workers and tasks let
/// go of them in their own time.
async fn leave_one_file(mut store: Arc<Store>) {
    for _ in 0..GOODBYES.0 {
        match Arc::try_unwrap(store) {
            Ok(last) => {
                let _ = web::block(move || last.settle()).await;
                return;
            }
            Err(shared) => store = shared,
        }
        tokio::time::sleep(GOODBYES.1).await;
    }
    let _ = web::block(move || store.settle()).await;
}

/// What is printed once the server listens.
#[derive(Clone, Debug)]
pub struct Started {
    /// Where.
    pub address: SocketAddr,
    /// The token of the one-time setup link, as long as there is no account.
    pub setup: Option<String>,
    /// The sample event, if one was asked for.
    pub sample: Option<sample::Sample>,
}

/// Waits until the process is asked to end; it counts from the call on, not only once it is awaited.
#[cfg(unix)]
fn asked_to_end() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let both = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    async move {
        let (Ok(mut terminate), Ok(mut interrupt)) = both else {
            // Without handlers the signals end the process at once, which loses nothing that was acknowledged.
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}

#[cfg(not(unix))]
async fn asked_to_end() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
