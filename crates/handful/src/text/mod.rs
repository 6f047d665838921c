//! From text to terms: tokenizer, stop words, vocabulary.
