//! The integration tests: one binary, a file per room.

// A test that cannot go on says so by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod conformance;
mod dealing;
mod evaluator;
mod holdem;
mod store;
mod tidy;
mod wakeng_probe;
