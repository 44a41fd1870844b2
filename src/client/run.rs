//! Sockets, time and chance around the players.
//!
//! Every player has one connection at a time and one task. A connection that breaks is made again with growing
//! pauses; the [`Session`] remembers across connections what has been seen and asked.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::message::Limits;
use super::session::{Ending, Session};
use super::tally::{Report, Tally};
use crate::canonical::sha256;
use crate::games::ActionText;
use crate::words::{self, Lang, message, say, why};

/// How long the server may be silent before the connection counts as broken.
const SILENCE: Duration = Duration::from_mins(1);
/// How often a quiet connection is asked whether it lives.
const PING: Duration = Duration::from_secs(20);
/// How long a server is looked for that has never answered, and one that has.
const PATIENCE: [Duration; 2] = [Duration::from_secs(10), Duration::from_secs(90)];
/// The first pause before a connection is made again, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(5)];
/// The pause after a refusal for lack of room.
const CALM: Duration = Duration::from_millis(200);
/// How many messages a second a player may send, and how many at once after a quiet time, where the server does not
/// say so.
const LIMITS: Limits = Limits { per_second: 60, at_once: 240 };
/// How long answers are waited for that are due when the event is over.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// Connections being made at once.
const HANDSHAKES: usize = 64;
/// How often progress is told.
const PROGRESS: Duration = Duration::from_secs(1);
/// Times that a command is sent at most, with [`Settings::repeat`].
const COPIES: u64 = 5;
/// The longest message, bytes.
const MESSAGE_MAX: usize = 1 << 20;

/// How to play.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address of the socket, from [`socket_address`].
    pub address: String,
    /// The language of what stops a player.
    pub lang: Lang,
    /// The level; `None`: the default level of the event's game.
    pub level: Option<String>,
    /// How long to think before every action.
    pub think: Duration,
    /// After how many of a thousand messages the connection is dropped.
    pub disconnect: u32,
    /// Whether every action is sent one to five times.
    pub repeat: bool,
    /// When to stop; `None`: when the event is over.
    pub time: Option<Duration>,
}

/// The address of the protocol's socket at a server's address.
///
/// # Errors
/// What is wrong with the address and what to write.
pub fn socket_address(url: &str, lang: Lang) -> Result<String, words::Message> {
    let shown: String = url.chars().take(80).collect();
    let wrong = || message!("client-no-server", url = shown.escape_debug());
    let host = url.strip_prefix("http://").or_else(|| url.strip_prefix("ws://")).ok_or_else(wrong)?;
    let host = host.trim_end_matches('/');
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
    if host.is_empty() || !host.chars().all(plain) {
        return Err(wrong());
    }
    Ok(format!("ws://{host}/api/v1/play?lang={}", lang.tag()))
}

/// Plays with every token until the event is over or time is up. `progress` is called every second.
pub async fn play(
    settings: Settings,
    tokens: Vec<String>,
    mut progress: impl FnMut(&Tally),
) -> (Report, Tally) {
    let begun = Instant::now();
    let shared = Shared {
        settings: Arc::new(settings),
        tally: Arc::new(Mutex::new(Tally::default())),
        handshakes: Arc::new(Semaphore::new(HANDSHAKES)),
        begun,
    };
    let (stop, stopped) = watch::channel(false);
    let mut players = JoinSet::new();
    for (index, token) in tokens.into_iter().enumerate() {
        let label = say(shared.settings.lang, &message!("client-player", number = index + 1));
        players.spawn(Player::new(shared.clone(), &token, label, stopped.clone()).run());
    }
    let mut seconds = tokio::time::interval(PROGRESS);
    let end = shared.settings.time.map(|time| tokio::time::Instant::now() + time);
    loop {
        tokio::select! {
            joined = players.join_next() => match joined {
                None => break,
                Some(Ok(())) => {}
                Some(Err(error)) => shared.tally(|tally| tally.failure(error.to_string())),
            },
            _ = seconds.tick() => shared.tally(|tally| progress(tally)),
            () = until(end), if !*stop.borrow() => { stop.send_replace(true); }
        }
    }
    let elapsed = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let tally = shared.tally(|tally| tally.clone());
    (tally.report(elapsed), tally)
}

async fn until(end: Option<tokio::time::Instant>) {
    match end {
        Some(end) => tokio::time::sleep_until(end).await,
        None => std::future::pending().await,
    }
}

#[derive(Clone)]
struct Shared {
    settings: Arc<Settings>,
    tally: Arc<Mutex<Tally>>,
    handshakes: Arc<Semaphore>,
    begun: Instant,
}

