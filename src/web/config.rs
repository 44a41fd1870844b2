//! The configuration file: TOML, every key optional, unknown keys refused with the nearest known one.
//!
//! `docs/fushi.example.toml` names every key with its default; a test reads it.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::strict;
use crate::desk::network::Network;
use crate::journal::strict::short;
use crate::words::{Message, message, why};

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogForm {
    /// For people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

/// What the server is started with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Address and port to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The database, `sqlite:PATH`.
    pub database: String,
    /// The file with the server's secret; by default the database's path with `.key` appended.
    pub key_file: Option<PathBuf>,
    /// The address under which browsers reach the server, `https://play.example.org`, where a proxy stands before it.
    pub public_url: Option<String>,
    /// Networks of proxies whose `X-Forwarded-For` is believed.
    pub proxies: Vec<Network>,
    /// Worker threads; 0: as many as the machine has cores.
    pub workers: usize,
    /// How log lines look.
    pub log: LogForm,
    /// Networks that may read `/metrics`.
    pub metrics_from: Vec<Network>,
    /// Sizes and times.
    pub limits: Limits,
    /// Sessions of organizers and referees.
    pub sessions: Sessions,
    /// Passwords.
    pub passwords: Passwords,
}

/// Sizes and times.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// The largest request body, KiB.
    pub body_kib: usize,
    /// Requests per second from one address, on average.
    pub address_per_second: u32,
    /// Requests that one address may make at once.
    pub address_burst: u32,
    /// Requests per second of one account, on average.
    pub account_per_second: u32,
    /// Requests that one account may make at once.
    pub account_burst: u32,
    /// Attempts to log in, or to use a code, per minute from one address.
    pub attempts_per_minute: u32,
    /// Attempts that one address may make at once.
    pub attempts_burst: u32,
    /// Messages per second that a player's connection may send, on average.
    pub messages_per_second: u32,
    /// Messages that it may send at once after a quiet time.
    pub messages_burst: u32,
    /// How much the system keeps for one connection whose other end does not read, KiB.
    pub send_buffer_kib: u32,
    /// After how many seconds a connection is ended whose other end has not taken what was sent (on Linux).
    pub unread_seconds: u64,
    /// Boards to try that are held at once; 0: none is offered.
    pub trials: u32,
    /// Boards to try that one address may have at once.
    pub trials_each: u32,
    /// How long running requests may take when the server is asked to end, seconds.
    pub shutdown_seconds: u64,
}

/// Sessions.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sessions {
    /// How long a login lasts, hours.
    pub hours: u32,
}

/// Passwords: Argon2id.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Passwords {
    /// The fewest characters.
    pub least: usize,
    /// Memory, KiB.
    pub memory_kib: u32,
    /// Passes over it.
    pub passes: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            database: "sqlite:fushi.sqlite".to_owned(),
            key_file: None,
            public_url: None,
            proxies: Vec::new(),
            workers: 0,
            log: LogForm::Text,
            metrics_from: ["127.0.0.0/8", "::1"].iter().filter_map(|text| text.parse().ok()).collect(),
            limits: Limits::default(),
            sessions: Sessions::default(),
            passwords: Passwords::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_kib: 2048,
            address_per_second: 200,
            address_burst: 4000,
            account_per_second: 50,
            account_burst: 500,
            attempts_per_minute: 120,
            attempts_burst: 300,
            messages_per_second: 60,
            messages_burst: 240,
            send_buffer_kib: 256,
            unread_seconds: 60,
            trials: 40,
            trials_each: 6,
            shutdown_seconds: 10,
        }
    }
}

impl Limits {
    /// The largest request body in bytes.
    #[must_use]
    pub fn body_bytes(&self) -> usize {
        self.body_kib.saturating_mul(1024)
    }
}

impl Default for Sessions {
    fn default() -> Sessions {
        Sessions { hours: 12 }
    }
}

