//! What `--sweep` varies, and over which values.

use handful_lab::Sweep;
use std::collections::BTreeSet;
use std::str::FromStr;

/// The setting that is varied: `topics`, or with values `topics=2,5,20`.
#[derive(Clone, Debug)]
pub struct SweepFlag {
    pub sweep: Sweep,
    values: Option<BTreeSet<usize>>,
}

impl SweepFlag {
    /// The values to try, in order. `None` for those of the paper's figures.
    pub fn values(&self) -> Option<Vec<usize>> {
        self.values.as_ref().map(|values| values.iter().copied().collect())
    }
}

impl FromStr for SweepFlag {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, values) =
            text.split_once('=').map_or((text, None), |(name, values)| (name, Some(values)));
        let sweep = match name {
            "em-steps" => Sweep::EmSteps,
            "topics" => Sweep::Topics,
            _ => return Err("it must be em-steps or topics".to_owned()),
        };
        let Some(values) = values else { return Ok(Self { sweep, values: None }) };
        let number = |value: &str| {
            let number = value.trim().parse();
            number.map_err(|_| format!("{value:?} is no number; give values such as {name}=2,5,20"))
        };
        let values: BTreeSet<usize> = values.split(',').map(number).collect::<Result<_, _>>()?;
        if values.len() < 2 {
            return Err(format!("it must have two values at least, such as {name}=2,5,20"));
        }
        Ok(Self { sweep, values: Some(values) })
    }
}
