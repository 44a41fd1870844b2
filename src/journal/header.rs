//! The first line of a record: which game, which rules, which cards. And the receipt made of it.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::entry::RulesRef;
use crate::canonical;
use crate::games::{Fault, Game, GameKind, StartError, rulesets};
use crate::words::{Message, message};

/// A validated header.
#[derive(Clone, Debug, PartialEq)]
pub struct Header<G: Game> {
    /// The board's name, such as `demo/7`; absent for a bare position.
    pub board: Option<String>,
    /// How the rules are named.
    pub rules_ref: RulesRef,
    /// The rules.
    pub rules: Arc<G::Rules>,
    /// Deal or position with the settings of the board.
    pub start: G::Start,
}

/// The longest board name, in characters.
pub const BOARD_NAME_MAX: usize = 200;

/// The game that a header names.
///
/// # Errors
/// Missing or unknown version or game.
pub fn game_of(header: &Map<String, Value>) -> Result<GameKind, Vec<Fault>> {
    let mut faults = Vec::new();
    match header.get("fushi") {
        Some(Value::Number(version)) if version.as_u64() == Some(1) => {}
        other => faults.push(Fault::new("unknown_version", message!("header-version", shown = shown(other)))),
    }
    let kind = match header.get("game") {
        Some(Value::String(name)) => {
            let kind = GameKind::ALL.into_iter().find(|kind| kind.name() == name);
            if kind.is_none() {
                let known = GameKind::ALL.map(GameKind::name);
                faults.push(Fault::new("unknown_game", rulesets::not_known("game", name, &known)));
            }
            kind
        }
        other => {
            faults.push(Fault::new("unknown_game", message!("header-game", shown = shown(other))));
            None
        }
    };
    match kind {
        Some(kind) if faults.is_empty() => Ok(kind),
        _ => Err(faults),
    }
}

fn shown(value: Option<&Value>) -> Message {
    match value {
        None => message!("header-missing"),
        Some(value) => value.to_string().chars().take(60).collect::<String>().into(),
    }
}

impl<G: Game> Header<G> {
    /// A header for a board under a named ruleset.
    pub fn new(board: impl Into<String>, rules: Arc<G::Rules>, start: G::Start) -> Header<G> {
        use crate::games::Ruleset as _;
        let rules_ref = RulesRef::Named(rules.name().to_owned());
        Header { board: Some(board.into()), rules_ref, rules, start }
    }

    /// Reads a header line's object. `extra` are rulesets beside the shipped ones that `ruleset` may name.
    ///
    /// # Errors
    /// Every inconsistency, as `bad_header` or `bad_deal`.
    pub fn read(mut header: Map<String, Value>, extra: &[Arc<G::Rules>]) -> Result<Header<G>, StartError> {
        game_of(&header).map_err(StartError::Header)?;
        header.shift_remove("fushi");
        header.shift_remove("game");
        let mut faults = Vec::new();
        let board = match header.shift_remove("board") {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) if name.chars().count() <= BOARD_NAME_MAX => Some(name),
            Some(_) => {
                faults
                    .push(Fault::new("bad_board", message!("header-board", board_name_max = BOARD_NAME_MAX)));
                None
            }
        };
        let (rules_ref, rules) =
            match read_rules::<G>(header.shift_remove("ruleset"), header.shift_remove("rules"), extra) {
                Ok(found) => found,
                Err(more) => {
                    faults.extend(more);
                    return Err(StartError::Header(faults));
                }
            };
        match G::read_start(&rules, &header) {
            Ok(start) if faults.is_empty() => Ok(Header { board, rules_ref, rules, start }),
            Ok(_) => Err(StartError::Header(faults)),
            Err(StartError::Deal(more)) if faults.is_empty() => Err(StartError::Deal(more)),
            Err(StartError::Header(more) | StartError::Deal(more)) => {
                faults.extend(more);
                Err(StartError::Header(faults))
            }
        }
    }

    /// The header line's object, in the order in which people read it.
    #[must_use]
    pub fn write(&self) -> Map<String, Value> {
        let mut header = self.preamble();
        header.extend(G::write_start(&self.start));
        header
    }

    fn preamble(&self) -> Map<String, Value> {
        let mut header = Map::new();
        header.insert("fushi".to_owned(), 1.into());
        header.insert("game".to_owned(), G::KIND.name().into());
        match &self.rules_ref {
            RulesRef::Named(name) => header.insert("ruleset".to_owned(), name.as_str().into()),
            RulesRef::Overridden(fields) => header.insert("rules".to_owned(), Value::Object(fields.clone())),
        };
        if let Some(board) = &self.board {
            header.insert("board".to_owned(), board.as_str().into());
        }
        header
    }

    /// SHA-256 of the canonical JSON of the deal (or position), lower-case hex: what the receipt commits to.
    #[must_use]
    pub fn deal_hash(&self) -> String {
        let start = G::write_start(&self.start);
        let secret = start.get("deal").or_else(|| start.get("position")).cloned().unwrap_or_default();
        // Deals and positions hold texts and integers only, which always have a canonical form.
        hex::encode(canonical::hash_of(&secret).unwrap_or_default())
    }

    /// The canonical bytes of the journal's first entry: the header with the cards replaced by their hash
    /// (`deal_sha256` or `position_sha256`). It opens the chain.
    #[must_use]
    pub fn receipt(&self) -> String {
        let mut receipt = self.preamble();
        for (key, value) in G::write_start(&self.start) {
            match key.as_str() {
                "deal" | "position" => {
                    let hash = hex::encode(canonical::hash_of(&value).unwrap_or_default());
                    receipt.insert(format!("{key}_sha256"), hash.into());
                }
                _ => {
                    receipt.insert(key, value);
                }
            }
        }
        canonical::to_string(&receipt).unwrap_or_default()
    }
}

type Rules<G> = (RulesRef, Arc<<G as Game>::Rules>);

fn read_rules<G: Game>(
    ruleset: Option<Value>,
    rules: Option<Value>,
    extra: &[Arc<G::Rules>],
) -> Result<Rules<G>, Vec<Fault>> {
    use crate::games::Ruleset as _;
    match (ruleset, rules) {
        (Some(Value::String(name)), None) => {
            if let Some(rules) = extra.iter().find(|rules| rules.name() == name) {
                return Ok((RulesRef::Named(name), Arc::clone(rules)));
            }
            let rules = rulesets::shipped::<G>(&name)?;
            Ok((RulesRef::Named(name), rules))
        }
        (None, Some(Value::Object(fields))) => {
            let rules = rulesets::overridden::<G>(&fields)?;
            Ok((RulesRef::Overridden(fields), rules))
        }
        (Some(_), Some(_)) => Err(vec![Fault::new("two_rulesets", message!("header-two-rulesets"))]),
        (None, None) => Err(vec![Fault::new(
            "no_ruleset",
            message!(
                "header-no-ruleset",
                known = G::RULESETS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
            ),
        )]),
        (Some(_), None) => Err(vec![Fault::new("bad_ruleset", message!("header-ruleset-name"))]),
        (None, Some(_)) => Err(vec![Fault::new("bad_ruleset", message!("header-rules-object"))]),
    }
}
