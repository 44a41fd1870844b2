//! The command line: one file per subcommand, no logic of its own.
//!
//! Exit codes: 0 all is well, 1 the input is wrong, 2 the command was used wrongly. Errors are one line on standard
//! error that says what to do.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Competition software for card games: sealed deals, enforced rules, exact scoring, offline proof.
#[derive(Parser, Debug)]
#[command(name = "fushi", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => run(&cli.command),
        Err(error) => {
            // Help and version go to standard output with exit code 0, mistakes to standard error with 2.
            let _ = error.print();
            ExitCode::from(if error.use_stderr() { 2 } else { 0 })
        }
    }
}

fn run(command: &Command) -> ExitCode {
    match *command {}
}
