#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| landfall_fuzz::git_folder::feed(bytes));
