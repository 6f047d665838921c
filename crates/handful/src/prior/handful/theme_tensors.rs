//! The themes in model files.

use super::themes::Themes;
use crate::numeric::Real;
use crate::storage::{Tensor, TensorSource};
use crate::{Error, Result};
use rayon::prelude::*;

const COUNTS: &str = "themes.counts";
const INDEX: &str = "themes.index";
pub(super) const ABOVE: &str = "themes.above";

/// Themes that are numbered together in a compact file: so many that 8 bits hold a theme's number in
/// its page, and how many of a page a term has.
const PAGE: usize = 255;

/// How many runs of entries a thread looks at, at the least.
const RUNS: usize = 8192;

impl<R: Real> Themes<R> {
    /// As a model file has them: `counts` says how many entries of `index` and `above` are of each
    /// term.
    pub(super) fn to_tensors(&self) -> impl Iterator<Item = (String, Tensor<R>)> {
        let counts = self.starts.windows(2).map(|pair| R::of((pair[1] - pair[0]) as f64));
        let index = self.index.iter().map(|&l| R::of(f64::from(l)));
        let tensors = [
            ("themes.floor", self.floor.clone()),
            (COUNTS, counts.collect()),
            (INDEX, index.collect()),
            (ABOVE, self.above.clone()),
            ("themes.alpha", self.alpha.clone()),
        ];
        tensors.into_iter().map(|(name, values)| (name.to_owned(), Tensor::vector(&values)))
    }

    /// Those of the tensors that a compact file has in another form if there are more themes than one
    /// page has: `counts` says how many entries are of each term and page (terms × pages), and
    /// `index` numbers the themes within their page.
    pub(super) fn to_paged_tensors(&self) -> Vec<(String, Tensor<R>)> {
        let pages = self.count.div_ceil(PAGE);
        if pages < 2 {
            return Vec::new();
        }
        let terms = self.starts.len() - 1;
        let mut counts = vec![0; terms * pages];
        for (pair, counts) in self.starts.windows(2).zip(counts.chunks_exact_mut(pages)) {
            self.index[pair[0]..pair[1]].iter().for_each(|&l| counts[l as usize / PAGE] += 1);
        }
        let numbers = |numbers: &mut dyn Iterator<Item = u32>| {
            numbers.map(|number| R::of(f64::from(number))).collect()
        };
        let counts = numbers(&mut counts.into_iter());
        let index: Vec<R> = numbers(&mut self.index.iter().map(|&l| l % PAGE as u32));
        vec![
            (COUNTS.to_owned(), Tensor { shape: vec![terms, pages], values: counts }),
            (INDEX.to_owned(), Tensor::vector(&index)),
        ]
    }

    /// Reads them in either form.
    pub(super) fn from_tensors(
        terms: usize,
        count: usize,
        tensors: &dyn TensorSource<R>,
    ) -> Result<Self> {
        let wrong = |name: &str, problem: &str| {
            let remedy = "the model is damaged: copy or train it again";
            let problem = format!("tensor `{name}` {problem}");
            Error::damaged(tensors.place(), problem, remedy)
        };
        let below = |bound: usize, name: &str, shape: &[usize], problem: &str| {
            let numbers = tensors.whole_numbers(name, shape)?;
            let are_below = |numbers: &Vec<u32>| {
                numbers.iter().copied().max().is_none_or(|most| (most as usize) < bound)
            };
            numbers.filter(are_below).ok_or_else(|| wrong(name, problem))
        };
        let paged = [terms, count.div_ceil(PAGE)];
        let is_paged = paged[1] > 1 && tensors.shape(COUNTS).is_some_and(|shape| shape == paged);
        let (shape, pages, page) =
            if is_paged { (&paged[..], paged[1], PAGE) } else { (&paged[..1], 1, count) };
        let counts = below(page + 1, COUNTS, shape, "does not count entries")?;
        let mut starts = Vec::with_capacity(counts.len() + 1);
        starts.push(0);
        starts.extend(counts.iter().scan(0, |end, &entries| {
            *end += entries as usize;
            Some(*end)
        }));
        let entries = starts[counts.len()];
        let mut index = below(page, INDEX, &[entries], "does not number themes")?;
        if starts.par_windows(2).with_min_len(RUNS).any(|pair| !increases(&index[pair[0]..pair[1]]))
        {
            return Err(wrong(INDEX, "has themes of a term out of order"));
        }
        if pages > 1 {
            number_across_pages(&starts, pages, &mut index);
            starts = starts.into_iter().step_by(pages).collect();
            if index.iter().fold(0, |most, &l| most.max(l)) as usize >= count && !index.is_empty() {
                return Err(wrong(INDEX, "does not number themes"));
            }
        }
        Ok(Self {
            count,
            floor: tensors.vector("themes.floor", count)?,
            starts,
            index,
            above: tensors.vector(ABOVE, entries)?,
            alpha: tensors.vector("themes.alpha", count)?,
        })
    }
}

