//! Cuts text into words.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_segmentation::UnicodeSegmentation;

use super::language::Apostrophe;
use super::mail::without_mail;
use super::segmentation::{self, is_ideograph};
use super::{Language, TextSettings};

/// Endings of the English possessive and of English contractions.
const CONTRACTIONS: [&str; 6] = ["'s", "'d", "'m", "'ll", "'re", "'ve"];

/// Words that French and Italian shorten before an apostrophe, those of one or two letters excepted.
const ELIDED: [&str; 36] = [
    "agl", "all", "anch", "bell", "ciascun", "coll", "com", "cos", "dagl", "dall", "degl", "dell",
    "dov", "jusqu", "lorsqu", "mezz", "negl", "nell", "nessun", "nient", "puisqu", "qualcun",
    "quand", "quant", "quel", "quell", "quelqu", "quest", "quoiqu", "presqu", "sant", "senz",
    "sugl", "sull", "tropp", "tutt",
];

/// Cuts text into lower-cased words.
///
/// Words are those of Unicode's segmentation (UAX #29), in composed form (NFC), without invisible
/// characters such as soft hyphens. A typographic apostrophe becomes a plain one.
///
/// With [`letters_only`](TextSettings::letters_only), a word is cut at punctuation inside it
/// (`example.com` becomes `example` and `com`), and pieces with a digit are left out. Apostrophes
/// follow three rules:
///
/// 1. A negation ending in `n't` is left out: it is always an auxiliary, a word without a topic,
///    and neither `don` nor `dont` is a word.
/// 2. The possessive and the contractions `'s 'd 'm 'll 're 've` are taken off: `dog's` becomes
///    `dog`.
/// 3. Any other apostrophe cuts the word: `l'homme` becomes `l` and `homme`.
///
/// These are the rules of English, and of text in no known [language](TextSettings::language). Of French,
/// Italian and others the shortened article or pronoun before an apostrophe is left out: `l'eau` becomes
/// `eau`, `dell'arte` becomes `arte`. Of Turkish what stands behind it is, an ending. In Ukrainian it is a
/// letter.
///
/// Without `letters_only`, `don't`, `dog's` and `example.com` stay as they are.
///
/// Chinese, Japanese, Thai, Lao, Khmer and Burmese, which have no spaces between words, are cut by
/// dictionaries (feature `segmentation`).
///
/// Mail headers, signatures and addresses are left out, unless
/// [`keep_mail`](TextSettings::keep_mail) is set.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    min_length: usize,
    letters_only: bool,
    keep_mail: bool,
    apostrophe: Apostrophe,
    /// Whether no spaces are between words.
    is_unspaced: bool,
    stop_words: HashSet<String>,
}

impl Tokenizer {
    /// Creates a tokenizer with these settings.
    pub fn new(settings: &TextSettings) -> Self {
        Self {
            min_length: settings.min_length,
            letters_only: settings.letters_only,
            keep_mail: settings.keep_mail,
            apostrophe: settings.language.map_or(Apostrophe::Contraction, Language::apostrophe),
            is_unspaced: settings.language.is_some_and(Language::is_unspaced),
            stop_words: settings.stop_words.words(),
        }
    }

    /// Returns the words of a text, in order.
    pub fn tokens(&self, text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        self.for_each_token(text, |token| tokens.push(token.to_owned()));
        tokens
    }

    /// Calls `take` with each word of a text, in order.
    pub fn for_each_token(&self, text: &str, mut take: impl FnMut(&str)) {
        self.for_each_token_of_a_word(text, |_, _, _, token| take(token));
    }

    /// Calls `take` with each word of a text and its byte range there, in order. The range covers
    /// the letters that the word was made of: for `Dog's` it covers `Dog`.
    pub fn for_each_token_in_place(&self, text: &str, mut take: impl FnMut(&str, Range<usize>)) {
        self.for_each_token_of_a_word(text, |start, written, word, token| {
            let Range { start: from, end: to } = range_as_written(written, word, token);
            take(token, start + from..start + to);
        });
    }

