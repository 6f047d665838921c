//! Tells which words are forms of one word: plurals, possessives, and past tenses of English.

use std::borrow::Cow;

/// The shortest word that has another form.
const SHORTEST: usize = 3;

/// Plurals in form that are words of their own.
const NO_PLURALS: [&str; 7] = ["news", "means", "lens", "goods", "arms", "customs", "works"];

/// The form that stands for all forms of a word: `immigrant` for `immigrants`, `vote` for `votes`, `voted`
/// and, beside `voted`, `voting`. It is one that `is_word` knows, so that no word is made up; a word whose
/// base cannot be told, like `united` of `unit` or `unite`, stands for itself.
pub fn base_form(word: &str, is_word: impl Fn(&str) -> bool) -> Cow<'_, str> {
    for (possessive, rest) in [("'s", ""), ("’s", ""), ("s'", "s"), ("s’", "s")] {
        if let Some(stem) = word.strip_suffix(possessive).filter(|stem| stem.len() >= SHORTEST) {
            return Cow::Owned(base_form(&format!("{stem}{rest}"), is_word).into_owned());
        }
    }
    let base = singular(word, &is_word)
        .or_else(|| of_past(word, &is_word))
        .or_else(|| of_participle(word, &is_word));
    base.map_or(Cow::Borrowed(word), Cow::Owned)
}

/// The singular of a plural.
fn singular(word: &str, is_word: &impl Fn(&str) -> bool) -> Option<String> {
    let stem = word.strip_suffix('s')?;
    let is_other = ["s", "u", "i", "ic"].iter().any(|end| stem.ends_with(end));
    if is_other || NO_PLURALS.contains(&word) {
        return None;
    }
    let mut candidates = vec![stem.to_owned()];
    if let Some(stem) = stem.strip_suffix("ie") {
        candidates.insert(0, format!("{stem}y"));
    } else if let Some(stem) = stem.strip_suffix('e') {
        let hisses = ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| stem.ends_with(end));
        candidates.extend(hisses.then(|| stem.to_owned()));
    }
    candidates.into_iter().find(|base| base.len() >= SHORTEST && is_word(base))
}

/// The base of a past tense in -ed, if there is just one.
fn of_past(word: &str, is_word: &impl Fn(&str) -> bool) -> Option<String> {
    let stem = word.strip_suffix("ed")?;
    only_base(stem, is_word)
}

/// The base of a participle in -ing. Many words in -ing are nouns (`housing`), so one is taken for a verb's
/// only if the verb's past tense is a word, too.
fn of_participle(word: &str, is_word: &impl Fn(&str) -> bool) -> Option<String> {
    let stem = word.strip_suffix("ing")?;
    let base = only_base(stem, is_word)?;
    is_word(&format!("{stem}ed")).then_some(base)
}

/// The verb that has lost its -e, doubled its last letter or neither before an ending.
fn only_base(stem: &str, is_word: &impl Fn(&str) -> bool) -> Option<String> {
    let mut candidates = vec![stem.to_owned(), format!("{stem}e")];
    candidates.extend(stem.strip_suffix('i').map(|stem| format!("{stem}y")));
    let mut letters = stem.chars().rev();
    if let (Some(last), Some(before)) = (letters.next(), letters.next())
        && last == before
    {
        candidates.push(stem[..stem.len() - last.len_utf8()].to_owned());
    }
    let mut bases = candidates.into_iter().filter(|base| base.len() >= SHORTEST && is_word(base));
    let base = bases.next()?;
    bases.next().is_none().then_some(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 24] = [
        "immigrant",
        "city",
        "church",
        "hero",
        "vote",
        "voted",
        "plan",
        "planned",
        "study",
        "studied",
        "house",
        "unit",
        "unite",
        "new",
        "boss",
        "economic",
        "work",
        "tax",
        "movie",
        "serve",
        "served",
        "child",
        "being",
        "bees",
    ];

    fn base(word: &str) -> String {
        base_form(word, |base| WORDS.contains(&base)).into_owned()
    }

    #[test]
    fn forms_of_a_word_have_one_base() {
        for (word, expected) in [
            ("immigrants", "immigrant"),
            ("cities", "city"),
            ("churches", "church"),
            ("heroes", "hero"),
            ("movies", "movie"),
            ("taxes", "tax"),
            ("votes", "vote"),
            ("voted", "vote"),
            ("voting", "vote"),
            ("planned", "plan"),
            ("planning", "plan"),
            ("studies", "study"),
            ("studied", "study"),
            ("serving", "serve"),
            ("child's", "child"),
            ("cities'", "city"),
        ] {
            assert_eq!(base(word), expected, "{word}");
        }
    }

    #[test]
    fn a_word_of_its_own_stands_for_itself() {
        // The base of `united` may be two words, that of `trains` is no word here.
        for word in
            ["news", "housing", "united", "boss", "economics", "works", "trains", "s", "is", ""]
        {
            assert_eq!(base(word), word);
        }
    }

    #[test]
    fn a_base_is_always_a_word() {
        for word in ["straße", "éèed", "ééed", "ing", "ed", "ies", "'s", "日本s"] {
            assert_eq!(base(word), word);
        }
    }
}
