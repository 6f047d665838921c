"""The results as Markdown. Every number comes from the measurements; none is written here."""

from report import TIMES, facts, table, times, verdict, warning


def processes(results: dict) -> str:
    rows = []
    for name, row in results["table"].items():
        limit = [f"≤ {row['at_most']} ms", "yes" if row["within"] else "no"] if "at_most" in row else ["", ""]
        of_before = row.get("of_before")
        beside = [f"{of_before['median']:.2f} x ({of_before['min']:.2f} to {of_before['max']:.2f})" if of_before else ""]
        rows.append([f"`{name}`", *times(row), *limit, *verdict(row, ">"), *beside])
    return table(["process", *TIMES, "goal", "met", "the import takes", "goal", "met", "of the time before"], rows)


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
