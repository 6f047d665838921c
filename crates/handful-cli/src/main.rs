//! The `handful` command.

fn main() {}
