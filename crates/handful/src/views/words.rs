//! How numbers are put into words, the same in every view.

use crate::fit::FittedDocument;

/// What is said of a document that is about none of the topics.
const ABOUT_NONE: &str = "about none of the topics, as far as its words tell";

/// The name of things, of which there are `number`.
pub(super) fn plural(number: usize, thing: &str) -> String {
    format!("{thing}{}", if number == 1 { "" } else { "s" })
}

/// `1 document has`, `2 documents have`, without the number.
pub(super) fn have(number: usize, thing: &str) -> String {
    format!("{} {}", plural(number, thing), if number == 1 { "has" } else { "have" })
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent > 0.0 && percent < 0.5 => "<1%".to_owned(),
        percent => format!("{percent:.0}%"),
    }
}

/// What is said of a document in the place of its shares where they say nothing: it has no words, is about
/// none of the topics, or is all background. Then they are what the prior expects of any document.
pub(super) fn in_place_of_shares(document: &FittedDocument<'_>) -> Option<&'static str> {
    let is_background = |share: f32| percent(share.into()) == "100%";
    match document.words {
        0 => Some("no words"),
        _ if document.outside == Some(true) => Some(ABOUT_NONE),
        _ => document.background.is_some_and(is_background).then_some(ABOUT_NONE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_that_say_nothing_are_not_shown() {
        let document = |words, background, outside| FittedDocument {
            id: "a",
            topics: &[0.54, 0.46],
            background: Some(background),
            words,
            unknown_words: 0,
            ignored_words: 0,
            outside,
        };
        let said =
            |words, background, outside| in_place_of_shares(&document(words, background, outside));
        assert_eq!(said(9, 0.9, None), None);
        assert_eq!(said(9, 0.99, Some(false)), None);
        assert_eq!(said(9, 0.2, Some(true)), Some(ABOUT_NONE));
        // A reader would see 100%.
        assert_eq!(said(9, 0.996, None), Some(ABOUT_NONE));
        assert_eq!(said(0, 0.5, None), Some("no words"));
    }

    #[test]
    fn a_small_share_is_not_called_zero() {
        assert_eq!(percent(0.0), "0%");
        assert_eq!(percent(0.001), "<1%");
        assert_eq!(percent(0.125), "12%");
        assert_eq!(percent(1.0), "100%");
    }
}
