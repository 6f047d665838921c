//! Finds words with similar spelling.

/// The number of letters in a piece of a word.
const LETTERS: usize = 4;

/// The number of bits in the hash of a piece.
const BITS: u32 = 16;

/// Words less similar than this say nothing about each other.
const LEAST_LIKENESS: f32 = 0.3;

/// A word with a spelling similar to another's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relative {
    /// The similar word, by its term number.
    pub term: u32,
    /// How similar the two words are: the cosine of their sets of pieces, from 0 to 1.
    pub likeness: f32,
}

/// Finds, for each of `words`, those of `others` with a similar spelling.
///
/// Represents a word by the hashes of its four-letter pieces, with both ends marked. Goes through
/// `others` only once, however many `words` there are.
pub fn relatives(words: &[&str], others: &[(u32, &str)]) -> Vec<Vec<Relative>> {
    let mut relatives = vec![Vec::new(); words.len()];
    if words.is_empty() {
        return relatives;
    }
    let mut pieces = Pieces::default();
    let mut sizes = Vec::with_capacity(words.len());
    // Pairs of a piece and a word that has it, sorted by piece.
    let mut owners: Vec<(u16, u32)> = Vec::new();
    for (w, word) in (0..).zip(words) {
        let of_word = pieces.of(word);
        sizes.push(of_word.len());
        owners.extend(of_word.iter().map(|&piece| (piece, w)));
    }
    owners.sort_unstable();
    let mut starts = vec![0; (1 << BITS) + 1];
    owners.iter().for_each(|&(piece, _)| starts[usize::from(piece) + 1] += 1);
    (1..starts.len()).for_each(|piece| starts[piece] += starts[piece - 1]);

    let mut shared = vec![0u32; words.len()];
    let mut touched: Vec<u32> = Vec::new();
    for &(term, word) in others {
        let of_word = pieces.of(word);
        for &piece in of_word {
            let piece = usize::from(piece);
            for &(_, w) in &owners[starts[piece]..starts[piece + 1]] {
                if shared[w as usize] == 0 {
                    touched.push(w);
                }
                shared[w as usize] += 1;
            }
        }
        for w in touched.drain(..).map(|w| w as usize) {
            let pieces = (sizes[w] * of_word.len()) as f32;
            let likeness = std::mem::take(&mut shared[w]) as f32 / pieces.sqrt();
            if likeness >= LEAST_LIKENESS {
                relatives[w].push(Relative { term, likeness });
            }
        }
    }
    relatives
}

/// The letters of the shortest word of which it can be told that it is misspelled. Short words are near to
/// many others.
const SHORTEST_MISSPELLED: usize = 5;

/// Whether a word is one slip away from a known one: a letter too many, too few or another, or two letters
/// in the wrong order.
pub fn is_misspelling(word: &str, is_known: impl Fn(&str) -> bool) -> bool {
    let letters: Vec<char> = word.chars().collect();
    if letters.len() < SHORTEST_MISSPELLED {
        return false;
    }
    let spelled = |letters: &[char]| is_known(&letters.iter().collect::<String>());
    (0..=letters.len()).any(|i| {
        let mut inserted = letters.clone();
        inserted.insert(i, ' ');
        let mut any = ('a'..='z').any(|letter| {
            inserted[i] = letter;
            spelled(&inserted)
        });
        if i < letters.len() {
            let mut changed = letters.clone();
            any |= ('a'..='z').any(|letter| {
                changed[i] = letter;
                letter != letters[i] && spelled(&changed)
            });
            changed.remove(i);
            any |= spelled(&changed);
        }
        if i + 1 < letters.len() {
            let mut swapped = letters.clone();
            swapped.swap(i, i + 1);
            any |= swapped != letters && spelled(&swapped);
        }
        any
    })
}

/// Cuts one word after the other into pieces, reusing its memory.
#[derive(Debug, Default)]
struct Pieces {
    letters: Vec<u32>,
    hashes: Vec<u16>,
}

impl Pieces {
    /// Returns the hashes of the distinct pieces of a word.
    fn of(&mut self, word: &str) -> &[u16] {
        let Self { letters, hashes } = self;
        // Control characters mark the ends, because no word contains them.
        letters.clear();
        letters.push(2);
        letters.extend(word.chars().map(u32::from));
        letters.push(3);
        hashes.clear();
        hashes.extend(letters.windows(LETTERS.min(letters.len())).map(hash));
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }
}

/// Hashes letter by letter (FNV-1a), then multiplies: the upper bits are the well-mixed ones.
fn hash(letters: &[u32]) -> u16 {
    let mix = |hash: u32, &letter: &u32| (hash ^ letter).wrapping_mul(0x0100_0193);
    let hash = letters.iter().fold(0x811c_9dc5, mix);
    (hash.wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_one_slip_from_a_known_one_is_misspelled() {
        let is_known = |word: &str| ["terrorists", "education", "enforce"].contains(&word);
        for word in ["terorists", "ducation", "inforce", "eudcation", "educcation", "educationn"] {
            assert!(is_misspelling(word, is_known), "{word}");
        }
        // Itself, two slips, and something else.
        for word in ["enforce", "enforced", "terorist", "brexit"] {
            assert_eq!(is_misspelling(word, is_known), word == "enforced", "{word}");
        }
        assert!(!is_misspelling("cars", |word| word == "car"));
    }

    fn likeness(known: &str, word: &str) -> f32 {
        let relatives = &relatives(&[word], &[(1, known)])[0];
        relatives.first().map_or(0.0, |relative| relative.likeness)
    }

    #[test]
    fn likeness_is_the_cosine_of_sets_of_pieces() {
        // ^bee beek eeke ekee keep eepe eper per$ and ^bee beek eeke ekee keep eepi epin ping ing$
        assert!((likeness("beekeeping", "beekeeper") - 5.0 / 72f32.sqrt()).abs() < 1e-6);
        assert_eq!(likeness("hive", "hive"), 1.0);
        assert_eq!(likeness("honey", "wax"), 0.0);
        // A word too short for a piece is itself its only piece.
        assert_eq!(likeness("é", "é"), 1.0);
    }

    #[test]
    fn every_word_gets_its_own_relatives() {
        let others = [(0, "queen"), (1, "beekeeper"), (2, "keeper"), (3, "honey"), (4, "queens")];
        let relatives = relatives(&["beekeepers", "xyz", "queens"], &others);
        let terms = |w: usize| relatives[w].iter().map(|r: &Relative| r.term).collect::<Vec<_>>();
        assert_eq!((terms(0), terms(1), terms(2)), (vec![1, 2], vec![], vec![0, 4]));
        assert!(relatives[0][0].likeness > relatives[0][1].likeness);
    }
}
