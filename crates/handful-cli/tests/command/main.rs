//! The `handful` command, run as a user runs it.

mod bad_flags;
mod bad_input;
mod bad_model;
mod compact;
mod compare;
mod compare_bad_input;
mod compare_groups;
mod compare_range;
mod compare_recomputed;
mod compare_resumed;
mod damaged_bytes;
mod determinism;
mod evaluate;
mod examples;
mod exports;
mod fit;
mod fit_out;
mod formats;
mod full_disk;
mod infer;
mod inspect;
mod never_fails;
mod new_words;
mod old_directories;
mod pretrained;
mod prior_handful;
mod report;
mod resume;
mod schema;
mod shown;
#[cfg(unix)]
mod simd_level;
mod streams;
mod support;
mod train;
mod ways_in;
