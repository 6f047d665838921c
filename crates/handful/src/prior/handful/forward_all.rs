//! Several supports at a time: they share the pass over all word vectors, which costs most.

use super::{Handful, HandfulTape, Request};
use crate::corpus::WordCounts;
use crate::em::Dirichlet;
use crate::nn::{Dropout, TermSoftmaxTape};
use crate::numeric::Real;
use rayon::prelude::*;

/// Topics that share a pass. With more, what is kept of the pass no longer fits into the cache.
const TOGETHER: usize = 32;

impl<R: Real> Handful<R> {
    /// What [`Prior::forward`](crate::prior::Prior::forward) gives without dropout for each support.
    pub(super) fn forward_together(
        &self,
        tasks: &[(&WordCounts, Request<'_>)],
    ) -> Vec<Dirichlet<R>> {
        let mut all = Vec::with_capacity(tasks.len());
        let mut rest = tasks;
        while !rest.is_empty() {
            let mut topics = 0;
            let fits = |(_, request): &&(&WordCounts, Request<'_>)| {
                topics += request.topics;
                topics <= TOGETHER
            };
            let length = rest.iter().take_while(fits).count().max(1);
            let (batch, after) = rest.split_at(length);
            all.extend(self.forward_batch(batch));
            rest = after;
        }
        all
    }

    fn forward_batch(&self, tasks: &[(&WordCounts, Request<'_>)]) -> Vec<Dirichlet<R>> {
        let read = |&(support, request): &(&WordCounts, Request<'_>)| {
            let mut tape = HandfulTape::default();
            self.read(support, request, &mut Dropout::off(), &mut tape);
            tape
        };
        let tapes: Vec<HandfulTape<R>> = tasks.par_iter().map(read).collect();
        let vectors: Vec<R> = tapes.iter().flat_map(|tape| tape.topics.shown()).copied().collect();
        let mut softmax = TermSoftmaxTape::default();
        let stored = self.words.stored.as_deref();
        self.words.softmax.forward(&self.parameters, stored, &vectors, &mut softmax);
        let firsts: Vec<usize> = tasks
            .iter()
            .scan(0, |first, (_, request)| {
                *first += request.topics;
                Some(*first - request.topics)
            })
            .collect();
        let give = |((mut tape, &first), &(support, request)): (
            (HandfulTape<R>, &usize),
            &(&WordCounts, Request<'_>),
        )| {
            let mut dirichlet = Dirichlet::default();
            self.give(support, request, Some((&softmax, first)), &mut tape, &mut dirichlet);
            dirichlet
        };
        tapes.into_par_iter().zip(&firsts).zip(tasks).map(give).collect()
    }
}