impl Default for Passwords {
    /// The least that OWASP advises for Argon2id.
    fn default() -> Passwords {
        Passwords { least: 10, memory_kib: 19_456, passes: 2 }
    }
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// One line: what cannot be read, or which key is wrong.
    pub fn read(path: &Path) -> Result<Config, Message> {
        let file = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| message!("config-unreadable", file, error = why(&error)))?;
        Config::parse(&text).map_err(|fault| message!("config-in-file", file, fault))
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Which key is wrong, with its line.
    pub fn parse(text: &str) -> Result<Config, Message> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let config: Config = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| {
                text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1)
            });
            if toml::from_str::<toml::Table>(text).is_err() {
                return message!("toml-broken", line, why = short(error.message()));
            }
            message!("config-line", line, fault = strict::sentence(error.message()).1)
        })?;
        config.check()?;
        Ok(config)
    }

    /// Checks what no type can say.
    ///
    /// # Errors
    /// The first value that cannot be.
    pub fn check(&self) -> Result<(), Message> {
        let between = |name: &str, value: u64, least: u64, most: u64| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                Err(message!("config-range", name, least, most, value))
            }
        };
        between("limits.body_kib", self.limits.body_kib as u64, 16, 65_536)?;
        between("limits.messages_per_second", u64::from(self.limits.messages_per_second), 10, 1_000_000)?;
        between("limits.messages_burst", u64::from(self.limits.messages_burst), 10, 1_000_000)?;
        between("limits.send_buffer_kib", u64::from(self.limits.send_buffer_kib), 4, 16_384)?;
        between("limits.unread_seconds", self.limits.unread_seconds, 1, 3600)?;
        between("limits.shutdown_seconds", self.limits.shutdown_seconds, 1, 600)?;
        for (name, value) in [
            ("limits.address_per_second", self.limits.address_per_second),
            ("limits.address_burst", self.limits.address_burst),
            ("limits.account_per_second", self.limits.account_per_second),
            ("limits.account_burst", self.limits.account_burst),
            ("limits.attempts_per_minute", self.limits.attempts_per_minute),
            ("limits.attempts_burst", self.limits.attempts_burst),
        ] {
            between(name, u64::from(value), 1, 1_000_000)?;
        }
        between("sessions.hours", u64::from(self.sessions.hours), 1, 24 * 365)?;
        between("passwords.least", self.passwords.least as u64, 8, 200)?;
        between("passwords.memory_kib", u64::from(self.passwords.memory_kib), 8_192, 1_048_576)?;
        between("passwords.passes", u64::from(self.passwords.passes), 1, 16)?;
        between("workers", self.workers as u64, 0, 1024)?;
        match &self.public_url {
            Some(url) if !(url.starts_with("https://") || url.starts_with("http://")) => {
                Err(message!("config-public-url"))
            }
            _ => Ok(()),
        }
    }

    /// Where the server's secret is.
    ///
    /// # Errors
    /// The database's URL names no file and `key_file` is missing.
    pub fn key_path(&self) -> Result<PathBuf, Message> {
        if let Some(path) = &self.key_file {
            return Ok(path.clone());
        }
        match self.database_path() {
            Some(path) => Ok(PathBuf::from(format!("{path}.key"))),
            None => Err(message!("config-key-file")),
        }
    }

    /// The file of the database, where it is one.
    #[must_use]
    pub fn database_path(&self) -> Option<&str> {
        let path = self.database.strip_prefix("sqlite:")?;
        Some(path.strip_prefix("//").unwrap_or(path)).filter(|path| !path.is_empty())
    }

    /// Whether browsers reach the server through TLS.
    #[must_use]
    pub fn secure(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Lang, say};

    #[test]
    fn unknown_keys_name_the_nearest() {
        let refused = |text: &str| say(Lang::En, &Config::parse(text).unwrap_err());
        assert_eq!(
            refused("workers = 1\nlissen = \"a\"\n"),
            "line 2: unknown field `lissen`: did you mean `listen`?"
        );
        assert!(refused("[limits]\nbody = 3\n").contains("body_kib"));
        assert!(refused("log = \"jason\"").contains("json"));
        assert!(refused("[passwords]\npasses = 0").contains("1 to 16"));
        assert!(Config::parse("public_url = \"a\"").is_err());
        assert!(refused("log = \"json\"\n= x").starts_with("line 2: not a TOML file"));
        assert!(refused("workers = \"x\"").contains("line 1: "));
        assert_eq!(Config::parse("").unwrap(), Config::default());
    }

    #[test]
    fn the_example_names_every_key_with_its_default() {
        let text = include_str!("../../docs/fushi.example.toml");
        assert_eq!(Config::parse(text).unwrap(), Config::default());
        // Keys without a default stand there as comments.
        let all: String =
            text.lines().map(|line| line.strip_prefix("#: ").unwrap_or(line)).collect::<Vec<_>>().join("\n");
        let config = Config::parse(&all).unwrap();
        assert!(config.key_file.is_some() && config.public_url.is_some() && !config.proxies.is_empty());
        let value: toml::Value = toml::from_str(&all).unwrap();
        let keys = |table: &toml::Value| table.as_table().unwrap().len();
        assert_eq!(keys(&value), 11);
        assert_eq!([keys(&value["limits"]), keys(&value["sessions"]), keys(&value["passwords"])], [14, 1, 3]);
    }

    #[test]
    fn the_key_lies_beside_the_database() {
        let path = |database: &str| Config { database: database.to_owned(), ..Config::default() }.key_path();
        assert_eq!(path("sqlite:a/b.sqlite").unwrap(), PathBuf::from("a/b.sqlite.key"));
        assert_eq!(path("sqlite:///a").unwrap(), PathBuf::from("/a.key"));
        assert!(path("postgres://x").is_err());
    }
}
