//! `handful compact`: a model in, a smaller one out.

use crate::args::{CommonFlags, CompactArgs};
use crate::output;
use handful::model_dir::{Model, check_output};

pub fn compact(args: &CompactArgs, common: &CommonFlags) -> anyhow::Result<()> {
    check_output(&args.out, args.force)?;
    let mut model = Model::load(&args.model)?;
    model.config.compact = true;
    model.save(&args.out, args.force)?;
    if !common.quiet {
        output::say(&format!("handful: {} is ready", args.out.display()));
    }
    Ok(())
}
