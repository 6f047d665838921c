"""The results as Markdown. Every number comes from the measurements; none is written here."""

from report import TIMES, facts, table, times, verdict, warning


def processes(results: dict) -> str:
    older = list(dict.fromkeys(name for row in results["table"].values() for name in row.get("of_before", {})))
    rows = []
    for name, row in results["table"].items():
        limit = [f"≤ {row['at_most']} ms", "yes" if row["within"] else "no"] if "at_most" in row else ["", ""]
        of_before = row.get("of_before", {})
        beside = [beside_older(of_before[it]) if it in of_before else "" for it in older]
        rows.append([f"`{name}`", *times(row), *limit, *verdict(row, ">"), *beside])
    of_older = [f"of the time of {name}" for name in older]
    return table(["process", *TIMES, "goal", "met", "the import takes", "goal", "met", *of_older], rows)


def beside_older(ratio: dict) -> str:
    return f"{ratio['median']:.2f} x ({ratio['min']:.2f} to {ratio['max']:.2f})"


def markdown(results: dict) -> str:
    words = ", ".join(map(str, results["words"]))
    return f"""# The first run

Written by `bench/first-run/run`; figures in `first-run.json`. {results["rounds"]} rounds; in each, every process runs once, in shuffled
order, from start to exit. Times are medians over rounds; ratios are taken within a round, shown is their median, with
the lowest and highest.
{warning(results)}
{processes(results)}
`handful fit` reads three text files ({words} words) and prints their topics, with the built-in model. gensim is
only imported.

## Machine

{facts(results)}
"""
