//! The `fushi` program: hands its arguments to [`fushi::cli`].

fn main() -> std::process::ExitCode {
    fushi::cli::main()
}
