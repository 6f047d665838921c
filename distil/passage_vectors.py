"""Writes the teacher's vectors of the passages of tasks, for `handful compare --passage-vectors`.

The tasks are the file `tasks.jsonl.gz` of a results folder of `--blends` or `--number`.
"""

import argparse
import gzip
import json
import pathlib

from teacher import vectors_of, write_lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("tasks", type=pathlib.Path, help="tasks.jsonl.gz of a results folder")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the file to write, gzipped")
    arguments = parser.parse_args()
    with gzip.open(arguments.tasks, "rt", encoding="utf-8") as lines:
        passages = [passage for task in map(json.loads, lines) for passage in passages_of(task)]
    vectors = vectors_of([text for _, text in passages])
    lines = ({**place, "vector": vector} for (place, _), vector in zip(passages, vectors))
    write_lines(arguments.out, lines)


def passages_of(task):
    """Where each passage stands, and its text."""
    for document, content in enumerate(task["documents"]):
        for passage, text in enumerate(content["passages"]):
            yield {"task": task["task"], "document": document, "passage": passage}, text


if __name__ == "__main__":
    main()
