//! `handful name`: gives topics of a saved topic model their names.

use super::print_fit;
use crate::args::{CommonFlags, NameArgs};
use handful::Fit;
use handful::internals::storage::Claim;
use handful::views::Shown;

pub fn name(args: &NameArgs, common: &CommonFlags) -> anyhow::Result<()> {
    let claim = Claim::of(&args.topic_model)?;
    let mut fit = Fit::open(&args.topic_model)?;
    args.names.iter().try_for_each(|name| name.give(&mut fit))?;
    fit.save_claimed(&claim)?;
    print_fit(&fit, &Shown::default(), &[], common)
}
