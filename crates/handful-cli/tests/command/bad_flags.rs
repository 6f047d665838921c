//! Flags outside their ranges.

use crate::support::{TINY, Workspace};

/// Each of these is refused with a sentence that has the given parts, and nothing is written.
fn refused(workspace: &Workspace, command: &str, cases: &[(&str, &[&str])]) {
    let before = workspace.names(".");
    for (flags, parts) in cases {
        let message = workspace.run(&format!("{command} {flags}")).usage_error();
        for part in *parts {
            assert!(message.contains(part), "{flags}: {part} is not in {message}");
        }
        assert_eq!(workspace.names("."), before, "{flags}");
    }
}

#[test]
fn corpora_to_exclude_or_to_validate_on_must_exist() {
    let workspace = Workspace::with_corpora();
    refused(
        &workspace,
        "train corpora -o model --hidden 4 --max-steps 2 -q",
        &[
            ("--exclude ceder", &["handful: exclude `ceder`", "did you mean `cedar`?"]),
            ("--validation elf", &["handful: validation `elf`", "did you mean `elm`?"]),
            ("--exclude elm --validation elm", &["handful: corpus elm: is both excluded and"]),
            (
                "--exclude alder --exclude birch --exclude cedar",
                &[
                    "handful: --validation-corpora is 3",
                    "less than the number of usable corpora, 3",
                ],
            ),
            (
                "--validation alder --validation birch --validation cedar --validation elm \
                 --validation rowan --validation yew",
                &["handful: the corpora: none is left to train on"],
            ),
        ],
    );
}

#[test]
fn an_output_needs_a_name() {
    let workspace = Workspace::with_model();
    refused(&workspace, "train corpora", &[("", &["--out"])]);
    for out in ["..", "/"] {
        let flags = format!("-o {out} --force {TINY}");
        refused(&workspace, "train corpora", &[(&flags, &["handful: ", "is no name for"])]);
        let flags = format!("--out {out} --force");
        refused(&workspace, "fit a.txt --model model", &[(&flags, &["handful: ", "is no name"])]);
    }
}
