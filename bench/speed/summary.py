"""From rounds to figures: medians with their spread, and ratios taken within each round."""

import statistics

from measure import Measured


def spread(values: list[float]) -> dict:
    quartiles = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return {
        "median": statistics.median(values), "min": min(values), "q1": quartiles[0], "q3": quartiles[2],
        "max": max(values),
    }  # fmt: skip


def ratio(slower: list[float], faster: list[float]) -> dict:
    """How many times faster, round by round: noise that both saw cancels."""
    return spread([a / b for a, b in zip(slower, faster)])


def judged(found: dict, goal: float | None, at_most: bool = False) -> dict:
    """A ratio beside its goal, if there is one."""
    if goal is None:
        return {"ratio": found}
    met = found["median"] <= goal if at_most else found["median"] >= goal
    return {"ratio": found, "goal": goal, "met": met}


def figures(measured: Measured) -> dict:
    return {
        "threads": measured.configuration.threads,
        "compiled": measured.configuration.compiled,
        "version": measured.facts.get("version"),
        "milliseconds": spread(measured.milliseconds),
        "rounds": measured.milliseconds,
        "trials": measured.trials,
        "peak_mb": measured.peak_mb,
        "restarts": measured.restarts,
    }


def against(measured: dict[str, Measured], goals: dict[str, float]) -> dict:
    """Every implementation's figures; a peer's with its ratio to Handful."""
    ours = measured["handful"].milliseconds
    table = {}
    for name, one in measured.items():
        table[name] = figures(one)
        if name != "handful":
            table[name] |= judged(ratio(one.milliseconds, ours), goals.get(name))
    return table
