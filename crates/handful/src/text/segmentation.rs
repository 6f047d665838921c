//! Cuts text of scripts that put no spaces between words.

/// Calls `take` with each word of a text in Chinese, Japanese, Thai, Lao, Khmer or Burmese, in order:
/// those of ICU's dictionaries and models.
#[cfg(feature = "segmentation")]
pub(super) fn for_each_word<'t>(text: &'t str, mut take: impl FnMut(&'t str)) {
    use icu_segmenter::WordSegmenter;
    use icu_segmenter::options::WordBreakInvariantOptions;

    let segmenter = WordSegmenter::new_auto(WordBreakInvariantOptions::default());
    let mut start = 0;
    for (end, kind) in segmenter.segment_str(text).iter_with_word_type() {
        if kind.is_word_like() {
            take(&text[start..end]);
        }
        start = end;
    }
}

/// Calls `take` with what Unicode's rules take for words, mostly single characters: dictionaries are the
/// feature `segmentation`.
#[cfg(not(feature = "segmentation"))]
pub(super) fn for_each_word<'t>(text: &'t str, take: impl FnMut(&'t str)) {
    use unicode_segmentation::UnicodeSegmentation;

    text.unicode_words().for_each(take);
}

/// Whether a character is a Chinese one, which can be a word by itself.
pub(super) fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{323af}')
}

#[cfg(all(test, feature = "segmentation"))]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut words = Vec::new();
        for_each_word(text, |word| words.push(word));
        words
    }

    #[test]
    fn scripts_without_spaces_are_cut_into_words() {
        assert_eq!(
            words("我们今天去北京大学看书。"),
            ["我们", "今天", "去", "北京", "大学", "看书"]
        );
        assert_eq!(words("東京の天気"), ["東京", "の", "天気"]);
        assert_eq!(words("ภาษาไทย"), ["ภาษา", "ไทย"]);
    }

    #[test]
    fn words_between_spaces_stay_whole() {
        assert_eq!(words("你好, world 42!"), ["你好", "world", "42"]);
    }
}
