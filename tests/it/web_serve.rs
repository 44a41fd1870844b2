//! The server as a program: start, health, metrics, description, end; and what every answer carries.

use serde_json::json;

use crate::server::{Client, Inside, Program, folder};

#[test]
fn the_program_starts_says_where_and_ends_when_asked() {
    let (_folder, path) = folder();
    let mut program = Program::start(&path, &["--log", "json"]);
    let client = Client::new(&program.base);
    assert_eq!(client.get("/healthz").ok()["status"], "ok");
    assert_eq!(client.get("/readyz").ok()["status"], "ok");
    assert!(path.with_extension("sqlite.key").exists());
    assert!(program.terminate(), "a polite end is a success");
}

#[test]
fn a_database_has_one_server() {
    let (_folder, path) = folder();
    let mut first = Program::start(&path, &[]);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &format!("sqlite:{}", path.display())])
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && error.contains("another server"), "{error}");
    // By whatever path and with whatever key.
    #[cfg(unix)]
    {
        let link = path.with_file_name("链接.sqlite");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let error = not_started(&link, &[]);
        assert!(error.contains("another server"), "{error}");
    }
    first.kill();
    let second = Program::start(&path, &[]);
    assert_eq!(Client::new(&second.base).get("/readyz").status, 200);
}

/// What a server says that cannot start on a database.
fn not_started(database: &std::path::Path, more: &[&str]) -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_fushi"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &format!("sqlite:{}", database.display())])
        .args(more)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Sealed deals need the key that sealed them; players of the sample keep their places over restarts.
#[test]
fn a_database_with_sealed_deals_starts_with_its_own_key_only() {
    let (folder, path) = folder();
    let mut first = Program::start(&path, &["--demo"]);
    let open = |program: &Program| Client::new(&program.base).get("/api/v1/events/sample-open").status;
    assert_eq!(open(&first), 200);
    first.terminate();
    for beside in ["test.sqlite-wal", "test.sqlite-shm"] {
        assert!(!folder.path().join(beside).exists(), "a polite end leaves one file: {beside}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o077, 0, "others can read it");
    }
    let key = folder.path().join("test.sqlite.key");
    let kept = std::fs::read(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    let error = not_started(&path, &[]);
    assert!(error.contains("key file") && error.contains("missing") && !key.exists(), "{error}");
    std::fs::write(&key, [7; 32]).unwrap();
    let error = not_started(&path, &[]);
    assert!(error.contains("does not open the deals"), "{error}");
    std::fs::write(&key, kept).unwrap();
    let again = Program::start(&path, &["--demo"]);
    assert_eq!(open(&again), 200);
}

#[test]
fn what_cannot_be_started_says_why_in_one_line() {
    let (folder, path) = folder();
    let config = folder.path().join("bad.toml");
    std::fs::write(&config, "lissen = 1\n").unwrap();
    for (args, said) in [
        (vec!["--config", config.to_str().unwrap()], "did you mean `listen`"),
        (vec!["--database", "mysql:x"], "is not a database URL"),
        (vec!["--config", "/nowhere.toml"], "cannot read"),
    ] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_fushi"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(&args)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(said) && error.trim().lines().count() == 1, "{error}");
    }
    assert!(!path.exists());
}

/// The sample events of a ruleset's game are played by it; a file that is wrong is named before anything is opened.
#[test]
fn sample_events_are_played_by_the_ruleset_of_a_file() {
    let (folder, path) = folder();
    let rules = folder.path().join("club.toml");
    let given = rules.to_str().unwrap();
    let start = |text: &str, more: &[&str]| {
        std::fs::write(&rules, text).unwrap();
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_fushi"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database", &format!("sqlite:{}", path.display())])
            .args(more)
            .env("RUST_LOG", "error")
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.stdout.is_empty() && error.trim().lines().count() == 1, "{error}");
        (output.status.code(), error)
    };
    let demo = ["--demo", "--ruleset-file", given];
    for (text, said) in [
        ("base = \"wakeng-bomb\"\nbomb_facto = 3\n", "did you mean `bomb_factor`"),
        (
            "base = \"wakeng-bomb\"\nbomb_factor = 3\nname = \"Wakeng-Bomb\"\n",
            "taken for the shipped ruleset",
        ),
        ("base = \"zhuhai-2009\"\nplay_s = \"x\"\n", "line 2"),
        ("colour = \"red\"\n", "fits none of the games"),
        ("= no TOML", "not a TOML"),
    ] {
        let (code, error) = start(text, &demo);
        assert!(code == Some(1) && error.contains(said) && error.contains(given), "{code:?} {error}");
    }
    let club = "base = \"wakeng-bomb\"\nbomb_factor = 3\nname = \"club\"\n";
    assert_eq!(start(club, &["--ruleset-file", given]).0, Some(2), "only with --demo");
    assert!(!path.exists());
    std::fs::write(&rules, club).unwrap();
    let mut first = Program::start(&path, &demo);
    let sample = |event: &str| Client::new(&first.base).get(&format!("/api/v1/events/{event}")).ok();
    for event in ["sample-wakeng", "sample-open"] {
        assert_eq!(sample(event)["rules"]["name"], "club", "{event}");
        assert_eq!(sample(event)["rules"]["bomb_factor"], 3, "{event}");
    }
    assert_eq!(sample("sample-tuolaji")["rules"]["name"], "zhuhai-2009");
    first.terminate();
    // The same again is the same; other rules are not those of the events that are there.
    Program::start(&path, &demo).terminate();
    let (code, error) = start("base = \"wakeng-plain\"\n", &demo);
    assert!(code == Some(1) && error.contains("sample-wakeng") && error.contains("other rules"), "{error}");
}

