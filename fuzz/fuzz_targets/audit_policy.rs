#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| landfall_fuzz::audit_policy::feed(bytes));
