//! No-limit hold'em (德州扑克), two to ten seats.

pub mod eval;