#[test]
fn every_answer_carries_security_headers_and_errors_are_problems() {
    let server = Inside::start();
    let client = Client::new(&server.base);
    for (method, path, code) in [
        ("GET", "/nowhere", "not_found"),
        ("GET", "/api/v1/../../etc/passwd", "not_found"),
        ("POST", "/healthz", "method_not_allowed"),
        ("GET", "/healthz?verbose=1", "bad_query"),
        ("GET", "/%ff%00", "not_found"),
    ] {
        let reply = client.send(method, path, None, b"");
        assert_eq!(reply.code(), code, "{method} {path}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert!(reply.header("content-security-policy").unwrap().contains("default-src 'none'"));
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    let reply = client.get("/nowhere?lang=zh-TW");
    assert_eq!(reply.json()["title"], "此處沒有內容");
    let reply = client.with("accept-language", "fr, zh-CN;q=0.5").get("/nowhere");
    assert_eq!(reply.json()["title"], "此处没有内容");
}

#[test]
fn r9_state_is_never_changed_by_a_page_of_another_server() {
    let server = Inside::start();
    let client = Client::new(&server.base);
    let foreign = client.with("origin", "https://evil.example");
    assert_eq!(foreign.post("/healthz", &json!({})).code(), "wrong_origin");
    let own = client.with("origin", &server.base);
    assert_eq!(own.post("/healthz", &json!({})).code(), "method_not_allowed");
}

#[test]
fn metrics_count_and_name_no_path_that_was_asked_for() {
    let server = Inside::start();
    let client = Client::new(&server.base);
    client.get("/healthz");
    client.get("/nowhere/secret-token");
    let text = client.get("/metrics").text();
    assert!(
        text.contains("fushi_http_requests_total{method=\"GET\",path=\"/healthz\",status=\"200\"} 1"),
        "{text}"
    );
    assert!(text.contains("code=\"not_found\""), "{text}");
    assert!(!text.contains("secret-token"), "{text}");
    let closed = Inside::start_with(|config| config.metrics_from.clear());
    assert_eq!(Client::new(&closed.base).get("/metrics").code(), "not_found");
}

#[test]
fn the_api_describes_itself_offline() {
    let server = Inside::start();
    let client = Client::new(&server.base);
    let reply = client.get("/api/openapi.json");
    let tag = reply.header("etag").unwrap().to_owned();
    assert_eq!(reply.json()["openapi"], "3.1.0");
    assert_eq!(client.with("if-none-match", &tag).get("/api/openapi.json").status, 304);
    let page = client.get("/api/docs/");
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains("swagger-ui"), "{text}");
    for (_, rest) in
        text.match_indices("src=\"").chain(text.match_indices("href=\"")).map(|(at, _)| text.split_at(at))
    {
        assert!(!rest.contains("=\"http"), "everything comes from this server: {rest}");
    }
    assert_eq!(client.get("/api/docs/swagger-ui.css").status, 200);
    assert_eq!(client.get("/api/docs/nothing.css").code(), "not_found");
}

#[test]
fn the_api_is_what_was_agreed() {
    let document = fushi::web::api::table().open_api().to_pretty_json().unwrap();
    insta::assert_snapshot!("openapi", document);
}

#[test]
fn too_many_requests_are_told_when_to_come_back() {
    let server = Inside::start_with(|config| {
        config.limits.address_burst = 3;
        config.limits.address_per_second = 1;
    });
    let client = Client::new(&server.base);
    let mut last = client.get("/healthz");
    for _ in 0..5 {
        last = client.get("/healthz");
    }
    assert_eq!(last.code(), "rate_limited");
    assert!(last.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1);
}
