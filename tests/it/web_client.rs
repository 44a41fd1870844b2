//! A client that knows nothing but the OpenAPI document: every operation that reads is called on a real server, and what
//! comes back must be what the document says, field by field.

use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::server::{Client, Reply};
use crate::web_accounts::{somebody, with_chief};
use crate::web_events::locked;
use crate::web_results::play;

/// A client made from the document.
struct Made {
    client: Client,
    operations: BTreeMap<String, (String, Value)>,
    components: Value,
}

/// The schemas, strict: a field that is not described is a fault of the document.
fn strict(document: &Value) -> Value {
    let mut components = document["components"].clone();
    let schemas = components["schemas"].as_object_mut().unwrap();
    let parts: BTreeSet<String> = schemas
        .values()
        .filter_map(|schema| schema["allOf"].as_array())
        .flatten()
        .filter_map(|part| part["$ref"].as_str()?.rsplit('/').next().map(str::to_owned))
        .collect();
    for (name, schema) in schemas.iter_mut() {
        if schema.get("allOf").is_some() {
            schema["unevaluatedProperties"] = json!(false);
        } else if schema.get("properties").is_some() && !parts.contains(name) {
            schema["additionalProperties"] = json!(false);
        }
    }
    components
}

impl Made {
    fn from(client: Client, document: &Value) -> Made {
        let mut operations = BTreeMap::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            if let Some(operation) = methods.get("get") {
                let id = operation["operationId"].as_str().unwrap().to_owned();
                operations.insert(id, (path.clone(), operation.clone()));
            }
        }
        Made { client, operations, components: strict(document) }
    }

    fn validator(&self, schema: &Value) -> Validator {
        let mut whole = schema.clone();
        whole["components"] = self.components.clone();
        jsonschema::validator_for(&whole).unwrap()
    }

    /// The schema of the answer to an operation in JSON.
    fn schema(&self, id: &str) -> Value {
        let (_, operation) = &self.operations[id];
        operation["responses"]["200"]["content"]["application/json"]["schema"].clone()
    }

    /// Calls an operation with values for its parameters, and holds the answer against the document.
    fn call(&self, id: &str, values: &[(&str, &str)]) -> Reply {
        let (path, operation) = &self.operations[id];
        let mut address = path.clone();
        let mut query = Vec::new();
        let mut left: BTreeMap<&str, &str> = values.iter().copied().collect();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            let value = left.remove(name);
            let place = parameter["in"].as_str().unwrap();
            assert!(value.is_some() || parameter["required"] != true, "{id}: `{name}` is required");
            match (place, value) {
                ("path", Some(value)) => {
                    let parts = address.split('/').map(|part| {
                        let named = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
                        if named.and_then(|named| named.split(':').next()) == Some(name) {
                            value
                        } else {
                            part
                        }
                    });
                    address = parts.collect::<Vec<_>>().join("/");
                }
                ("query", Some(value)) => query.push(format!("{name}={value}")),
                _ => {}
            }
        }
        assert!(left.is_empty(), "{id} has no parameters {left:?}");
        if !query.is_empty() {
            address = format!("{address}?{}", query.join("&"));
        }
        let reply = self.client.get(&address);
        let responses = operation["responses"].as_object().unwrap();
        let status = reply.status.to_string();
        let answer = responses.get(&status).or_else(|| (reply.status >= 400).then(|| &responses["default"]));
        let answer = answer.unwrap_or_else(|| panic!("{id}: {status} is not described"));
        let Some(content) = answer["content"].as_object() else {
            assert!(reply.bytes.is_empty(), "{id}: {}", reply.text());
            return reply;
        };
        let media_type = reply.header("content-type").unwrap().split(';').next().unwrap().to_owned();
        let described =
            content.get(&media_type).unwrap_or_else(|| panic!("{id}: {media_type} is not described"));
        if media_type.ends_with("json") {
            let body = reply.json();
            let faults: Vec<String> = self
                .validator(&described["schema"])
                .iter_errors(&body)
                .map(|fault| format!("{}: {fault}", fault.instance_path()))
                .collect();
            assert!(faults.is_empty(), "{id} {address}: {faults:#?}\n{body:#}");
        }
        reply
    }
}

/// Lists that grow, each with the operation that answers it.
const PAGED: [&str; 5] = ["listAccounts", "readAudit", "listEvents", "readEventAudit", "listEntrants"];