    /// Returns the text with spaces in place of what is never read: mail headers, signatures and
    /// addresses. Every byte that is left keeps its offset.
    #[doc(hidden)]
    pub fn readable<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.keep_mail { Cow::Borrowed(text) } else { without_mail(text) }
    }

    /// Calls `take` once for each kept token, with four arguments: where the word begins, the word
    /// as written, the normalized word, and the token, which is a part of the normalized word.
    fn for_each_token_of_a_word(&self, text: &str, mut take: impl FnMut(usize, &str, &str, &str)) {
        let text = self.readable(text);
        let take_word = |written: &str| {
            let word = normalized(written);
            let mut keep = |token: &str| {
                if self.is_long_enough(token) && !self.stop_words.contains(token) {
                    take(offset(written, &text), written, &word, token);
                }
            };
            if !self.letters_only || word.bytes().all(|byte| byte.is_ascii_lowercase()) {
                keep(&word);
            } else {
                for_each_piece(&word, |piece| self.for_each_letter_word(piece, &mut keep));
            }
        };
        if self.is_unspaced {
            segmentation::for_each_word(&text, take_word);
        } else {
            text.unicode_words().for_each(take_word);
        }
    }

    fn is_long_enough(&self, token: &str) -> bool {
        token.chars().count() >= self.min_length
            || (self.is_unspaced && token.chars().any(is_ideograph))
    }

    /// Calls `take` with each word of a piece that consists of letters, by the language's rules for
    /// apostrophes.
    fn for_each_letter_word(&self, piece: &str, take: impl FnMut(&str)) {
        let is_word =
            |word: &&str| word.contains(char::is_alphabetic) && !word.contains(char::is_numeric);
        match self.apostrophe {
            Apostrophe::Contraction => {
                let words = without_contraction(piece).split('\'');
                words.filter(is_word).for_each(take);
            }
            // Such as `aujourd'hui`.
            Apostrophe::Elision if self.stop_words.contains(piece) => {}
            Apostrophe::Elision => {
                let (elided, last) = piece.rsplit_once('\'').unwrap_or(("", piece));
                let words = elided.split('\'').filter(|word| !is_elided(word)).chain([last]);
                words.filter(is_word).for_each(take);
            }
            Apostrophe::Ending => piece.split('\'').take(1).filter(is_word).for_each(take),
            Apostrophe::Letter => {
                [piece.trim_matches('\'')].into_iter().filter(is_word).for_each(take)
            }
        }
    }
}

/// Returns where `part`, a slice of `whole`, begins.
fn offset(part: &str, whole: &str) -> usize {
    part.as_ptr() as usize - whole.as_ptr() as usize
}

/// Returns where a token stands in the word as written. `token` is a slice of `word`, the
/// normalized form of `written`.
fn range_as_written(written: &str, word: &str, token: &str) -> Range<usize> {
    let from = offset(token, word);
    let range = from..from + token.len();
    if written.is_ascii() {
        return range;
    }
    // Normalizes each letter together with the combining marks after it. If the lengths in bytes do
    // not add up, normalization also joined letters with each other, and their places cannot be
    // told: then the range is the whole word.
    let is_start = |&(_, character): &(usize, char)| !is_combining_mark(character);
    let starts: Vec<usize> = written.char_indices().filter(is_start).map(|(at, _)| at).collect();
    let first = starts.first().copied().unwrap_or(written.len());
    let ends = starts.iter().skip(1).copied().chain([written.len()]);
    let letters = [(0, first)].into_iter().chain(starts.iter().copied().zip(ends));
    let (mut normalized_end, mut found) = (0, None::<Range<usize>>);
    for (start, end) in letters {
        let normalized_start = normalized_end;
        normalized_end += normalized(&written[start..end]).len();
        if normalized_start < range.end && normalized_end > range.start {
            found = Some(found.map_or(start, |found| found.start)..end);
        }
    }
    found.filter(|_| normalized_end == word.len()).unwrap_or(0..written.len())
}

/// Puts a word in lower case and composed form, with plain apostrophes and without invisible
/// characters.
pub(super) fn normalized(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    let mut word = word.to_lowercase();
    if !word.is_ascii() {
        word.retain(|character| !is_invisible(character));
        word = word.replace('\u{2019}', "'");
        if !is_nfc(&word) {
            word = word.nfc().collect();
        }
    }
    Cow::Owned(word)
}

/// Whether a character can be dropped without changing the word. This covers format characters:
/// soft hyphen, direction marks, word joiner, byte order mark. It does not cover the zero-width
/// joiners, which matter in Persian and Hindi. It covers spaces and control characters, too: they
/// end up in a word when a combining mark follows them.
fn is_invisible(character: char) -> bool {
    let is_format = matches!(
        character,
        '\u{ad}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}'
    );
    is_format || character.is_whitespace() || character.is_control()
}

/// Cuts a word at its punctuation, except at apostrophes. A combining mark belongs to the letter
/// before it, and a zero-width joiner to both neighbours, so neither cuts.
fn for_each_piece(word: &str, take: impl FnMut(&str)) {
    let is_punctuation = |character: char| {
        !character.is_alphanumeric()
            && !is_combining_mark(character)
            && !matches!(character, '\'' | '\u{200c}' | '\u{200d}')
    };
    word.split(is_punctuation).for_each(take);
}

/// A piece without the endings of the English possessive and contractions; nothing of a negation.
fn without_contraction(mut piece: &str) -> &str {
    while let Some(rest) = CONTRACTIONS.iter().find_map(|ending| piece.strip_suffix(ending)) {
        piece = rest;
    }
    if piece.ends_with("n't") { "" } else { piece }
}

