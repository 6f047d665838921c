//! Several supports at a time: they share the pass over all word vectors, which costs most.

use super::{Handful, HandfulTape, Request, TakeGiven};
use crate::corpus::WordCounts;
use crate::em::Dirichlet;
use crate::nn::{Dropout, TermSoftmaxTape};
use crate::numeric::Real;
use crate::prior::Prior;
use rayon::prelude::*;

/// Topics that share a pass. With more, what is kept of the pass no longer fits into the cache.
const TOGETHER: usize = 36;

/// A support, and what is asked of it.
type Task<'a> = (&'a WordCounts, Request<'a>);

impl<R: Real> Handful<R> {
    /// What [`Prior::forward_each`](crate::prior::Prior::forward_each) promises.
    pub(super) fn forward_together(&self, tasks: &[Task<'_>], take: &TakeGiven<'_, R>) {
        let mut first = 0;
        while first < tasks.len() {
            let mut topics = 0;
            let fits = |(_, request): &&Task<'_>| {
                topics += request.topics;
                topics <= TOGETHER
            };
            let length = tasks[first..].iter().take_while(fits).count().max(1);
            let batch = &tasks[first..first + length];
            self.forward_batch(batch, &|i, topics, dirichlet| take(first + i, topics, dirichlet));
            first += length;
        }
    }

    fn forward_batch(&self, tasks: &[Task<'_>], take: &TakeGiven<'_, R>) {
        let read = |&(support, request): &Task<'_>| {
            let mut tape = HandfulTape::default();
            self.read(support, request, &mut Dropout::off(), &mut tape);
            tape
        };
        let tapes: Vec<HandfulTape<R>> = tasks.par_iter().map(read).collect();
        let vectors: Vec<R> = tapes.iter().flat_map(|tape| tape.topics.shown()).copied().collect();
        let mut softmax = TermSoftmaxTape::default();
        let stored = self.words.stored.as_deref();
        self.words.softmax.forward(&self.parameters, stored, &vectors, &mut softmax);
        let starts = tasks.iter().scan(0, |end, (_, request)| {
            *end += request.topics;
            Some(*end - request.topics)
        });
        let starts: Vec<usize> = starts.collect();
        // One β a thread, not one a task: a β has a row for every term.
        tapes.into_par_iter().zip(tasks).zip(starts).enumerate().for_each_init(
            Dirichlet::default,
            |dirichlet, (i, ((mut tape, &(support, request)), start))| {
                self.give(support, request, Some((&softmax, start)), &mut tape, dirichlet);
                take(i, &|| self.topic_tensors(&tape), dirichlet);
            },
        );
    }
}
