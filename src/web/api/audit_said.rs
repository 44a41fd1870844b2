//! The audit log in words: identifiers of fields, states, orders and roles are for programs, and stand in the entry's
//! `act`, `reason` and `details`; whoever reads the log on a page reads these.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::desk::looks;
use crate::scoring::said;
use crate::words::{Lang, Message, find, say, terms};

/// A field that an act changed.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChangedWords {
    /// What was changed, in words.
    what: String,
    /// What it was, in words; absent where there was nothing before.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    /// What it is, in words; absent where there is nothing after.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
}

/// Whom and what identifiers of an event mean.
#[derive(Debug, Default)]
pub struct Called {
    /// Names of entrants and devices by their id.
    pub names: BTreeMap<String, String>,
    /// Whether entrants are pairs.
    pub pairs: bool,
}

/// An entry of the audit log to be put into words.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'r> {
    /// The language.
    pub lang: Lang,
    /// Names.
    pub called: &'r Called,
    /// The act's code.
    pub act: &'r str,
}

impl Reader<'_> {
    fn word(&self, id: &'static str) -> String {
        say(self.lang, &Message::plain(id))
    }

    fn name(&self, id: &str) -> String {
        self.called.names.get(id).cloned().unwrap_or_else(|| id.to_owned())
    }

    /// The reason: what a person wrote stays as it is, what the program noted has words.
    #[must_use]
    pub fn reason(&self, reason: &str) -> String {
        match (self.act, reason) {
            ("publish", state) => say(self.lang, &terms::state(state)),
            ("seat-token", entrant) => self.name(entrant),
            ("read-key", why) => self.word(match why {
                "to commit to the deals" => "audit-key-commit",
                "to draw the seats" => "audit-key-draw",
                "to draw lots" => "audit-key-lots",
                "to deal the boards" => "audit-key-deal",
                "to show results" => "audit-key-show",
                "to write the bundle" => "audit-key-bundle",
                "to reveal" => "audit-key-reveal",
                _ => return why.to_owned(),
            }),
            ("reveal", "all boards are finished at every table") => self.word("audit-reveal-over"),
            (_, written) => written.to_owned(),
        }
    }

    /// What an act changed: the fields that differ, or all of them where there was nothing before.
    #[must_use]
    pub fn changes(&self, details: &Value) -> Vec<ChangedWords> {
        let both = details.get("before").is_some() || details.get("after").is_some();
        let (before, after) = if both {
            (self.fields(&details["before"]), self.fields(&details["after"]))
        } else {
            (Map::new(), self.fields(details))
        };
        let mut paths: Vec<&String> = before.keys().collect();
        paths.extend(after.keys().filter(|path| !before.contains_key(*path)));
        let changed = paths.into_iter().filter(|path| before.get(*path) != after.get(*path));
        let said = |path: &String, side: &Map<String, Value>| side.get(path).map(|one| self.value(path, one));
        changed
            .map(|path| ChangedWords {
                what: self.field(path),
                before: said(path, &before),
                after: said(path, &after),
            })
            .collect()
    }

    /// The fields of one side that people read, by their path.
    fn fields(&self, side: &Value) -> Map<String, Value> {
        let mut found = Map::new();
        gather(side, "", &mut found);
        found.retain(|path, value| !value.is_null() && !self.idle(path));
        found
    }

    /// What says nothing to people: identifiers of what is named beside them, and what the entry says by itself.
    fn idle(&self, path: &str) -> bool {
        match path {
            "id" | "session" | "created_us" | "draw.at" | "opened" | "line" => true,
            "at" => self.act == "lock",
            // What leads from a look into hands to its line and its person (`desk::looks`).
            "lines" | "name" => self.act == looks::ACT,
            "member" => !self.called.pairs,
            _ => false,
        }
    }

    /// What a field is called.
    fn field(&self, path: &str) -> String {
        let id = match path {
            "" => match self.act {
                "freeze" => "audit-field-frozen",
                "set-networks" => "venue-networks",
                _ => "audit-field-state",
            },
            "title" => "org-field-title",
            "game" => "org-field-game",
            "format" => "org-field-format",
            "positions" | "seat" => "watch-seat",
            "boards" => "org-field-boards",
            "boards_per_round" => "org-field-per-round",
            "reserve_boards" => "org-field-reserve",
            "fill" => "org-field-fill",
            "opponents" => "org-field-level",
            "measure" => "scoring-measure",
            "language" => "org-field-language",
            "state" => "audit-field-state",
            "ruleset_hash" | "rules_hash" => "rules-hash",
            "changed_rules.base" => "audit-field-base",
            "changed_rules.fields" => "rules-fields",
            "live.pace" => "org-field-pace",
            "live.round_minutes" => "org-field-minutes",
            "live.ai_delay_ms" => "audit-field-ai-delay",
            "live.grace_ms" => "audit-field-grace",
            "live.late_s" => "org-field-late",
            "live.between_s" => "org-field-between",
            "live.auto_rounds" => "audit-field-auto",
            "live.alarm_s" => "floor-field-alarm",
            "live.absent_s" => "org-field-absent",
            "words" => "audit-field-words",
            "scoring.method" => "scoring-method",
            "scoring.equalise" => "scoring-equalise",
            "scoring.lone" => "scoring-lone",
            "scoring.style" => "scoring-style",
            "scoring.min_boards" => "scoring-min-boards",
            "scoring.tie_break" => "scoring-ties",
            "scoring.awards.plus" => "rulings-status-a-plus",
            "scoring.awards.even" => "rulings-status-a",
            "scoring.awards.minus" => "rulings-status-a-minus",
            "scoring.awards.imps" => "scoring-award-imps",
            "scoring.awards.own_average" => "scoring-own",
            "scoring.imp_table.name" | "scoring.imp_table.thresholds" => "audit-field-imps",
            "scoring.imp_table.scale" => "scoring-imp-scale",
            "scoring.butler.trim" => "scoring-trim",
            "scoring.butler.trim_from" => "scoring-trim-from",
            "scoring.butler.datum_rounding" => "scoring-rounding",
            "delayed" | "draw.delayed" => "audit-field-delayed",
            "delayed.description" | "value" => "org-delayed-value",
            "delayed.form" => "audit-field-form",
            "delayed.length" => "org-field-digits",
            "delayed.known_after" => "org-field-after",
            "announcement" => "audit-field-announcement",
            "seed" | "draw.seed" => "audit-field-seed",
            "order" if self.act == "lock" => "audit-field-list",
            "draw.order" => "audit-field-list",
            "order" => "audit-field-order",
            "entrant" | "entrants" | "ids" => "org-players",
            "round" => "orgjs-col-round",
            "rounds" => "audit-field-rounds",
            "paused" => "pages-state-paused",
            "table" => "play-table",
            "stage" => "audit-field-stage",
            "board" => "watch-board",
            "member" => "org-warn-who",
            "ms" => "audit-field-time",
            "ended" => "audit-field-ended",
            "code" => "org-warn-code",
            "name" => match self.act {
                "enrol-device" => "venue-devices",
                "add-entrant" | "withdraw-entrant" | "correct-entrant" => "org-col-name",
                _ => "pages-login-name",
            },
            "device" => "venue-devices",
            "level" => "org-single-level",
            "display" => "accounts-display",
            "grants" => "accounts-role",
            "disabled" => "audit-field-disabled",
            "failures" => "audit-field-failures",
            "number" => match self.act {
                "add-entrant" | "withdraw-entrant" | "correct-entrant" => "org-col-number",
                _ => "audit-field-ruling",
            },
            "club" => "org-single-club",
            "region" => "org-single-region",
            "host" => "org-field-host",
            "one_account" => "org-one-account",
            other => match round_robin(other) {
                Some(id) => id,
                None => return other.to_owned(),
            },
        };
        self.word(id)
    }

    /// What a field has.
    fn value(&self, path: &str, value: &Value) -> String {
        let yes = |yes| self.word(if yes { "audit-yes" } else { "audit-no" });
        match value {
            Value::Null => "–".to_owned(),
            Value::Bool(flag) => yes(*flag),
            Value::Number(number) if path.ends_with("ms") => {
                let ms = number.as_f64().unwrap_or(0.0);
                say(self.lang, &Message::plain("audit-seconds").with("seconds", ms / 1000.0))
            }
            Value::Number(number) if path == "member" => {
                self.word(if number.as_u64() == Some(0) { "audit-first" } else { "audit-second" })
            }
            Value::Number(number) if path.ends_with("known_after") => number
                .as_i64()
                .and_then(chrono::DateTime::from_timestamp_micros)
                .map_or_else(|| "–".to_owned(), |at| at.format("%Y-%m-%d %H:%M UTC").to_string()),
            Value::Number(number) => number.to_string(),
            Value::String(text) => self.text(path, text),
            Value::Array(items) if path == "positions" => {
                let seats = items.iter().map(|seats| {
                    let names = seats.as_array().into_iter().flatten().filter_map(Value::as_str);
                    terms::seat(self.lang, &names.collect::<String>())
                });
                self.list(seats)
            }
            Value::Array(items) => self.list(items.iter().map(|item| self.value(path, item))),
            Value::Object(fields) if path == "grants" => {
                let role = fields.get("role").and_then(Value::as_str).unwrap_or_default();
                let role = self.role(role);
                match fields.get("event").and_then(Value::as_str) {
                    Some(event) => format!("{role} ({event})"),
                    None => role,
                }
            }
            Value::Object(fields) => {
                self.list(fields.iter().map(|(key, one)| self.value(&format!("{path}.{key}"), one)))
            }
        }
    }

    fn list(&self, items: impl Iterator<Item = String>) -> String {
        let between = if self.lang == Lang::En { ", " } else { "、" };
        items.collect::<Vec<_>>().join(between)
    }

    fn role(&self, role: &str) -> String {
        find(self.lang, &format!("names-role-{role}")).unwrap_or_else(|| role.to_owned())
    }

    /// A text: some are identifiers that have words.
    fn text(&self, path: &str, text: &str) -> String {
        let worded = match path {
            "entrant" | "entrants" | "ids" | "device" | "draw.order" => return self.name(text),
            "order" if self.act == "lock" => return self.name(text),
            "order" => format!("audit-order-{text}"),
            "" if self.act == "publish-reason" => return say(self.lang, &terms::state(text)),
            "state" if self.act == "mark-call" => format!("audit-call-{text}"),
            "state" => return say(self.lang, &terms::state(text)),
            "seat" => return terms::seat(self.lang, text),
            "code" => format!("play-warned-{text}"),
            "game" => format!("pages-game-{text}"),
            "format" => format!("pages-format-{text}"),
            "fill" => format!("org-fill-{text}"),
            "live.pace" => format!("org-pace-{text}"),
            "measure" => format!("scoring-measure-{}", text.trim_end_matches("-points")),
            "changed_rules.base" => format!("names-rules-{text}"),
            "opponents" | "level" => {
                format!("names-level-{}", text.rsplit_once('-').map_or(text, |(_, end)| end))
            }
            "delayed.form" => format!("audit-form-{text}"),
            "scoring.method" => return self.scored(text, said::method),
            "scoring.equalise" => return self.scored(text, said::equalise),
            "scoring.lone" => return self.scored(text, said::lone),
            "scoring.tie_break" => format!("rank-step-{text}"),
            "round_robin.carry" => format!("groups-carry-{text}"),
            "round_robin.seeding" => format!("groups-seeding-{text}"),
            "language" => {
                return text
                    .parse()
                    .map_or_else(|_| text.to_owned(), |lang: Lang| lang.own_name().to_owned());
            }
            _ => return text.to_owned(),
        };
        find(self.lang, &worded).unwrap_or_else(|| text.to_owned())
    }

    fn scored<T: std::str::FromStr>(&self, text: &str, id: impl Fn(T) -> &'static str) -> String {
        text.parse().map_or_else(|_| text.to_owned(), |known| self.word(id(known)))
    }
}

/// The words of a field of a round-robin.
fn round_robin(path: &str) -> Option<&'static str> {
    Some(match path.strip_prefix("round_robin.")? {
        "group_size" => "groups-size",
        "deals" => "groups-deals",
        "win" => "groups-win",
        "draw" => "groups-draw",
        "loss" => "groups-loss",
        "final" => "groups-final",
        "quota" => "groups-quota",
        "wild" => "groups-wild",
        "carry" => "groups-carry",
        "seeding" => "groups-seeding",
        "final_size" => "groups-final-size",
        "final_deals" => "groups-final-deals",
        pins if pins.starts_with("pins") => "groups-pins",
        _ => return None,
    })
}

/// The fields of a value by their paths; lists stay whole.
fn gather(value: &Value, path: &str, found: &mut Map<String, Value>) {
    match value {
        Value::Object(fields) => {
            for (key, one) in fields {
                let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                gather(one, &inner, found);
            }
        }
        _ => {
            found.insert(path.to_owned(), value.clone());
        }
    }
}
