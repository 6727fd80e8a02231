//! The target of `cargo fuzz` that is called like this program.
#![no_main]

mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::target(env!("CARGO_BIN_NAME"))(bytes));
