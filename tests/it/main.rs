//! The integration tests: one binary, a file per room.

// A test that cannot go on says so by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bundle;
mod client;
mod commands;
mod conformance;
mod deal;
mod deal_statistics;
mod deal_vectors;
mod dealing;
mod demo;
mod evaluator;
mod formats;
mod holdem;
mod holdem_phh;
mod holdem_probe;
mod holdem_rulebook;
mod live;
mod notes;
mod players;
mod rank;
mod rank_xlsx;
mod scoring;
mod server;
mod socket;
mod store;
mod table_task;
mod tables;
mod tidy;
mod tuolaji;
mod tuolaji_agreement;
mod tuolaji_model;
mod tuolaji_players;
mod tuolaji_probe;
mod wakeng;
mod wakeng_golden;
mod wakeng_model;
mod wakeng_probe;
mod wakeng_start;
mod web_accounts;
mod web_doors;
mod web_events;
mod web_floor;
mod web_results;
mod web_serve;
