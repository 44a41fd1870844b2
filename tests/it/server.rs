//! A real server for tests: the real program as a child process on a free port, or one inside the test's process.

// Other rooms' tests use what this room's do not.
#![allow(dead_code)]

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use fushi::event::ledger::Ledger;
use fushi::store::Store;
use fushi::web::config::{Config, Limits, Passwords};
use fushi::web::{self, App};
use serde_json::Value;

/// A configuration for tests: a fresh database in a folder, a free port, cheap passwords, no rate limits in the way.
pub fn config(folder: &Path) -> Config {
    Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        database: format!("sqlite:{}", folder.join("test.sqlite").display()),
        workers: 2,
        passwords: Passwords { memory_kib: 8192, passes: 1, ..Passwords::default() },
        limits: Limits {
            address_per_second: 100_000,
            address_burst: 100_000,
            account_per_second: 100_000,
            account_burst: 100_000,
            attempts_per_minute: 100_000,
            attempts_burst: 100_000,
            shutdown_seconds: 1,
            ..Limits::default()
        },
        ..Config::default()
    }
}

/// A server in the test's own process.
pub struct Inside {
    /// `http://127.0.0.1:PORT`.
    pub base: String,
    /// Its state.
    pub app: App,
    /// The folder with its database.
    pub folder: tempfile::TempDir,
    handle: actix_web::dev::ServerHandle,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Inside {
    /// Starts one with the configuration for tests.
    pub fn start() -> Inside {
        Inside::start_with(|_| {})
    }

    /// Starts one with a changed configuration.
    pub fn start_with(change: impl FnOnce(&mut Config)) -> Inside {
        Inside::start_on(change, |store| store)
    }

    /// Starts one whose tables have another ledger, made from its store.
    pub fn start_on(
        change: impl FnOnce(&mut Config),
        ledger: impl FnOnce(Arc<Store>) -> Arc<dyn Ledger>,
    ) -> Inside {
        let folder = tempfile::tempdir().unwrap();
        let mut config = config(folder.path());
        change(&mut config);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let _guard = runtime.enter();
        let app = App::open_with(config, |store| ledger(store)).unwrap();
        let built = web::build(&app).unwrap();
        let handle = built.server.handle();
        runtime.spawn(built.server);
        let base = format!("http://{}", built.address);
        Inside { base, app, folder, handle, runtime: Some(runtime) }
    }

    /// The token of a fresh setup link.
    pub fn setup(&self) -> String {
        let runtime = self.runtime.as_ref().unwrap();
        runtime.block_on(web::api::setup::fresh_link(&self.app)).unwrap().expect("no account yet")
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.block_on(self.handle.stop(false));
            runtime.shutdown_timeout(Duration::from_secs(2));
        }
    }
}

/// The real program as a child process.
pub struct Program {
    /// `http://127.0.0.1:PORT`.
    pub base: String,
    /// The token of the setup link, if it printed one.
    pub setup: Option<String>,
    /// The process.
    pub child: Child,
}

impl Program {
    /// Starts the program on a database and waits until it listens.
    pub fn start(database: &Path, more: &[&str]) -> Program {
        Program::start_at(database, "127.0.0.1:0", more)
    }

    /// Starts the program on an address.
    pub fn start_at(database: &Path, listen: &str, more: &[&str]) -> Program {
        Program::run(database, listen, more, &[])
    }

    /// Starts the program on a database with more in its environment.
    pub fn start_in(database: &Path, env: &[(&str, &std::ffi::OsStr)]) -> Program {
        Program::run(database, "127.0.0.1:0", &[], env)
    }

    /// Starts the program with everything that it can say in a file.
    pub fn start_logged(database: &Path, env: &[(&str, &std::ffi::OsStr)], log: &Path) -> Program {
        let mut env = env.to_vec();
        env.extend([("RUST_LOG", "trace".as_ref()), ("FUSHI_TEST_LOG", log.as_os_str())]);
        Program::run(database, "127.0.0.1:0", &[], &env)
    }

