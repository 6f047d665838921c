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
fn settings_of_training_have_ranges() {
    let workspace = Workspace::with_corpora();
    let rate: &[&str] = &["handful: --support-rate is ", "at least 0 and less than 1"];
    refused(
        &workspace,
        "train corpora -o model",
        &[
            ("--topics 0", &["handful: --topics is 0; it must be at least 1"]),
            ("--support-rate 1.5", rate),
            ("--support-rate 1", rate),
            ("--support-rate nan", rate),
            ("--support-rate inf", rate),
            ("--support-rate=-0.1", rate),
            ("--support-rate -0.1", rate),
            ("--support-rate much", &["'much'", "--support-rate"]),
            ("--dropout 1", &["handful: --dropout is 1; it must be at least 0 and less than 1"]),
            ("--dropout=-0.5", &["handful: --dropout is -0.5; it must be at least 0"]),
            ("--dropout NaN", &["handful: --dropout is NaN"]),
            ("--em-steps -1", &["-1", "--em-steps"]),
            ("--em-steps=-1", &["'-1'", "--em-steps"]),
            ("--hidden 0", &["handful: --hidden is 0; it must be at least 1"]),
            ("--prior iwata --layers 1", &["handful: --layers is 1; it must be at least 2"]),
            (
                "--prior iwata --hidden-f-a 0",
                &["handful: --hidden-f-a is 0; it must be at least 1"],
            ),
            ("--prior iwata --activation step", &["'step'", "relu", "leaky-relu", "tanh"]),
            ("--activation tanh", &["--activation is given", "with `--prior iwata`"]),
            ("--network-input shares", &["--network-input is given", "with `--prior iwata`"]),
            ("--prior maml --hidden-g-r 8", &["--hidden-g-r is given", "with `--prior iwata`"]),
            (
                "--prior iwata --no-corpus-representation --representation-size 4",
                &["--no-corpus-representation", "--representation-size"],
            ),
            ("--layers 2", &["--layers is given; it must be left out, or with `--prior iwata`"]),
            ("--prior iwata --themes 8", &["--themes is given", "with `--prior handful`"]),
            ("--prior free --fixed", &["--fixed is given", "with `--prior handful`"]),
            ("--inner-steps 2", &["--inner-steps is given", "with `--prior maml`"]),
            ("--learning-rate 0", &["handful: --learning-rate is 0; it must be a number above 0"]),
            ("--learning-rate inf", &["handful: --learning-rate is inf"]),
            ("--clip-norm -1", &["handful: --clip-norm is -1"]),
            ("--support-size 0", &["handful: --support-size is 0"]),
            ("--episodes-per-step 0", &["handful: --episodes-per-step is 0"]),
            ("--max-steps 0", &["handful: --max-steps is 0"]),
            ("--validation-every 0", &["handful: --validation-every is 0"]),
            ("--validation-tasks 0", &["handful: --validation-tasks is 0"]),
            ("--patience 0", &["handful: --patience is 0"]),
            ("--checkpoint-every 0", &["handful: --checkpoint-every is 0"]),
            ("--min-length 0", &["handful: --min-length is 0"]),
            ("--min-documents 0", &["handful: --min-documents is 0"]),
            ("--min-corpora 0", &["handful: --min-corpora is 0"]),
            ("--max-terms 0", &["handful: --max-terms is 0"]),
            ("--max-document-share 0", &["handful: --max-document-share is 0"]),
            ("--max-document-share 1.5", &["handful: --max-document-share is 1.5"]),
            ("--threads 0", &["--threads"]),
            ("--prior magic", &["'magic'", "iwata", "free", "maml"]),
            (
                "--prior free --hidden 8",
                &["--hidden is given", "`--prior handful` or `--prior iwata`"],
            ),
            ("--prior maml --inner-rate 0", &["handful: --inner-rate is 0"]),
            ("--prior maml --inner-rate nan", &["handful: --inner-rate is NaN"]),
            ("--prior maml --inner-steps 100000", &["handful: --inner-steps is 100000"]),
            ("--validation-corpora 6", &["handful: --validation-corpora is 6", "less than"]),
            ("--validation elm --validation-corpora 2", &["--validation"]),
            ("--stop-words nowhere.txt", &["handful: nowhere.txt: "]),
            ("--no-such-flag", &["--no-such-flag"]),
        ],
    );
}

