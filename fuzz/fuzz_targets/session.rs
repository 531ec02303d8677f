#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| landfall_fuzz::session::feed(bytes));
