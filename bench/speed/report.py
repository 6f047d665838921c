"""The results as Markdown. Every number comes from the measurements; none is written here."""

import json
from pathlib import Path

NAMES = {
    "handful": "Handful",
    "handful fit": "`handful fit`, whole process",
    "dense": "PyTorch, dense, default Adam",
    "dense-fused": "PyTorch, dense, `Adam(fused=True)`",
    "tuned": "PyTorch, tuned",
}
FIT_NAMES = NAMES | {"dense": "PyTorch, dense", "tuned": "PyTorch, tuned"}


def number(value: float | None) -> str:
    """Three significant digits, never as a power of ten."""
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.4f}"


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def warning(results: dict) -> str:
    return "\n**A quick run, to try the benchmark out: not figures to quote.**\n" if results["quick"] else ""


def facts(results: dict) -> str:
    """The machine in a line."""
    found = [f"{name.replace('_', ' ')}: {value}" for name, value in results["machine"].items() if value is not None]
    return "; ".join(found) + f"; load at start: {results['load_at_start']:.1f}, at end: {results['load_at_end']:.1f}"


def times(row: dict) -> list[str]:
    found = row["milliseconds"]
    return [number(found["median"]), number(found["min"]), f"{number(found['q1'])} to {number(found['q3'])}"]


def setting(row: dict) -> str:
    return f"{row['threads']}" + (", compiled" if row.get("compiled") else "") if "threads" in row else ""


def verdict(row: dict, sign: str = "≥") -> list[str]:
    """Ratio with its range over rounds, goal, and whether it is met."""
    if "ratio" not in row:
        return ["", "", ""]
    found = row["ratio"]
    shown = f"**{number(found['median'])} x** ({number(found['min'])} to {number(found['max'])})"
    if "goal" not in row:
        return [shown, "", ""]
    return [shown, f"{sign} {row['goal']:g} x", "yes" if row["met"] else "no"]


TIMES = ["median ms", "least", "quartiles"]
RATIO = ["Handful is faster by", "goal", "met"]


def training(results: dict) -> str:
    parts = []
    for data, found in results["train"].items():
        rows = [
            [NAMES[name], *times(row), setting(row), number(row["peak_mb"]), *verdict(row)] for name, row in found.items()
        ]
        parts.append(f"### {data}\n\n" + table(["implementation", *TIMES, "threads", "peak MB", *RATIO], rows))
    restarts = sum(row["restarts"] for found in results["train"].values() for row in found.values())
    parts.append(
        "Sampling, forward, backward and Adam are all inside. `tuned` runs EM on the episode's terms, gathers its first\n"
        "layers and uses fused Adam; with and without `torch.compile` was tried, the quicker is shown.\n"
        f"PyTorch's loss became NaN {restarts} times in these rounds; it then started afresh while the clock stood.\n"
    )
    return "\n".join(parts)


def trials(results: dict) -> str:
    rows = []
    groups = {f"episode, {data}": found for data, found in results["train"].items()}
    groups[f"fit, {results['main_data']}"] = results["fit"]
    for title, found in groups.items():
        for name, row in found.items():
            tried = [
                f"{setting(one)}: " + (number(one["milliseconds"]) if "milliseconds" in one else "failed")
                for one in row["trials"]
            ]
            names = NAMES if title.startswith("episode") else FIT_NAMES
            rows.append([title, names[name], "; ".join(tried), setting(row)])
    return table(["work", "implementation", "threads tried: ms", "used"], rows)


def fitting(results: dict) -> str:
    rows = [
        [FIT_NAMES[name], *times(row), setting(row), number(row["peak_mb"]), *verdict(row)]
        for name, row in results["fit"].items()
    ]
    return table(["implementation", *TIMES, "threads", "peak MB", *RATIO], rows)


def whole_process(results: dict) -> str:
    found = results["whole_process"]
    rows = [[FIT_NAMES[name], *times(row), setting(row), *verdict(row, ">")] for name, row in found["table"].items()]
    return (
        table(["what", *TIMES, "threads", *RATIO], rows)
        + f"\nThe process reads three text files ({found['words']} words), loads a model of {found['terms']} terms, fits and"
        " prints;\nPyTorch does one forward pass (prior and EM) in a process that is already warm, from counts in memory.\n"
        "The text is rendered from the counts, each word as often as it is counted, and the model was trained on such\n"
        f"text for {found['model_steps']} steps, because a model trained on counts reads counts only.\n"
    )


def scaling(results: dict) -> str:
    found = results["scaling"]
    rows = [[name, *times(row), *verdict(row)] for name, row in found["table"].items()]
    return f"{found['episodes_per_step']} episodes a step; milliseconds an episode.\n\n" + table(
        ["threads", *TIMES, "faster than 1 thread by", "goal", "met"], rows
    )


def roofline(results: dict) -> str:
    found = results["roofline"]
    bound = found["bound"]
    shown, goal, met = verdict(found, "≤")
    rows = [
        ["copy bandwidth", f"{number(bound['copy_gb_per_s']['median'])} GB/s"],
        ["arithmetic", f"{number(bound['gflop_per_s']['median'])} GFLOP/s"],
        ["an episode needs at least", f"{number(bound['bytes']['median'] / 1e6)} MB, {number(bound['flop']['median'] / 1e6)} MFLOP"],
        ["the least time for that", f"{number(bound['bound_ms']['median'])} ms"],
        ["Handful, 1 thread", f"{number(found['handful']['milliseconds']['median'])} ms"],
        ["Handful over the least time", shown],
        ["goal", f"{goal}, {'met' if met == 'yes' else 'not met'}"],
    ]
    return table(["", "median over rounds"], rows)


def surroundings(results: dict) -> str:
    facts = dict(results["machine"])
    versions = {row["version"] for found in results["train"].values() for row in found.values() if row["version"]}
    facts["versions"] = ", ".join(sorted(versions))
    facts["load at start and end"] = f"{number(results['load_at_start'])}, {number(results['load_at_end'])}"
    rows = [[key.replace("_", " "), str(value)] for key, value in facts.items() if value is not None]
    return table(["", ""], rows)


def markdown(results: dict) -> str:
    effort, main_data = results["effort"], results["main_data"]
    sections = {
        "One training episode": training(results),
        f"Fitting three documents from counts, {main_data}": fitting(results),
        f"The whole process, {main_data}": whole_process(results),
        f"Two threads against one, {main_data}": scaling(results),
        f"How near to the machine's limit, {main_data}": roofline(results),
        "How many threads": "Each implementation was tried with each number and then measured with its best.\n\n" + trials(results),
        "Machine": surroundings(results),
    }
    head = (
        "# Speed\n\nWritten by `bench/speed/run`; figures in `speed.json`."
        f" {effort['rounds']} rounds; in each, every implementation in shuffled\norder computes alone for about"
        f" {effort['chunk_seconds']:g} s. Times are medians over rounds. Ratios are taken within a round, where all saw the\n"
        "same machine; shown is their median, with the lowest and highest.\n" + warning(results)
    )
    return head + "".join(f"\n## {title}\n\n{text}" for title, text in sections.items())


def write(out: Path, name: str, results: dict, text: str):
    """The figures as JSON, and what is made of them as the folder's README."""
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.json").write_text(json.dumps(results, indent=1) + "\n")
    (out / "README.md").write_text(text)
