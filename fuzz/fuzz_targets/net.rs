//! Any bytes as a net, and as changes of one: an error, or a net that comes back and gives values in its bounds.
#![no_main]

#[path = "../../crates/engine/tests/net_file.rs"]
#[allow(dead_code, reason = "a target takes its own property")]
mod net_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| net_file::any_net(bytes));
