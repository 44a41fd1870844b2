//! The integration tests: one binary, a file per room.

// A test that cannot go on says so by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod dealing;
mod evaluator;
mod formats;
mod store;
mod tidy;
mod tuolaji;
mod tuolaji_agreement;
mod tuolaji_model;
