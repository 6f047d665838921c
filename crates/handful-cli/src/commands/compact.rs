//! `handful compact`: a model in, a smaller one out.

use crate::args::{CommonFlags, CompactArgs};
use crate::output;
use handful::Error;
use handful::model_dir::{Model, check_output};
use std::fs;

pub fn compact(args: &CompactArgs, common: &CommonFlags) -> anyhow::Result<()> {
    check_output(&args.out, args.force)?;
    let mut model = Model::load(&args.model)?;
    model.config.compact = true;
    if let Some(file) = &args.about {
        let about = fs::read_to_string(file).map_err(|error| Error::read(file, error))?;
        model.config.about = Some(about);
    }
    model.save(&args.out, args.force)?;
    if !common.quiet {
        output::say(&format!("handful: {} is ready", args.out.display()));
    }
    Ok(())
}