/// Turns numbers of themes within their page into numbers of all themes. `starts` has where the
/// entries of each page of each term begin, and where the last end.
fn number_across_pages(starts: &[usize], pages: usize, index: &mut [u32]) {
    for page in 1..pages {
        let first = (page * PAGE) as u32;
        for pair in starts[page..].windows(2).step_by(pages) {
            index[pair[0]..pair[1]].iter_mut().for_each(|l| *l += first);
        }
    }
}

/// Whether every number is larger than the one before. Looks at all of them, which is faster than
/// stopping at the first that is not.
fn increases(numbers: &[u32]) -> bool {
    let pairs = numbers.iter().zip(numbers.iter().skip(1));
    pairs.fold(true, |increases, (before, after)| increases & (before < after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, stream};
    use crate::storage::{CompactTensors, TensorFile, Tensors, compact_tensor_bytes};

    /// Themes in which each term stands in a few, and some terms in all or in none.
    fn themes(terms: usize, count: usize) -> Themes<f32> {
        let all = Themes::<f32>::random(terms, count, &mut stream(1, Purpose::Weights, 0));
        let mut some = Themes::uniform(terms, count);
        for term in 0..terms {
            let every = [1, 7, 300, 1000][term % 4];
            for (l, above) in all.of_term(term as u32).filter(|(l, _)| (l + term) % every == 0) {
                some.index.push(l as u32);
                some.above.push(above);
            }
            some.starts[term + 1] = some.index.len();
        }
        some
    }

    fn compact(themes: &Themes<f32>) -> CompactTensors<f32> {
        let mut tensors: Tensors<f32> = themes.to_tensors().collect();
        tensors.extend(themes.to_paged_tensors());
        CompactTensors { tensors, ratios: &[ABOVE] }
    }

    #[test]
    fn themes_of_any_number_come_back_from_a_compact_file_in_bytes() {
        for count in [4, 254, 255, 256, 384, 510, 511, 700] {
            let themes = themes(40, count);
            let bytes = compact_tensor_bytes(&compact(&themes));
            let size = bytes.len();
            let file = TensorFile::from_bytes("here", bytes).unwrap();
            let read = Themes::from_tensors(40, count, &file).unwrap();
            assert_eq!((&read.index, &read.starts), (&themes.index, &themes.starts), "{count}");
            // Two bytes for an entry, one for a count, halves for floors and α, and values.
            let pages = count.div_ceil(PAGE);
            let most = themes.index.len() * 2 + 40 * pages + count * 4 + 256 * 4 + 1000;
            assert!(size <= most, "{count}: {size} {most}");
            let again = compact_tensor_bytes(&compact(&read));
            let once = TensorFile::from_bytes("here", again).unwrap();
            let once = Themes::from_tensors(40, count, &once).unwrap();
            assert_eq!((once.index, once.above), (read.index, read.above));
        }
    }

    #[test]
    fn themes_are_read_in_the_form_that_full_files_have() {
        for count in [4, 384] {
            let themes = themes(40, count);
            let tensors: Tensors<f32> = themes.to_tensors().collect();
            assert_eq!(tensors[COUNTS].shape, [40]);
            let read = Themes::from_tensors(40, count, &tensors).unwrap();
            assert_eq!((read.index, read.above), (themes.index, themes.above));
        }
    }

    #[test]
    fn pages_that_cannot_be_are_refused_by_their_tensor() {
        let themes = themes(40, 384);
        let paged = compact(&themes).tensors;
        assert!(Themes::from_tensors(40, 384, &paged).is_ok());
        // Term 0 has all themes but those of the floor; the last of its first page is entry 254 or
        // one before.
        for (name, entry, value) in [
            (COUNTS, 0, 256.0),
            (COUNTS, 0, f32::NAN),
            (INDEX, 0, 255.0),
            (INDEX, 1, 0.0),
            (INDEX, themes.starts[1] - 1, 200.0),
        ] {
            let mut damaged = paged.clone();
            damaged.get_mut(name).unwrap().values[entry] = value;
            let error = Themes::from_tensors(40, 384, &damaged).unwrap_err().to_string();
            assert!(error.contains(&format!("tensor `{name}` ")), "{value}: {error}");
        }
        // Pages of themes that fit one.
        let mut damaged = compact(&self::themes(40, 4)).tensors;
        damaged.get_mut(COUNTS).unwrap().shape = vec![40, 1];
        assert!(Themes::from_tensors(40, 4, &damaged).is_err());
    }
}
