//! Rebuilds when a migration is added or changed: they are embedded in the program.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
    println!("cargo::rerun-if-changed=build.rs");
}
