//! One seed, one result.

use crate::support::{TINY, Workspace};

fn weights(workspace: &Workspace, name: &str, flags: &str) -> Vec<u8> {
    workspace.run(&format!("train corpora --prior iwata -o {name} -q {TINY} {flags}")).success();
    workspace.read(&format!("{name}/model.safetensors"))
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let workspace = Workspace::with_corpora();
    for (set, flags) in [("single", ""), ("batch", "--episodes-per-step 4"), ("sum", "--loss sum")]
    {
        let one = weights(&workspace, &format!("{set}-1"), &format!("{flags} --threads 1"));
        for threads in [2, 3] {
            let name = format!("{set}-{threads}");
            let several = weights(&workspace, &name, &format!("{flags} --threads {threads}"));
            assert!(one == several, "{set}: {threads} threads");
        }
    }
}

#[test]
fn every_file_of_a_model_is_the_same_the_next_time() {
    let workspace = Workspace::with_corpora();
    weights(&workspace, "first", "");
    weights(&workspace, "second", "");
    for name in workspace.names("first") {
        let (first, second) = (format!("first/{name}"), format!("second/{name}"));
        assert!(workspace.read(&first) == workspace.read(&second), "{name}");
    }
}

#[test]
fn another_seed_or_setting_gives_another_model() {
    let workspace = Workspace::with_corpora();
    let usual = weights(&workspace, "usual", "");
    for (name, flags) in
        [("seed", "--seed 2"), ("dropout", "--dropout 0"), ("batch", "--episodes-per-step 4")]
    {
        assert!(weights(&workspace, name, flags) != usual, "{name}");
    }
}

#[test]
fn fits_do_not_depend_on_threads() {
    let workspace = Workspace::with_model();
    let fit = |threads: u8| {
        let line = format!("fit a.txt b.txt c.txt --model model --json --threads {threads}");
        workspace.run(&line).success().out
    };
    assert_eq!(fit(1), fit(2));
}