#[test]
fn a_client_made_from_the_document_understands_every_answer_of_a_real_server() {
    let (server, chief) = with_chief();
    let referee = somebody(&server, &chief, "referee");
    for event in ["e1", "e2"] {
        locked(&chief, event, 3, &json!({"opponents": "random"}));
    }
    // Something in every list.
    chief.put("/api/v1/events/e1/networks", &json!({"networks": ["127.0.0.0/8"]})).ok();
    let codes = chief.post("/api/v1/events/e1/seat-codes", &json!({"entrants": ["e001"]})).ok();
    let anybody = Client::new(&server.base);
    anybody.post("/api/v1/events/e1/seat", &json!({"code": codes["items"][0]["code"]})).ok();
    chief.post("/api/v1/events/e1/devices", &json!({"name": "Tablet 1", "table": 1, "seat": "A"})).ok();
    let hash = chief.get("/api/v1/events/e1").ok()["ruleset_hash"].clone();
    chief.put("/api/v1/events/e1/checkins/e001", &json!({"rules_hash": hash})).ok();
    let late = json!({"entrant": "e001", "code": "late", "reason": "六分钟"});
    referee.post("/api/v1/events/e1/warnings", &late).ok();
    play(&server, "e1", |_| true);
    let rule = |number: u32, decision: Value| {
        let body = json!({"number": number, "reason": "x", "decision": decision});
        referee.post("/api/v1/events/e1/rulings", &body).ok();
    };
    rule(1, json!({"status": {"board": 1, "entrant": "e001", "status": "A-"}}));
    rule(2, json!({"penalty": {"board": 2, "entrant": "e002", "amount": {"of-top": "1/10"}}}));
    let publish = json!({"state": "provisional", "reason": "x"});
    chief.post("/api/v1/events/e1/revisions", &publish).ok();
    chief.post("/api/v1/events/e1/reveal", &json!({"reason": "x"})).ok();
    let head = somebody(&server, &chief, "chief-referee");
    let pending = json!({"number": 3, "reason": "x", "decision": {"void": {"board": 2}}});
    head.post("/api/v1/events/e1/rulings", &pending).ok();

    let document = anybody.get("/api/openapi.json").ok();
    let made = Made::from(chief.clone(), &document);
    let account = chief.get("/api/v1/accounts").ok()["items"][0]["id"].as_str().unwrap().to_owned();
    let mut left: BTreeSet<&str> = made.operations.keys().map(String::as_str).collect();
    // The socket and the stream never end: they have tests of their own.
    for endless in ["play", "watchStandings"] {
        assert!(left.remove(endless), "{endless}");
    }
    // These need what no event has at the same time: the floor is there while an event is played.
    for (id, without) in [("getFloor", 409), ("getIncidents", 200)] {
        left.remove(id);
        assert_eq!(made.call(id, &[("event", "e2")]).status, 200, "{id}");
        assert_eq!(made.call(id, &[("event", "e1")]).status, without, "{id}");
    }
    // A live table is shown where nobody but computer players takes part: a test of its own reads one.
    left.remove("watchTable");
    assert_eq!(made.call("watchTable", &[("event", "e1")]).code(), "sealed");
    left.remove("getView");
    for (view, more) in [
        ("ranking", vec![]),
        ("cross-tab", vec![]),
        ("traveller", vec![("board", "1")]),
        ("card", vec![("entrant", "e001")]),
        ("seats", vec![]),
        ("versus", vec![("entrant", "e001"), ("other", "e002")]),
    ] {
        for format in ["json", "text", "csv", "xlsx"] {
            let mut values = vec![("event", "e1"), ("view", view), ("format", format)];
            values.extend(&more);
            assert_eq!(made.call("getView", &values).status, 200, "{view} {format}");
        }
    }
    let mut seen: BTreeMap<&str, Value> = BTreeMap::new();
    for id in left {
        let mut values = Vec::new();
        for part in made.operations[id].0.split('/').filter(|part| part.starts_with('{')) {
            values.push(match part {
                "{event}" => ("event", "e1"),
                "{board}" => ("board", "1"),
                "{table}" => ("table", "1"),
                "{stage}" => ("stage", "1"),
                "{game}" => ("game", "wakeng"),
                "{account}" => ("account", account.as_str()),
                "{file:.*}" => ("file", "index.html"),
                other => panic!("{id}: nobody has said what stands for {other}"),
            });
        }
        let reply = made.call(id, &values);
        assert!(reply.status < 400, "{id}: {}", reply.text());
        if reply.header("content-type") == Some("application/json") {
            let body = reply.json();
            let items = body["items"].as_array();
            // Wakeng knows no slow play.
            let empty = items.is_some_and(Vec::is_empty) && id != "getSlowPlay";
            assert!(!empty, "{id}: an empty list proves little");
            seen.insert(id, body);
        }
    }
    // The schema of one list does not fit another, so a wrong one would have been noticed.
    for id in PAGED {
        for other in PAGED {
            let fits = made.validator(&made.schema(other)).is_valid(&seen[id]);
            let same = made.schema(other) == made.schema(id);
            assert_eq!(fits, same, "{id} against the schema of {other}");
        }
    }
    assert_eq!(made.schema("readAudit"), made.schema("readEventAudit"));
    let names: BTreeSet<String> = PAGED.iter().map(|id| made.schema(id).to_string()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
    // Every door with a form is declared with every form.
    for format in ["json", "text", "csv", "xlsx"] {
        assert_eq!(made.call("getStandings", &[("event", "e1"), ("format", format)]).status, 200, "{format}");
    }
    assert_eq!(made.call("getView", &[("event", "e1"), ("view", "results"), ("format", "csv")]).status, 200);
    for file in ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"] {
        assert_eq!(made.call("docs", &[("file", file)]).status, 200, "{file}");
    }
    // Changed rules have fields that are numbers, texts, truths and lists.
    let changed = json!({"base": "zhuhai-2009", "play_s": 25, "calling": "stepped", "no_trump_may_open": false,
        "no_trump_barred": ["2", "K"], "big_points": {"name": "club", "cap": 32}});
    let body = json!({"id": "e3", "game": "tuolaji", "title": "x", "boards": 8, "format": "pairs",
        "rules": changed});
    chief.post("/api/v1/events", &body).ok();
    let event = made.call("getEvent", &[("event", "e3")]).json();
    assert!(event["changed_rules"]["fields"].as_array().unwrap().len() >= 5, "{event}");
    // A list is taken as a file, and what it answers is described.
    let import = &document["paths"]["/api/v1/events/{event}/entrants/import"]["post"];
    let body = &import["requestBody"]["content"]["text/csv"]["schema"];
    assert_eq!(body, &json!({"type": "string", "format": "binary"}));
    let door = "/api/v1/events/e3/entrants/import?dry_run=true";
    let report = chief.send("POST", door, Some("text/csv"), "name,partner\nA,A\nB\n".as_bytes()).ok();
    assert_eq!(
        (report["wrong"].as_array().unwrap().len(), report["flagged"].as_array().unwrap().len()),
        (1, 1)
    );
    let schema = &import["responses"]["200"]["content"]["application/json"]["schema"];
    let faults: Vec<String> =
        made.validator(schema).iter_errors(&report).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    // A page that goes on names the next one.
    let first = made.call("listEntrants", &[("event", "e1"), ("limit", "2")]).json();
    let next = first["next"].as_str().unwrap();
    let second = made.call("listEntrants", &[("event", "e1"), ("after", next)]).json();
    let ids = |page: &Value| -> Vec<String> {
        page["items"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect()
    };
    let mut all = [ids(&first), ids(&second)].concat();
    all.sort_unstable();
    assert_eq!((all, second.get("next")), (["e001", "e002", "e003"].map(str::to_owned).to_vec(), None));
}

/// Generators make a type of everything that has fields and call it by its title, else by where it stands: a variant of a
/// union by its place and the names of its fields, which are soon the same for two of them.
#[test]
fn every_variant_of_a_union_has_a_name_of_its_own() {
    fn unions<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
        match value {
            Value::Object(fields) => {
                for key in ["oneOf", "anyOf"] {
                    found.extend(fields.get(key).and_then(Value::as_array).into_iter().flatten());
                }
                fields.values().for_each(|inner| unions(inner, found));
            }
            Value::Array(items) => items.iter().for_each(|inner| unions(inner, found)),
            _ => {}
        }
    }
    let document = serde_json::to_value(fushi::web::api::table().open_api()).unwrap();
    let mut variants = Vec::new();
    unions(&document, &mut variants);
    let mut names: BTreeSet<String> =
        document["components"]["schemas"].as_object().unwrap().keys().cloned().collect();
    assert!(variants.len() > 10);
    for variant in variants {
        if variant.get("$ref").is_some() || variant["type"] == "null" {
            continue;
        }
        let title = variant["title"].as_str().unwrap_or_else(|| panic!("no title: {variant}"));
        assert!(names.insert(title.to_owned()), "{title} stands for two things");
        // Fields of fields have a schema of their own.
        for field in variant["properties"].as_object().into_iter().flat_map(|fields| fields.values()) {
            assert!(field.get("properties").is_none(), "{title}: {field}");
        }
    }
}

#[test]
fn no_two_types_stand_under_one_name_in_the_document() {
    let clashes: Vec<String> = fushi::web::api::table().clashes().into_iter().map(str::to_owned).collect();
    assert_eq!(clashes, Vec::<String>::new());
}
