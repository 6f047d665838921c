//! `handful compact`: a model in, a smaller one out.

use crate::args::{CommonFlags, CompactArgs};
use crate::output;
use handful::internals::model_dir::claim_output;
use handful::{Error, Model};
use std::fs;

pub fn compact(args: &CompactArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let out = claim_output(&args.out, args.force)?;
    let read = |file| fs::read_to_string(file).map_err(|error| Error::read(file, error));
    let model = Model::open(&args.model)?;
    let model = model.compacted(args.about.as_deref().map(read).transpose()?);
    model.parts().save_claimed(&out)?;
    if !common.quiet {
        output::say(&format!("handful: {} is ready", args.out.display()));
    }
    Ok(())
}
