"""Asks the built-in model and k-means on tf-idf to group documents in other languages than English.

    python3 results/languages/groups.py HANDFUL FREE OUT

HANDFUL is the command, FREE the folder that holds the sets as JSON lines, OUT a folder for the results. Both
methods are given the same documents as word counts, cut and freed of stop words by `--language`. Prints a table.
"""

import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

SETS = {
    "debian-de": "de",
    "wikipedia-de": "de",
    "debian-fr": "fr",
    "debian-es": "es",
    "squad-es": "es",
    "debian-it": "it",
    "squad-it": "it",
    "debian-pt": "pt",
    "debian-pt-br": "pt",
}
REPEATS = 12


def figure(records, measure):
    values = [record[measure] for record in records]
    error = statistics.stdev(values) / math.sqrt(len(values))
    return f"{statistics.mean(values):.3f} ± {error:.3f}"


def main():
    handful, free, out = sys.argv[1:]
    print("| set | language | Handful: purity | k-means: purity | Handful: ARI | k-means: ARI |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for name, language in SETS.items():
        folder = Path(out) / name
        command = [handful, "compare", f"{free}/{name}.jsonl.gz", "--groups", "--model", "built-in"]
        command += ["--methods", "model,k-means", "--repeats", str(REPEATS), "--language", language]
        command += ["--min-documents", "1", "--min-document-words", "5", "--quiet", "--out", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        lines = (folder / "groups.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines]
        of = {m: [r for r in records if r["method"] == m] for m in ("model", "k-means")}
        cells = [figure(of[m], measure) for measure in ("purity", "ari") for m in of]
        print(f"| {name} | {language} | {' | '.join(cells)} |", flush=True)


main()