    fn run(database: &Path, listen: &str, more: &[&str], env: &[(&str, &std::ffi::OsStr)]) -> Program {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fushi"))
            .args(["serve", "--listen", listen, "--database", &format!("sqlite:{}", database.display())])
            .args(more)
            .envs(env.iter().copied())
            .env(
                "RUST_LOG",
                env.iter().find(|(name, _)| *name == "RUST_LOG").map_or("warn".as_ref(), |(_, level)| *level),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(
                env.iter()
                    .find(|(name, _)| *name == "FUSHI_TEST_LOG")
                    .map_or_else(Stdio::inherit, |(_, path)| std::fs::File::create(path).unwrap().into()),
            )
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        let base = line.trim().strip_prefix("listening on ").expect("the first line says where").to_owned();
        // The setup link follows at once, if there is one: it is written together with the first line.
        let rest = String::from_utf8_lossy(lines.buffer()).into_owned();
        let setup = rest.split_once("token=").map(|(_, token)| token.trim().to_owned());
        Program { base, setup, child }
    }

    /// Asks the program to end, and waits.
    #[cfg(unix)]
    pub fn terminate(&mut self) -> bool {
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
        self.child.wait().unwrap().success()
    }

    /// Kills the program as a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub bytes: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body of a success.
    pub fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "{}: {}", self.status, self.text());
        if self.bytes.is_empty() { Value::Null } else { self.json() }
    }

    /// The code of a refusal, whose form is checked on the way.
    pub fn code(&self) -> String {
        assert!(self.status >= 400, "{}: {}", self.status, self.text());
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}", self.text());
        let body = self.json();
        for field in ["type", "title", "detail", "code"] {
            assert!(body[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {body}");
        }
        assert_eq!(body["status"], self.status);
        body["code"].as_str().unwrap().to_owned()
    }
}

/// A client with its headers.
#[derive(Clone)]
pub struct Client {
    agent: ureq::Agent,
    base: String,
    headers: Vec<(String, String)>,
}

impl Client {
    pub fn new(base: &str) -> Client {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(Duration::from_secs(30)))
            .build();
        Client { agent: config.into(), base: base.to_owned(), headers: Vec::new() }
    }

    /// The same client with one more header.
    pub fn with(&self, name: &str, value: &str) -> Client {
        let mut client = self.clone();
        client.headers.retain(|(known, _)| known != name);
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    /// The same client with a bearer token.
    pub fn bearer(&self, token: &str) -> Client {
        self.with("authorization", &format!("Bearer {token}"))
    }

    /// Sends anything.
    pub fn send(&self, method: &str, path: &str, media_type: Option<&str>, body: &[u8]) -> Reply {
        let mut request = ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.base));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(media_type) = media_type {
            request = request.header("content-type", media_type);
        }
        let sent = if body.is_empty() && matches!(method, "GET" | "HEAD") {
            self.agent.run(request.body(()).unwrap())
        } else {
            self.agent.run(request.body(body.to_vec()).unwrap())
        };
        let mut response = sent.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
            })
            .collect();
        let bytes = response.body_mut().with_config().limit(64 << 20).read_to_vec().unwrap();
        Reply { status: response.status().as_u16(), headers, bytes }
    }

    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", path, None, b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, Some("application/json"), body.to_string().as_bytes())
    }

    pub fn put(&self, path: &str, body: &Value) -> Reply {
        self.send("PUT", path, Some("application/json"), body.to_string().as_bytes())
    }

    pub fn patch(&self, path: &str, body: &Value) -> Reply {
        self.send("PATCH", path, Some("application/json"), body.to_string().as_bytes())
    }

    pub fn delete(&self, path: &str) -> Reply {
        self.send("DELETE", path, None, b"")
    }
}

/// A folder and the path of a database in it.
pub fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.sqlite");
    (folder, path)
}
