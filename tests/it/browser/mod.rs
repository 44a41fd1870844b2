//! A real browser for tests: headless Chromium over the `WebDriver` protocol, and the checks that every page must pass.
//!
//! Where Chromium or its driver is missing, the tests of pages say loudly that they did nothing and what to install;
//! with `FUSHI_REQUIRE_ALL=1`, which the checks before every change set, that is a failure.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

mod desk;
mod floor;
mod guest;
mod pages;
mod play;
mod results;
mod rulings;
mod table;
mod venue;

/// One browser at a time: several on few processors only slow each other down.
static ONE: Mutex<()> = Mutex::new(());

/// The key under which `WebDriver` hands elements out.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Keys as `WebDriver` writes them.
pub const ENTER: &str = "\u{e007}";
pub const ESCAPE: &str = "\u{e00c}";
pub const RIGHT: &str = "\u{e014}";
pub const TAB: &str = "\u{e004}";

fn program(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    names
        .iter()
        .find_map(|name| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|p| p.exists()))
}

/// A browser window.
pub struct Browser {
    agent: ureq::Agent,
    session: String,
    driver: Child,
    _said: BufReader<ChildStdout>,
    base: String,
    _profile: tempfile::TempDir,
    alone: Option<MutexGuard<'static, ()>>,
}

impl Browser {
    /// Opens a browser that will look at pages of one server; `None` where there is none.
    pub fn open(base: &str) -> Option<Browser> {
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut browser = Browser::beside(base)?;
        browser.alone = Some(one);
        Some(browser)
    }

