//! The tests of faults are seen to fail: each is run again in a process of its own, with the protection left out on
//! which its promise rests, and must fail for that reason. (R1, R3 and R4 in `tables`, R2 in `power`, R5 in `secrecy`.)

use std::process::Command;

use fushi::sabotage::Sabotage;

/// A fault that needs an unlucky moment is tried for so often.
const TRIES: usize = 8;

/// Runs a test of this binary with a protection left out: whether it is passed, and what it says.
fn without(left_out: Sabotage, test: &str) -> (bool, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--test-threads=1"])
        .env("FUSHI_SABOTAGE", left_out.word())
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap();
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.push_str(&String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("running 1 test"), "{test} is no test: {said}");
    (output.status.success(), said)
}

/// A test must fail without a protection, and say these words.
fn found_out(left_out: Sabotage, test: &str, words: &str) {
    let (passed, said) = without(left_out, test);
    assert!(!passed, "{test} is passed with {}", left_out.word());
    assert!(said.contains(words), "{test} fails with {}, but for another reason: {said}", left_out.word());
}

#[cfg(target_os = "linux")]
#[test]
fn r7_tables_that_follow_the_wall_clock_are_found_out() {
    let test = "live::r7_a_wall_clock_that_jumps_charges_nobody";
    found_out(Sabotage::WallClock, test, "somebody is charged");
}

#[test]
fn r8_a_queue_without_a_bound_is_found_out() {
    let test = "socket::r8_a_player_who_reads_a_byte_a_second_holds_nobody_up";
    found_out(Sabotage::Queue, test, "it is kept for ever");
}

#[cfg(target_os = "linux")]
#[test]
fn r8_a_spectator_who_is_never_given_up_is_found_out() {
    let test = "web_results::r8_a_spectator_who_reads_a_byte_a_second_is_given_up";
    found_out(Sabotage::Queue, test, "it is kept for ever");
}

fn let_through(left_out: Sabotage, attack: &str) {
    let words = format!("these got through: [\"{attack}\"]");
    found_out(left_out, "hostile::r9_no_attack_gets_through", &words);
}

#[test]
fn r9_a_server_that_lets_pages_of_other_servers_in_is_found_out() {
    let_through(Sabotage::Origin, "a page of another server");
}

#[test]
fn r9_a_server_to_which_a_cookie_is_enough_is_found_out() {
    let_through(Sabotage::Csrf, "a cookie alone");
}

#[test]
fn r9_a_server_that_reads_messages_of_any_length_is_found_out() {
    let_through(Sabotage::Frames, "a megabyte at once");
}

#[test]
fn r9_a_server_that_takes_any_number_of_messages_is_found_out() {
    let_through(Sabotage::Flood, "a flood");
}

#[test]
fn r13_a_check_without_the_manifest_is_found_out() {
    let test = "bundle::flipping_any_single_byte_is_rejected_with_the_place_named";
    found_out(Sabotage::Manifest, test, "`Result::unwrap_err()` on an `Ok` value");
}

#[test]
fn r14_a_backup_without_the_write_ahead_log_is_found_out() {
    let test = "live::r14_a_backup_during_play_loses_nothing_older";
    // Just after the database has emptied its log by itself, its file alone is whole.
    let found = (0..TRIES).any(|_| {
        let (passed, said) = without(Sabotage::MainFile, test);
        assert!(passed || said.contains("the backup is not whole"), "it fails for another reason: {said}");
        !passed
    });
    assert!(found, "{test} is passed {TRIES} times with {}", Sabotage::MainFile.word());
}
