"""Gives arrays that `handful fit --pyldavis` wrote to pyLDAvis, and prints what it made of them."""

import json
import sys

import numpy as np
import pyLDAvis

if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        arrays = json.load(file)
    prepared = pyLDAvis.prepare(
        **{name: values if name == "vocab" else np.array(values) for name, values in arrays.items()},
        n_jobs=1,
        sort_topics=False,
        start_index=0,
    )
    made = json.loads(prepared.to_json())
    with open(sys.argv[2]) as file:
        octis = json.load(file)
    words, documents = np.array(octis["topic-word-matrix"]), np.array(octis["topic-document-matrix"])
    print(
        json.dumps(
            {
                "topics": made["mdsDat"]["topics"],
                "x": made["mdsDat"]["x"],
                "y": made["mdsDat"]["y"],
                "weights": made["mdsDat"]["Freq"],
                "likeliest": {
                    k: prepared.sorted_terms(topic=k, _lambda=1)["Term"].head(5).tolist()
                    for k in range(len(made["mdsDat"]["topics"]))
                },
                "octis": [len(octis["topics"]), list(words.shape), list(documents.shape)],
            }
        )
    )
