//! The library's names in the words of the command: settings become flags, functions become commands.

use crate::args::Cli;
use clap::CommandFactory;
use handful::Error;
use handful::internals::error::printable;

/// What the library names in backticks and no flag is called after.
const OTHER_NAMES: [(&str, &str); 7] = [
    ("replace", "--force"),
    ("Model::save", "`handful train`"),
    ("Model::open", "`handful fit --model`"),
    ("Fit::save", "`handful fit --out`"),
    ("Fit::open", "`handful infer --topic-model`"),
    ("Folder::for_protocol", "`handful compare --out`"),
    ("run", "`handful compare`"),
];

/// The error's sentence. Only the setting's name and the remedy are translated: what else stands in
/// backticks may be the user's.
pub fn sentence(error: &Error) -> String {
    let (whole, remedy) = (error.to_string(), error.remedy());
    let remedy = printable(&remedy);
    let start = whole.strip_suffix(&*remedy).expect("a sentence ends with the remedy");
    match error {
        Error::Unknown { .. } => whole,
        Error::Setting { name, .. } => {
            let flag = flag(name).unwrap_or_else(|| (*name).to_owned());
            format!("{flag} {}; {}", printable(&error.problem()), translated(&remedy))
        }
        _ => format!("{start}{}", translated(&remedy)),
    }
}

/// The words with every known name in backticks replaced.
pub fn translated(words: &str) -> String {
    let mut said = String::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('`')
        && let Some((name, after)) = after.split_once('`')
    {
        said.push_str(before);
        said.push_str(&on_command_line(name).unwrap_or_else(|| format!("`{name}`")));
        rest = after;
    }
    said + rest
}

/// What a name of the library is called on the command line.
fn on_command_line(name: &str) -> Option<String> {
    let other = OTHER_NAMES.iter().find(|(library, _)| *library == name);
    other.map(|(_, command)| (*command).to_owned()).or_else(|| flag(name))
}

/// The flag that is called after a setting, if any command has one.
fn flag(setting: &str) -> Option<String> {
    let name = setting.replace('_', "-");
    let cli = Cli::command();
    let mut commands = std::iter::once(&cli).chain(cli.get_subcommands());
    let is_there =
        commands.any(|command| command.get_arguments().any(|flag| flag.get_long() == Some(&name)));
    is_there.then(|| format!("--{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn settings_are_named_by_their_flags() {
        let error = Error::setting("support_rate", 1, "less than 1");
        assert_eq!(sentence(&error), "--support-rate is 1; it must be less than 1");
        let error = Error::input("here", "is too little", "lower `min_documents` or `topics`");
        assert_eq!(sentence(&error), "here: is too little; lower --min-documents or --topics");
    }

    #[test]
    fn a_setting_without_a_flag_keeps_its_name() {
        let error = Error::setting("dimension", 0, "at least 1");
        assert_eq!(sentence(&error), "dimension is 0; it must be at least 1");
    }

    #[test]
    fn functions_are_named_by_their_commands() {
        let error = Error::not_found("here", "is nothing", "give what `Model::save` wrote");
        assert_eq!(sentence(&error), "here: is nothing; give what `handful train` wrote");
    }

    #[test]
    fn what_a_user_named_is_never_taken_for_a_flag() {
        for error in [
            Error::unknown("target", "format", "there is none", "did you mean `topics`?"),
            Error::damaged("`model`", "has no tensor `topics`", "copy it again"),
            Error::input("`topics", "is odd", "give a `title` without a ` in it"),
        ] {
            assert_eq!(sentence(&error), error.to_string());
        }
    }

    #[test]
    fn other_names_are_commands_and_flags_that_exist() {
        let cli = Cli::command();
        for (_, command) in OTHER_NAMES {
            let words: Vec<&str> = command.trim_matches('`').split(' ').collect();
            let (flags, names): (Vec<&str>, Vec<&str>) =
                words.into_iter().partition(|word| word.starts_with("--"));
            if let [_, name] = names[..] {
                assert!(cli.find_subcommand(name).is_some(), "{command}");
            }
            for flag in flags {
                assert!(super::flag(flag.trim_start_matches('-')).is_some(), "{command}");
            }
        }
    }

    /// Names in backticks, on lines of code before the tests.
    fn names_in(folder: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                names_in(&path, names);
            } else if !path.ends_with("tests.rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                    let quoted = line.split('`').skip(1).step_by(2);
                    let is_name = |c: char| c.is_alphanumeric() || "_:".contains(c);
                    let quoted = quoted.filter(|name| name.len() > 1 && name.chars().all(is_name));
                    names.extend(quoted.map(str::to_owned));
                }
            }
        }
    }

    #[test]
    fn every_name_that_the_library_writes_is_known_here() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut names = Vec::new();
        for library in ["handful", "handful-lab"] {
            names_in(&crates.join(library).join("src"), &mut names);
        }
        assert!(names.iter().any(|name| name == "min_documents"), "{names:?}");
        // The name of a prior, and what stands for several methods.
        names.retain(|name| !["handful", "all", "ablations"].contains(&&**name));
        let unknown: Vec<_> = names.iter().filter(|name| on_command_line(name).is_none()).collect();
        assert!(unknown.is_empty(), "no flag or command is known for {unknown:?}");
    }
}