    /// Opens one more window, with storage of its own, for the holder of the first.
    pub fn beside(base: &str) -> Option<Browser> {
        let found =
            program(&["chromedriver"]).zip(program(&["chromium", "chromium-browser", "google-chrome"]));
        let Some((driver, browser)) = found else {
            let what = "Chromium or chromedriver is missing: apt-get install chromium chromium-driver fonts-noto-cjk";
            assert!(std::env::var("FUSHI_REQUIRE_ALL").as_deref() != Ok("1"), "{what}");
            let _ = writeln!(std::io::stderr(), "\n*** THIS TEST OF PAGES DID NOTHING. {what} ***\n");
            return None;
        };
        let mut driver = Command::new(driver)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The pipe stays open: a driver that cannot write ends.
        let mut said = BufReader::new(driver.stdout.take().unwrap());
        let port = said
            .by_ref()
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                Some(line.split_once("successfully on port ")?.1.trim_end_matches('.').to_owned())
            })
            .expect("chromedriver says its port");
        let profile = tempfile::tempdir().unwrap();
        let args: Vec<String> = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--window-size=1280,900",
            "--lang=en",
        ]
        .into_iter()
        .map(str::to_owned)
        .chain([format!("--user-data-dir={}", profile.path().display())])
        .collect();
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(1)))
            .build();
        let mut made = Browser {
            agent: config.into(),
            session: format!("http://127.0.0.1:{port}/session"),
            driver,
            _said: said,
            base: base.to_owned(),
            _profile: profile,
            alone: None,
        };
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": args, "binary": browser, "prefs": {"intl.accept_languages": "en"}},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let session = made.send("POST", "", &wanted);
        made.session = format!("{}/{}", made.session, session["sessionId"].as_str().unwrap());
        made.prefers(false, true);
        Some(made)
    }

    fn try_send(&self, method: &str, path: &str, body: &Value) -> Result<Value, Value> {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.session))
            .header("content-type", "application/json");
        let sent = if method == "GET" || method == "DELETE" {
            self.agent.run(request.body(()).unwrap())
        } else {
            self.agent.run(request.body(body.to_string()).unwrap())
        };
        let mut response = sent.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let text = response.body_mut().with_config().limit(64 << 20).read_to_string().unwrap();
        let answer: Value = serde_json::from_str(&text).unwrap();
        if response.status().is_success() {
            Ok(answer["value"].clone())
        } else {
            Err(answer["value"].clone())
        }
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_send(method, path, body).unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    /// Speaks to the browser's own debugging protocol.
    pub fn debug(&self, command: &str, params: &Value) -> Value {
        self.send("POST", "/goog/cdp/execute", &json!({"cmd": command, "params": params}))
    }

    /// Opens a page of the server.
    pub fn go(&self, path: &str) {
        self.send("POST", "/url", &json!({"url": format!("{}{path}", self.base)}));
    }

    /// The path and query of the page.
    pub fn path(&self) -> String {
        let url = self.send("GET", "/url", &Value::Null);
        url.as_str().unwrap().strip_prefix(&self.base).unwrap_or_default().to_owned()
    }

    /// Runs a script that returns something.
    pub fn js(&self, script: &str) -> Value {
        self.send("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Waits until an expression of the page is true.
    pub fn wait(&self, expression: &str) {
        self.wait_for(expression, 20);
    }

    /// Waits so many seconds at most.
    pub fn wait_for(&self, expression: &str, seconds: u64) {
        let until = Instant::now() + Duration::from_secs(seconds);
        let script = format!("try {{ return Boolean({expression}) }} catch (e) {{ return false }}");
        while self.js(&script) != json!(true) {
            if Instant::now() >= until {
                let text = self.js("return document.body.innerText");
                panic!(
                    "never: {expression}\n{}\nconsole: {:?}",
                    text.as_str().unwrap_or_default(),
                    self.console()
                );
            }
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    /// Waits until the page's scripts have run: before that nothing listens to a click or a key.
    fn ready(&self) {
        self.wait("document.readyState === 'complete'");
    }

    fn element(&self, css: &str) -> String {
        self.ready();
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            match self.try_send("POST", "/element", &json!({"using": "css selector", "value": css})) {
                Ok(found) => return found[ELEMENT].as_str().unwrap().to_owned(),
                Err(_) if Instant::now() < until => std::thread::sleep(Duration::from_millis(40)),
                Err(error) => panic!("{css}: {error}\n{}", self.text("body")),
            }
        }
    }

    /// Clicks as a person would: what lies under something else cannot be clicked.
    pub fn click(&self, css: &str) {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let element = self.element(css);
            match self.try_send("POST", &format!("/element/{element}/click"), &json!({})) {
                Ok(_) => return,
                // Drawn again in the meantime, or not there yet.
                Err(_) if Instant::now() < until => std::thread::sleep(Duration::from_millis(40)),
                Err(error) => panic!("{css} cannot be clicked: {error}"),
            }
        }
    }

    /// Types into a field, after what stands there.
    pub fn write(&self, css: &str, text: &str) {
        let element = self.element(css);
        self.send("POST", &format!("/element/{element}/value"), &json!({"text": text}));
    }

    /// Presses keys, one after the other, wherever the focus is.
    pub fn keys(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| {
                let key = key.to_string();
                [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})]
            })
            .collect();
        let body = json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]});
        self.ready();
        self.send("POST", "/actions", &body);
    }

    /// Drags with the mouse from one element to another.
    pub fn drag(&self, from: &str, to: &str) {
        let at = |css: &str| json!({ELEMENT: self.element(css)});
        let body = json!({"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "origin": at(from), "x": 0, "y": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "duration": 150, "origin": at(to), "x": 0, "y": 0},
            {"type": "pointerUp", "button": 0},
        ]}]});
        self.send("POST", "/actions", &body);
    }

    /// The visible text of an element.
    pub fn text(&self, css: &str) -> String {
        let text = self.js(&format!("return document.querySelector({})?.innerText", json!(css)));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Makes the window a screen of this size, as a phone or not.
    pub fn screen(&self, width: u32, height: u32, phone: bool) {
        let scale = 1;
        self.debug(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone}),
        );
        self.debug("Emulation.setTouchEmulationEnabled", &json!({"enabled": phone}));
    }

    /// Lets the system ask for dark pages and for less motion, or not.
    pub fn prefers(&self, dark: bool, still: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let motion = if still { "reduce" } else { "no-preference" };
        self.debug(
            "Emulation.setEmulatedMedia",
            &json!({"features": [
                {"name": "prefers-color-scheme", "value": scheme},
                {"name": "prefers-reduced-motion", "value": motion},
            ]}),
        );
    }

    /// Saves a picture where `FUSHI_SHOTS` names a folder.
    pub fn shot(&self, name: &str) {
        let Some(folder) = std::env::var_os("FUSHI_SHOTS") else { return };
        let picture = self.send("GET", "/screenshot", &Value::Null);
        std::fs::create_dir_all(&folder).unwrap();
        let bytes = base64(picture.as_str().unwrap());
        std::fs::write(PathBuf::from(folder).join(format!("{name}.png")), bytes).unwrap();
    }

    /// What the console complained of since the last question.
    pub fn console(&self) -> Vec<String> {
        let log = self.send("POST", "/se/log", &json!({"type": "browser"}));
        let bad = |line: &&Value| line["level"] == "SEVERE" || line["level"] == "WARNING";
        let lines = log.as_array().unwrap().iter().filter(bad);
        lines.map(|line| line["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Addresses outside of the server that were asked for since the last question.
    fn strangers(&self) -> Vec<String> {
        let log = self.send("POST", "/se/log", &json!({"type": "performance"}));
        let mut found = Vec::new();
        for line in log.as_array().unwrap() {
            let message: Value = serde_json::from_str(line["message"].as_str().unwrap()).unwrap();
            let message = &message["message"];
            let url = match message["method"].as_str() {
                Some("Network.requestWillBeSent") => &message["params"]["request"]["url"],
                Some("Network.webSocketCreated") => &message["params"]["url"],
                _ => continue,
            };
            let url = url.as_str().unwrap_or_default();
            let own = url.replacen("ws://", "http://", 1).starts_with(&self.base);
            if !own && !url.starts_with("data:") && !url.starts_with("chrome") && !url.starts_with("about:") {
                found.push(url.to_owned());
            }
        }
        found
    }

    /// The checks that every page must pass, in the state in which it is.
    pub fn check(&self, place: &str) {
        let faults = self.js(include_str!("checks.js"));
        assert_eq!(faults, json!([]), "{place} ({})", self.path());
        assert_eq!(self.console(), Vec::<String>::new(), "{place}: the console");
        assert_eq!(self.strangers(), Vec::<String>::new(), "{place}: another server was asked");
    }

    /// The checks on a phone and on a large screen, in light and dark; leaves a large light screen.
    pub fn check_everywhere(&self, place: &str) {
        for (width, height, phone) in [(390, 844, true), (1440, 900, false)] {
            self.screen(width, height, phone);
            for dark in [true, false] {
                self.prefers(dark, true);
                std::thread::sleep(Duration::from_millis(60));
                self.shot(&format!("{place}-{width}-{}", if dark { "dark" } else { "light" }));
                self.check(&format!("{place} at {width}, dark: {dark}"));
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Never a second panic: the first one says what is wrong.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Bytes from base 64.
fn base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').map(value).collect();
    let mut bytes = Vec::with_capacity(letters.len() * 3 / 4);
    for four in letters.chunks(4) {
        let bits = four.iter().fold(0_u32, |bits, six| bits << 6 | u32::from(*six)) << (6 * (4 - four.len()));
        let [_, a, b, c] = bits.to_be_bytes();
        bytes.extend([a, b, c].into_iter().take(four.len() - 1));
    }
    bytes
}
