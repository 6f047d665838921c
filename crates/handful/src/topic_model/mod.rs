//! The result: topics, how each document mixes them, and what is worth showing of them.

mod assessment;
mod background;
mod choice;
mod document_tree;
mod fit;
mod gain;
mod held_out;
mod infer;
mod many;
mod map;
mod mixing;
mod placed_words;
mod ranking;
mod read_text;
mod responsibilities;
mod sentences;
mod subject_choice;
mod telling_terms;

pub use assessment::{Assessment, Chosen, Tried};
pub use background::Background;
use choice::choose_topics;
pub use document_tree::{DocumentTree, GranularityCuts};
pub use fit::{TopTerm, TopicModel, topic_weights};
pub use gain::Gain;
use held_out::HeldOut;
pub use many::{MOST_COMPARED, Sampling, group_many};
pub use mixing::{Mixing, Parts};
pub use placed_words::PlacedWord;
pub use ranking::{RankedTerm, Ranking, TermOrder};
pub use read_text::ReadText;
pub use responsibilities::{Responsibilities, TermShares};
pub use sentences::{Sentence, representative_sentences};
pub use subject_choice::{Granularity, Halves, LikelyNumber, SubjectChoice};