impl Shared {
    fn tally<T>(&self, change: impl FnOnce(&mut Tally) -> T) -> T {
        // A counter is never left half changed.
        change(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// µs since the run began.
    fn now(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// Draws for pauses and faults; nothing of the game depends on it.
struct GameRng(u64);

impl GameRng {
    fn new(token: &str) -> GameRng {
        let mut bytes = [0; 8];
        if getrandom::fill(&mut bytes).is_err() {
            // Without randomness every run drops the same connections.
            bytes.copy_from_slice(sha256(token.as_bytes()).first_chunk::<8>().unwrap_or(&[1; 8]));
        }
        GameRng(u64::from_le_bytes(bytes))
    }

    /// A number below `n`; 0 for none. `SplitMix64`, whose slight bias matters to nobody here.
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31).checked_rem(n).unwrap_or_default()
    }

    /// Between half a pause and the whole.
    fn jitter(&mut self, pause: Duration) -> Duration {
        let micros = u64::try_from(pause.as_micros()).unwrap_or(u64::MAX);
        Duration::from_micros(micros / 2 + self.below(micros / 2 + 1))
    }
}

/// When the next message may be sent.
struct Pace {
    /// When the messages sent so far would be through at the lasting rate, µs.
    through: u64,
    /// What is allowed; less is used.
    limits: Limits,
}

impl Pace {
    fn each(&self) -> u64 {
        1_200_000 / u64::from(self.limits.per_second.max(1))
    }

    fn sent(&mut self, now: u64, messages: usize) {
        self.through = self.through.max(now) + self.each() * messages as u64;
    }

    /// How long to wait before `COPIES` more messages.
    fn wait(&self, now: u64) -> Duration {
        let at_once = u64::from(self.limits.at_once) * 5 / 8;
        Duration::from_micros(self.through.saturating_sub(now + self.each() * at_once.saturating_sub(COPIES)))
    }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;
type Thinking = JoinHandle<(u64, Option<ActionText>)>;

struct Player {
    shared: Shared,
    session: Session,
    chance: GameRng,
    label: String,
    stop: watch::Receiver<bool>,
    /// A level that thinks long, on a thread of its own.
    thinking: Option<Thinking>,
}

/// Why a connection was left.
enum Left {
    Stopped,
    Broken,
    Ended(Ending),
}

/// Makes a connection.
async fn connect(shared: &Shared) -> Result<Socket, words::Message> {
    // The semaphore is never closed.
    let _permit = shared.handshakes.acquire().await.map_err(words::Message::verbatim)?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MESSAGE_MAX))
        .max_frame_size(Some(MESSAGE_MAX))
        .read_buffer_size(8 << 10)
        .write_buffer_size(0);
    let address = shared.settings.address.as_str();
    match connect_async_with_config(address, Some(config), true).await {
        Ok((socket, _)) => Ok(socket),
        Err(SocketError::Http(answer)) => {
            Err(message!("client-other-server", address, status = answer.status()))
        }
        Err(SocketError::Io(error)) => Err(message!("client-unreached", address, error = why(&error))),
        Err(error) => Err(message!("client-unreached", address, error)),
    }
}

impl Player {
    fn new(shared: Shared, token: &str, label: String, stop: watch::Receiver<bool>) -> Player {
        let mut chance = GameRng::new(token);
        let prefix = format!("{:010x}", chance.below(1 << 40));
        let session = Session::new(token, label.clone(), shared.settings.level.as_deref(), prefix);
        Player { shared, session, chance, label, stop, thinking: None }
    }

    async fn run(mut self) {
        let mut reached = false;
        let mut last = Instant::now();
        let mut pause = PAUSES[0];
        let mut stop = self.stop.clone();
        let mut before = None;
        loop {
            let connected = tokio::select! {
                connected = connect(&self.shared) => connected,
                () = stop_requested(&mut stop) => return self.stopped(before),
            };
            let trouble = match connected {
                Ok(socket) => {
                    self.shared.tally(|tally| {
                        tally.connected += 1;
                        tally.reconnects += u64::from(reached);
                    });
                    let left = self.converse(socket).await;
                    self.shared.tally(|tally| tally.connected -= 1);
                    if self.session.welcomed() {
                        (reached, last, pause) = (true, Instant::now(), PAUSES[0]);
                    }
                    match left {
                        Left::Stopped => return,
                        Left::Ended(Ending::Done) => return self.shared.tally(|tally| tally.ended += 1),
                        Left::Ended(Ending::Failed(why)) => return self.fail(&why),
                        Left::Ended(Ending::Again(why)) => why,
                        Left::Broken => message!("client-breaks"),
                    }
                }
                Err(error) => error,
            };
            if last.elapsed() > PATIENCE[usize::from(reached)] {
                return self.fail(&trouble);
            }
            before = (!reached).then_some(trouble);
            let nap = self.chance.jitter(pause);
            pause = (pause * 2).min(PAUSES[1]);
            tokio::select! {
                () = tokio::time::sleep(nap) => {}
                () = stop_requested(&mut stop) => return self.stopped(before),
            }
        }
    }

    /// Time is up: a player that never reached the server has failed.
    fn stopped(&self, trouble: Option<words::Message>) {
        if let Some(trouble) = trouble {
            self.fail(&trouble);
        }
    }

    fn fail(&self, why: &words::Message) {
        let why = say(self.shared.settings.lang, why);
        self.shared.tally(|tally| tally.failure(format!("{}: {why}", self.label)));
    }

