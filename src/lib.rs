//! fushi (复式, "duplicate"): competition software for card games.
//!
//! The rooms, lowest first; `use` lines point downwards only, and a test keeps it so.
//!
//! - [`words`]: languages and the sentences in them
//! - [`sabotage`]: what test builds can be told to do wrong
//! - [`delimited`]: lists as delimited text: encodings, delimiters, rows and their lines
//! - [`canonical`]: canonical JSON and hashes of it
//! - [`rng`]: draws without bias from a seed
//! - [`cards`]: suits, ranks, cards, sets, packs and their text form
//! - [`dealing`]: announcement, set keys, board seeds, shuffle, receipts, reveal
//! - [`games`]: the rules, each game a pure state machine behind one interface
//! - [`scoring`]: score rates, rankings, cross-tabulations in exact fractions
//! - [`formats`]: who sits where, when, with which board
//! - [`players`]: AI players, from a seat's view to an action
//! - [`client`]: playing over the network: the sample AI client and load tool
//! - [`journal`]: entries, hash chain, records, replay, the bundle
//! - [`event`]: one event: decisions, deals, results, and what keeps it
//! - [`desk`]: what organizers do: an event from announcement to publication
//! - [`tables`]: boards that people and programs play against the clock
//! - [`store`]: the database
//! - [`web`]: the server: HTTP API, the socket, health, metrics
//! - [`cli`]: one file per subcommand

pub mod canonical;
pub mod cards;
pub mod cli;
pub mod client;
pub mod dealing;
pub mod delimited;
pub mod desk;
pub mod event;
pub mod formats;
pub mod games;
pub mod journal;
pub mod players;
pub mod rng;
pub mod sabotage;
pub mod scoring;
pub mod store;
pub mod tables;
pub mod web;
pub mod words;
