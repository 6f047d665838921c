//! How numbers are put into words, the same in every view.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_share_is_not_called_zero() {
        assert_eq!(percent(0.0), "0%");
        assert_eq!(percent(0.001), "<1%");
        assert_eq!(percent(0.125), "12%");
        assert_eq!(percent(1.0), "100%");
    }
}
