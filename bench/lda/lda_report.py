"""The results as Markdown. Every number comes from the measurements; none is written here."""

from report import facts, number, table, verdict, warning

NAMES = {"handful": "Handful", "tomotopy": "tomotopy"}


def speed(results: dict) -> str:
    rows = []
    for topics, found in results["speed"].items():
        for name, row in found.items():
            rate, spread = row["words_per_second"], row["milliseconds"]
            rows.append([
                topics, NAMES[name], f"{rate['median'] / 1e6:.1f}", f"{rate['max'] / 1e6:.1f}",
                f"{number(spread['q1'])} to {number(spread['q3'])}", row["version"], number(row["peak_mb"]), *verdict(row),
            ])  # fmt: skip
    header = ["topics", "sampler", "million words a second", "best", "ms a sweep, quartiles", "version", "peak MB"]
    return table([*header, "Handful is faster by", "goal", "met"], rows)


def quality(results: dict) -> str:
    rows = []
    for topics, found in results["quality"]["perplexity"].items():
        row = [topics, *(f"{value:.1f}" for value in (found["handful"]["averaged"], found["tomotopy"]["averaged"]))]
        row += [f"{found['tomotopy']['last']:.1f}", f"{found['difference']:+.2%}"]
        rows.append([*row, f"≤ {found['goal']:+.0%}", "yes" if found["met"] else "no"])
    header = ["topics", "Handful", "tomotopy, averaged alike", "tomotopy, last sweep", "Handful against averaged"]
    return table([*header, "goal", "met"], rows)


def markdown(results: dict) -> str:
    effort, found = results["effort"], results["quality"]
    schedule = found["schedule"]
    return f"""# LDA against tomotopy, {results["data"]}

Written by `bench/lda/run`; figures in `lda.json`.
{warning(results)}
## Speed

{results["documents"]} documents, {results["words"]} words, {results["terms"]} terms. {effort["rounds"]} rounds; in each, both samplers
in shuffled order draw alone for about {effort["chunk_seconds"]:g} s, one thread each, hyperparameters optimised every ten sweeps.
Rates are medians over rounds; ratios are taken within a round, shown is their median, with the lowest and highest.

{speed(results)}
## Held-out perplexity

exp(-Σ x log Σ_k θ_nk φ_kj / Σ x) of {found["words"]} words, a fifth of each document's, from θ and φ as either gives them, computed by
the same code. {schedule["sweeps"]} sweeps on the other words, α and β from {found["start"]["alpha"]:g} and {found["start"]["beta"]:g}. Handful's θ and φ are means
over every {schedule["sample_every"]}th sweep after the first {schedule["burn_in"]}; tomotopy's are shown as read out after the last sweep and averaged over
the same sweeps. {found["dropped"]} words of terms that nothing was left of are not asked for.

{quality(results)}
## Machine

{facts(results)}
"""