#[test]
fn what_no_memory_holds_is_refused() {
    let workspace = Workspace::with_corpora();
    let flags = "--topics --hidden --layers --em-steps --episodes-per-step --validation-tasks \
                 --hidden-f-r --hidden-g-r --hidden-f-a --hidden-f-b --representation-size";
    for flag in flags.split_whitespace() {
        for value in [100_000_000_000, u64::MAX] {
            let line =
                format!("train corpora --prior iwata -o model -q --max-steps 1 {flag} {value}");
            let message = workspace.run(&line).refusal();
            assert!(message.contains(flag), "{line}: {message}");
        }
    }
    assert_eq!(workspace.names("."), ["corpora"]);
}

#[test]
fn settings_of_other_commands_have_ranges() {
    let workspace = Workspace::with_model();
    let rate: &[&str] = &["handful: --support-rate is ", "at least 0 and less than 1"];
    refused(
        &workspace,
        "evaluate corpora --model model --target elm -q",
        &[
            ("--support-rate 1.5", rate),
            ("--support-rate 1", rate),
            ("--support-rate -0.1", rate),
            ("--support-rate nan", rate),
            ("--support-size 0", &["handful: --support-size is 0"]),
            ("--tasks 0", &["handful: --tasks is 0; it must be at least 1"]),
            ("--em-steps -1", &["--em-steps"]),
            ("--em-steps 100000000000", &["handful: --em-steps is 100000000000"]),
            ("--em-steps 3 --until-converged", &["--em-steps", "--until-converged"]),
        ],
    );
    refused(
        &workspace,
        "fit a.txt --model model --out topics",
        &[
            ("--em-steps -1", &["--em-steps"]),
            ("--em-steps 3 --until-converged", &["--em-steps", "--until-converged"]),
            ("--topics 4", &["handful: --topics is 4; it must be 3, the number"]),
            ("--topics 0", &["handful: --topics is 0; it must be 3"]),
            ("--topics auto", &["handful: --topics is auto; it must be 3"]),
            ("--topics some", &["--topics", "a number from 1 to 50, or auto"]),
            ("--top -1", &["--top"]),
            ("--language german", &["handful: --language is german; it must be auto, or", "de"]),
            ("--stop-words german", &["handful: --stop-words is german; it must be english"]),
            ("--stop-words no.txt", &["handful: no.txt: cannot be read"]),
        ],
    );
    refused(
        &workspace,
        "lda a.txt b.txt --out topics",
        &[
            ("--topics 0", &["handful: --topics is 0; it must be at least 1"]),
            ("--topics -3", &["--topics"]),
            ("--sweeps 0", &["handful: --sweeps is 0; it must be at least 1"]),
            ("--sweeps 5 --burn-in 5", &["handful: --burn-in is 5; it must be so small that"]),
            ("--alpha 0", &["handful: --alpha is 0; it must be a number above 0"]),
            ("--beta -1", &["handful: --beta is -1; it must be a number above 0"]),
            ("--model model", &["--model"]),
            ("--stop-words no.txt", &["handful: no.txt: cannot be read"]),
        ],
    );
    refused(&workspace, "fit a.txt", &[("--model model --force", &["--out"])]);
    refused(&workspace, "", &[("", &["Usage"]), ("fti", &["'fti'", "Usage"])]);
}

#[test]
fn corpora_to_exclude_or_to_validate_on_must_exist() {
    let workspace = Workspace::with_corpora();
    refused(
        &workspace,
        "train corpora --prior iwata -o model --hidden 4 --max-steps 2 -q",
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
    refused(&workspace, "train corpora --prior iwata", &[("", &["--out"])]);
    for out in ["..", "/"] {
        let flags = format!("-o {out} --force {TINY}");
        refused(
            &workspace,
            "train corpora --prior iwata",
            &[(&flags, &["handful: ", "is no name for"])],
        );
        let flags = format!("--out {out} --force");
        refused(
            &workspace,
            "fit a.txt --model model",
            &[(&flags, &["handful: ", "is no name for an output"])],
        );
    }
}

#[test]
fn more_threads_than_any_machine_has_are_refused() {
    let workspace = Workspace::new();
    workspace.write("a.txt", "bees fly home");
    for threads in ["65535", "1025", "0"] {
        let said = workspace.run(&format!("fit a.txt --threads {threads}")).usage_error();
        assert!(said.contains("is not in 1..=1024"), "{said}");
    }
    workspace.run("fit a.txt --threads 3 -q").success();
}
