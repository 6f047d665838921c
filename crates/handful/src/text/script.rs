//! Tells which script a letter belongs to.

/// Whether a letter is Latin, with or without diacritics, by its Unicode block.
pub fn is_latin(letter: char) -> bool {
    matches!(
        letter,
        '\0'..='\u{24f}'
            | '\u{1e00}'..='\u{1eff}'
            | '\u{2c60}'..='\u{2c7f}'
            | '\u{a720}'..='\u{a7ff}'
            | '\u{ab30}'..='\u{ab6f}'
            | '\u{fb00}'..='\u{fb06}'
            | '\u{ff21}'..='\u{ff5a}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_with_marks_are_latin_and_those_of_other_scripts_are_not() {
        assert!("azÀßłŐặﬁＡ".chars().all(is_latin));
        assert!(!"αжא中かกक한".chars().any(is_latin));
    }
}