    /// Speaks over one connection until it ends.
    async fn converse(&mut self, mut socket: Socket) -> Left {
        let join = self.session.join();
        if socket.send(Message::text(join)).await.is_err() {
            return Left::Broken;
        }
        let mut ping = tokio::time::interval_at(tokio::time::Instant::now() + PING, PING);
        let mut heard = Instant::now();
        let mut act_at: Option<tokio::time::Instant> = None;
        let mut end_by: Option<tokio::time::Instant> = None;
        let mut pace = Pace { through: 0, limits: LIMITS };
        let mut stop = self.stop.clone();
        loop {
            let texts = tokio::select! {
                message = socket.next() => {
                    heard = Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => {
                            let (session, shared) = (&mut self.session, &self.shared);
                            let now = shared.now();
                            shared.tally(|tally| session.take(text.as_str(), now, tally))
                        }
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return self.left(),
                        Some(Ok(_)) => Vec::new(),
                    }
                }
                () = until(act_at), if act_at.is_some() => {
                    act_at = None;
                    self.think()
                }
                thought = thought(&mut self.thinking), if self.thinking.is_some() => {
                    self.thinking = None;
                    self.answer(thought)
                }
                () = until(end_by), if end_by.is_some() => {
                    let (session, shared) = (&mut self.session, &self.shared);
                    shared.tally(|tally| session.give_up(tally));
                    Vec::new()
                }
                _ = ping.tick() => {
                    if heard.elapsed() > SILENCE {
                        return Left::Broken;
                    }
                    vec![super::message::write(&super::message::ToServer::Ping { t: self.shared.now() })]
                }
                () = stop_requested(&mut stop) => {
                    let _ = socket.close(None).await;
                    return Left::Stopped;
                }
            };
            pace.limits = self.session.limits.unwrap_or(LIMITS);
            pace.sent(self.shared.now(), texts.len());
            for text in texts {
                if socket.feed(Message::text(text)).await.is_err() {
                    return Left::Broken;
                }
            }
            if socket.flush().await.is_err() {
                return Left::Broken;
            }
            if let Some(ending) = &self.session.ending {
                let ending = ending.clone();
                let _ = socket.close(None).await;
                return Left::Ended(ending);
            }
            if self.session.over() && end_by.is_none() {
                end_by = Some(tokio::time::Instant::now() + LAST_ANSWERS);
            }
            if act_at.is_none() && self.thinking.is_none() && self.session.due() {
                let calm = if self.session.calms_down() { CALM } else { Duration::ZERO };
                let pause = self.shared.settings.think.max(calm).max(pace.wait(self.shared.now()));
                act_at = Some(tokio::time::Instant::now() + pause);
            }
            if self.chance.below(1000) < u64::from(self.shared.settings.disconnect) {
                // Without a word, as when a cable is pulled.
                return Left::Broken;
            }
        }
    }

    fn left(&mut self) -> Left {
        self.session.ending.clone().map_or(Left::Broken, Left::Ended)
    }

    /// Asks the level, on another thread where it thinks long.
    fn think(&mut self) -> Vec<String> {
        if !self.session.due() {
            return Vec::new();
        }
        let Some((thought, n, long)) = self.session.question() else { return Vec::new() };
        if long {
            self.thinking = Some(tokio::task::spawn_blocking(move || (n, thought())));
            return Vec::new();
        }
        let action = thought();
        self.answer(Some((n, action)))
    }

    fn answer(&mut self, thought: Option<(u64, Option<ActionText>)>) -> Vec<String> {
        let Some((n, action)) = thought else {
            self.shared.tally(|tally| tally.violation(format!("{}: the level broke off", self.label)));
            return Vec::new();
        };
        let copies = if self.shared.settings.repeat { 1 + self.chance.below(COPIES) } else { 1 };
        self.session.decided(n, action, u32::try_from(copies).unwrap_or(1), self.shared.now())
    }
}

/// Waits until the players are told to stop.
async fn stop_requested(stop: &mut watch::Receiver<bool>) {
    // The sender outlives the players.
    let _ = stop.wait_for(|stop| *stop).await;
}

async fn thought(thinking: &mut Option<Thinking>) -> Option<(u64, Option<ActionText>)> {
    match thinking {
        Some(thinking) => thinking.await.ok(),
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_hosts_with_ports_and_nothing_else() {
        let address = |url| socket_address(url, Lang::ZhTw);
        assert_eq!(address("http://127.0.0.1:80/").unwrap(), "ws://127.0.0.1:80/api/v1/play?lang=zh-TW");
        assert_eq!(address("ws://[::1]:8080").unwrap(), "ws://[::1]:8080/api/v1/play?lang=zh-TW");
        for bad in
            ["", "127.0.0.1", "http://", "https://a", "http://a/b", "http://a?b", "http://a@b", "http://ä\n"]
        {
            let error = say(Lang::ZhTw, &address(bad).unwrap_err());
            assert!(error.contains("--url") && !error.contains('\n'), "{bad}: {error}");
        }
    }

    #[test]
    fn a_pause_is_at_least_half_and_at_most_whole() {
        let mut chance = GameRng(7);
        for _ in 0..1000 {
            let pause = chance.jitter(Duration::from_millis(80));
            assert!((40..=80).contains(&pause.as_millis()));
        }
    }
}
