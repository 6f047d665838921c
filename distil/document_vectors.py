"""Writes the teacher's vectors of documents, for `handful compare --groups --document-vectors`.

With --tasks, only documents of those tasks are read (the file `tasks.jsonl.gz` of a results folder).
"""

import argparse
import gzip
import json
import pathlib

from teacher import vectors_of, write_lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("sets", nargs="+", type=pathlib.Path, help="JSON lines, gzipped, with corpus, id and text")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the file to write, gzipped")
    parser.add_argument("--tasks", type=pathlib.Path, help="read only documents of these tasks")
    parser.add_argument("--mail", action="store_true", help="leave out mail headers")
    parser.add_argument("--names", choices=["plain", "with-set"], default="plain",
                        help="whether corpora are called `corpus` or `set/corpus`")
    arguments = parser.parse_args()
    asked = asked_documents(arguments.tasks) if arguments.tasks else None
    documents = []
    for path in arguments.sets:
        prefix = path.name.split(".")[0] + "/" if arguments.names == "with-set" else ""
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for document in map(json.loads, lines):
                key = (prefix + document["corpus"], document["id"])
                if asked is None or key in asked:
                    text = document["text"].partition("\n\n")[2] if arguments.mail else document["text"]
                    documents.append((*key, text))
    write(arguments.out, documents)


def asked_documents(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        tasks = [json.loads(line)["documents"] for line in lines]
    return {(document["corpus"], document["id"]) for task in tasks for document in task}


def write(path, documents):
    vectors = vectors_of([text for _, _, text in documents])
    pairs = zip(documents, vectors)
    write_lines(path, ({"corpus": corpus, "id": id_, "vector": vector} for (corpus, id_, _), vector in pairs))


if __name__ == "__main__":
    main()
