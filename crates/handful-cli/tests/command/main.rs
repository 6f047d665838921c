//! The `handful` command, run as a user runs it.

mod bad_flags;
mod bad_input;
mod bad_model;
mod compact;
mod compare;
mod compare_bad_input;
mod compare_blends;
mod compare_groups;
mod compare_model;
mod compare_number;
mod compare_passages;
mod compare_range;
mod compare_recomputed;
mod compare_resumed;
mod compare_shapes;
mod compare_telling;
mod compare_vectors;
mod confidential_texts;
mod damaged_bytes;
mod determinism;
mod evaluate;
mod examples;
mod exports;
#[cfg(target_os = "linux")]
mod faults;
mod fit;
mod fit_groups;
mod fit_out;
mod formats;
mod full_disk;
#[cfg(unix)]
mod hostile_input;
mod infer;
mod inspect;
mod integrity;
mod languages;
mod licenses;
mod names;
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
mod terminal_escapes;
mod train;
mod ways_in;
mod writers;
