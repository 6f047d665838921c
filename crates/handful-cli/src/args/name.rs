//! Flags of `handful name`.

use clap::Args;
use handful::{Fit, Result};
use std::path::PathBuf;
use std::str::FromStr;

/// Name the topics of a fitted topic model.
///
/// Every view of the topic model has the names from then on. An empty name takes a name away: the topic is
/// called by its first terms again.
#[derive(Debug, Args)]
pub struct NameArgs {
    /// Directory of the fitted topic model
    #[arg(value_name = "DIR")]
    pub topic_model: PathBuf,
    /// Numbers of topics and their names, such as 1="Housing"
    #[arg(value_name = "NUMBER=NAME", required = true)]
    pub names: Vec<TopicName>,
}

/// A topic's number, from 1, and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicName {
    number: usize,
    name: String,
}

impl TopicName {
    /// Gives a topic of a fit its name.
    pub fn give(&self, fit: &mut Fit) -> Result<()> {
        fit.name_topic(self.number - 1, &self.name)
    }
}

impl FromStr for TopicName {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let parts = text.split_once('=');
        let number = parts.and_then(|(number, _)| number.trim().parse().ok());
        match (number.filter(|&number: &usize| number > 0), parts) {
            (Some(number), Some((_, name))) => Ok(Self { number, name: name.to_owned() }),
            _ => {
                Err("it must be a topic's number, from 1, and a name, such as 1=Housing".to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_have_any_sign() {
        let name: TopicName = "12=a=b, c".parse().unwrap();
        assert_eq!(name, TopicName { number: 12, name: "a=b, c".to_owned() });
        for bad in ["Housing", "0=Housing", "-1=x", "=x", "one=x"] {
            assert!(bad.parse::<TopicName>().is_err(), "{bad}");
        }
    }
}