/// Whether what stands before an apostrophe is a shortened article, pronoun or the like.
fn is_elided(word: &str) -> bool {
    word.chars().count() <= 2 || ELIDED.contains(&word)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::StopWords;
    use super::*;

    fn letters(text: &str) -> Vec<String> {
        let settings =
            TextSettings { min_length: 1, stop_words: StopWords::None, ..TextSettings::default() };
        Tokenizer::new(&settings).tokens(text)
    }

    fn words(text: &str) -> Vec<String> {
        let settings = TextSettings {
            letters_only: false,
            stop_words: StopWords::None,
            ..TextSettings::default()
        };
        Tokenizer::new(&settings).tokens(text)
    }

    #[test]
    fn words_are_lower_cased_and_stop_words_and_short_words_left_out() {
        let tokenizer = Tokenizer::new(&TextSettings::default());
        assert_eq!(tokenizer.tokens("The Cats, and x CATS!"), ["cats", "cats"]);
    }

    #[test]
    fn a_custom_stop_word_is_left_out_in_any_case() {
        let stop_words = StopWords::Custom(vec!["Katze".into()]);
        let tokenizer = Tokenizer::new(&TextSettings { stop_words, ..TextSettings::default() });
        assert_eq!(tokenizer.tokens("the KATZE Hund"), ["the", "hund"]);
    }

    #[test]
    fn apostrophes_follow_the_three_rules() {
        assert_eq!(letters("don't can’t WON'T"), [""; 0]);
        assert_eq!(letters("the dog's we’ll they've I'm"), ["the", "dog", "we", "they", "i"]);
        assert_eq!(letters("didn't've"), [""; 0]);
        assert_eq!(letters("l'homme O’Brien"), ["l", "homme", "o", "brien"]);
    }

    /// The words of a text in a language, without its stop words.
    fn words_in(code: &str, text: &str) -> Vec<String> {
        let language = code.parse().unwrap();
        Tokenizer::new(&TextSettings::default().in_language(language)).tokens(text)
    }

    #[test]
    fn elided_words_are_left_out() {
        assert_eq!(words_in("fr", "l'eau qu’il boit, d'autres lorsqu'elle"), ["eau", "boit"]);
        assert_eq!(words_in("fr", "L'Œuvre d’Aujourd'hui"), ["œuvre"]);
        assert_eq!(words_in("it", "dell'arte, un'idea, quest'anno"), ["arte", "idea"]);
        assert_eq!(words_in("ca", "l'aigua d'en Pere"), ["aigua", "pere"]);
        let none = TextSettings { stop_words: StopWords::None, ..TextSettings::default() };
        let none = TextSettings { language: Language::of_code("it"), ..none };
        assert_eq!(Tokenizer::new(&none).tokens("dell’arte è"), ["arte"]);
    }

    #[test]
    fn an_apostrophe_is_what_the_language_takes_it_for() {
        assert_eq!(words_in("tr", "İstanbul'da Ankara’nın").len(), 2);
        assert_eq!(words_in("uk", "об'єкт і п’яниця"), ["об'єкт", "п'яниця"]);
        assert_eq!(words_in("de", "Müllers’s Hund"), ["müllers", "hund"]);
    }

    #[test]
    fn hyphens_cut_words_in_every_language() {
        assert_eq!(words_in("fr", "celui-ci porte-monnaie"), ["porte", "monnaie"]);
        assert_eq!(words_in("de", "Bienen-Honig"), ["bienen", "honig"]);
    }

    #[cfg(feature = "segmentation")]
    #[test]
    fn words_without_spaces_are_words_and_stand_where_they_are_written() {
        let text = "我们今天去北京大学看书。水很冷";
        let settings = TextSettings::default().in_language("zh".parse().unwrap());
        let mut found = Vec::new();
        Tokenizer::new(&settings).for_each_token_in_place(text, |token, at| {
            assert_eq!(token, &text[at]);
            found.push(token.to_owned());
        });
        assert!(["北京", "大学", "水"].iter().all(|word| found.contains(&(*word).to_owned())));
        assert!(!found.contains(&"我们".to_owned()), "{found:?}");
    }

    #[test]
    fn letters_only_cuts_at_punctuation_and_leaves_out_digits() {
        assert_eq!(letters("end.Next foo_bar covid-19"), ["end", "next", "foo", "bar", "covid"]);
        assert_eq!(letters("mp3 3.14 1,000 word² ①"), ["word"]);
    }

    #[test]
    fn without_letters_only_unicode_words_stay_whole() {
        assert_eq!(
            words("mp3 3.14 don’t example.com -- 7"),
            ["mp3", "3.14", "don't", "example.com"]
        );
    }

    #[test]
    fn length_counts_characters_not_bytes() {
        let settings = TextSettings { min_length: 3, ..TextSettings::default() };
        assert_eq!(Tokenizer::new(&settings).tokens("öä öäü"), ["öäü"]);
    }

    #[test]
    fn composed_and_decomposed_letters_are_the_same_word() {
        assert_eq!(letters("caf\u{e9}"), letters("cafe\u{301}"));
        assert_eq!(letters("cafe\u{301}"), ["café"]);
    }

    #[test]
    fn marks_belong_to_their_letters() {
        assert_eq!(letters("हिन्दी"), ["हिन्दी"]);
        assert_eq!(letters("İstanbul").len(), 1);
    }

    #[test]
    fn punctuation_cuts_beside_any_letter() {
        assert_eq!(letters("\u{d4e}:\u{10380}:"), ["\u{d4e}", "\u{10380}"]);
    }

    #[test]
    fn invisible_characters_are_not_part_of_a_word() {
        assert_eq!(letters("\u{feff}exam\u{ad}ple\u{200e}\u{feff}"), ["example"]);
    }

    #[test]
    fn what_a_combining_mark_joins_into_a_word_is_not_part_of_it() {
        assert_eq!(words("ab \0\u{730}\u{730}"), ["ab", "\u{730}\u{730}"]);
        assert_eq!(words("ab \u{11362}\u{11362}"), ["ab", "\u{11362}\u{11362}"]);
    }

    /// Returns each token with the text at its range.
    fn in_place(text: &str) -> Vec<(String, &str)> {
        let settings =
            TextSettings { min_length: 1, stop_words: StopWords::None, ..TextSettings::default() };
        let mut tokens = Vec::new();
        Tokenizer::new(&settings)
            .for_each_token_in_place(text, |token, at| tokens.push((token.to_owned(), &text[at])));
        tokens
    }

    #[test]
    fn a_token_stands_where_its_letters_are_written() {
        let pairs = |text: &'static str, expected: &[(&str, &str)]| {
            let tokens = in_place(text);
            let tokens: Vec<(&str, &str)> = tokens.iter().map(|(a, b)| (&**a, *b)).collect();
            assert_eq!(tokens, expected);
        };
        pairs("A Dog's tail, don't!", &[("a", "A"), ("dog", "Dog"), ("tail", "tail")]);
        pairs(
            "see Example.COM twice.",
            &[("see", "see"), ("example", "Example"), ("com", "COM"), ("twice", "twice")],
        );
        pairs(
            "L\u{2019}E\u{301}te\u{301} CAFÉ",
            &[("l", "L"), ("été", "E\u{301}te\u{301}"), ("café", "CAFÉ")],
        );
        pairs("exam\u{ad}ple’s", &[("example", "exam\u{ad}ple")]);
        pairs("Mail jane@example.com today", &[("mail", "Mail"), ("today", "today")]);
        // Lower-casing makes İ longer. Jamo are joined into one letter, which cannot be cut again.
        pairs("İstanbul’a", &[("i\u{307}stanbul", "İstanbul"), ("a", "a")]);
        pairs("\u{1112}\u{1161}\u{11ab}", &[("한", "\u{1112}\u{1161}\u{11ab}")]);
    }

    proptest! {
        #[test]
        fn tokens_stand_in_any_text_in_order(text in "\\PC*|.*|([a-zé'’.İ\u{301}\u{ad}한 ]){0,40}") {
            let mut end = 0;
            let mut places = Vec::new();
            let tokenizer = Tokenizer::new(&TextSettings::default());
            tokenizer.for_each_token_in_place(&text, |token, at| places.push((token.to_owned(), at)));
            for (token, at) in &places {
                prop_assert!(at.start < at.end && text.get(at.clone()).is_some());
                prop_assert!(at.start >= end || at.end == end, "{places:?}");
                end = at.end;
                let is_plain = text[at.clone()].is_ascii();
                prop_assert!(!is_plain || text[at.clone()].to_lowercase() == *token);
            }
            let tokens: Vec<String> = places.into_iter().map(|(token, _)| token).collect();
            prop_assert_eq!(tokens, tokenizer.tokens(&text));
        }

        #[test]
        fn any_text_gives_words_that_fit_in_a_line(text in "\\PC*|.*", letters_only: bool) {
            let settings = TextSettings { letters_only, ..TextSettings::default() };
            for token in Tokenizer::new(&settings).tokens(&text) {
                prop_assert!(token.chars().count() >= 2);
                prop_assert!(!token.contains(|c: char| c.is_whitespace() || c.is_control()));
                let is_no_letter = |c: char| c.is_numeric() || c.is_ascii_punctuation();
                prop_assert!(!letters_only || !token.contains(is_no_letter));
            }
        }
    }
}
