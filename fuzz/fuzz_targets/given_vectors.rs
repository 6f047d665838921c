#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| handful_fuzz::given_vectors(bytes));
