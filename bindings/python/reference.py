"""Writes the API reference, docs/python/reference.md, from the docstrings of the package.

    python bindings/python/reference.py

A test fails if the file is not up to date. The sources are read, not imported: fields of named tuples have
their docstrings below them, which only the source knows.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
REFERENCE = HERE.parents[1] / "docs" / "python" / "reference.md"
SOURCES = HERE / "python" / "handful"

Definition = ast.ClassDef | ast.FunctionDef

SECTIONS = {
    "Fit documents": ["fit", "Fit", "Topic", "Term", "Document", "Quote", "NewWord", "Tree", "Join", "load"],
    "Many fits at once": ["fit_many", "ManyFits", "Columns"],
    "Many fits on Ray": ["ray.fit_many", "ray.topics", "ray.documents"],
    "Many fits on Spark": ["spark.fit_many", "spark.topics", "spark.documents"],
    "Models": ["Model", "train"],
    "scikit-learn": ["HandfulTopicModel", "HandfulTextTopicModel"],
    "Threads, warnings, errors": ["set_threads", "HandfulWarning", "ModelError"],
}

# Modules whose names are not names of the package itself.
ENGINES = ("ray", "spark")

# Of what is written in Rust, the words are here.
NATIVE = {
    "ModelError": (
        "class ModelError(Exception)",
        "A model or a saved fit cannot be used: it is damaged, of another version, or its numbers are not finite.",
    ),
}


def definitions() -> dict[str, Definition]:
    """All classes and functions of the package, by name."""
    found: dict[str, Definition] = {}
    for source in [*sorted(SOURCES.glob("*.py")), SOURCES / "_native.pyi"]:
        for node in ast.parse(source.read_text()).body:
            if isinstance(node, Definition) and (source.suffix == ".py" or node.name == "set_threads"):
                found[f"{source.stem}.{node.name}" if source.stem in ENGINES else node.name] = node
    return found


def signature(name: str, node: ast.FunctionDef) -> str:
    """A function as it is called: without ``self``, with types."""
    arguments = node.args
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args = arguments.args[1:]
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{name}({ast.unparse(arguments)}){returned}"
    if len(line) <= 100:
        return line
    parts = re.split(r", (?=[a-z_*]+(?::|$|,|=)|\*)", ast.unparse(arguments))
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){returned}"


def prose(docstring: str | None) -> str:
    """A docstring in Markdown."""
    text = docstring or ""
    text = re.sub(r":(?:func|class|meth|attr):`(?:handful\.)?([^`]+)`", r"`\1`", text)
    text = text.replace("``", "`")
    text = re.sub(r"^(Parameters|Attributes)\n-+\n", r"**\1**\n\n", text, flags=re.MULTILINE)
    # A name, and below it, indented, what it is.
    text = re.sub(
        r"^([a-zA-Z_][\w, ]*)\n((?:    .*\n?)+)",
        lambda m: f"- `{m[1]}`: {' '.join(m[2].split())}\n",
        text,
        flags=re.MULTILINE,
    )
    return text.strip()


def fields(node: ast.ClassDef | ast.FunctionDef) -> list[str]:
    """The fields of a class that have a docstring below them."""
    lines = []
    for before, after in zip(node.body, node.body[1:]):
        is_documented = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if not is_documented:
            continue
        said = " ".join(str(after.value.value).split())  # type: ignore[union-attr, attr-defined]
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name):
            lines.append(f"- `{before.target.id}: {ast.unparse(before.annotation)}`: {prose(said)}")
        elif isinstance(before, ast.Assign) and isinstance(before.targets[0], ast.Attribute):
            lines.append(f"- `{before.targets[0].attr}`: {prose(said)}")
    return lines


def is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(one) == "property" for one in node.decorator_list)


def of_class(node: ast.ClassDef, everything: dict[str, Definition]) -> list[str]:
    parts = [f"### `{node.name}`", prose(ast.get_docstring(node))]
    own = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    for base in node.bases:
        inherited = everything.get(ast.unparse(base))
        if isinstance(inherited, ast.ClassDef):
            names = {one.name for one in own}
            own += [
                one for one in inherited.body if isinstance(one, ast.FunctionDef) and one.name not in names
            ]
    constructors = [one for one in own if one.name == "__init__"]
    if node.name.startswith("Handful") and constructors:
        parts.append(f"```python\n{signature(node.name, constructors[0])}\n```")
    described = fields(node)
    for one in constructors:
        described += fields(one)
    public = [one for one in own if not one.name.startswith("_")]
    described += [
        f"- `{one.name}`: {' '.join(prose(ast.get_docstring(one)).split())}"
        for one in public
        if is_property(one)
    ]
    parts.append("\n".join(described))
    for one in public:
        if not is_property(one):
            parts.append(f"```python\n{signature(one.name, one)}\n```")
            parts.append(prose(ast.get_docstring(one)))
    return parts


def reference() -> str:
    """The reference, in Markdown."""
    everything = definitions()
    parts = [
        "# The Python package, name by name",
        "Written by `bindings/python/reference.py` from the docstrings. [The guide](README.md) shows how the names "
        "are used.",
    ]
    for section, names in SECTIONS.items():
        parts.append(f"## {section}")
        for name in names:
            if name in NATIVE:
                line, said = NATIVE[name]
                parts += [f"### `{name}`", f"```python\n{line}\n```", said]
                continue
            node = everything[name]
            if isinstance(node, ast.ClassDef):
                parts += of_class(node, everything)
            else:
                parts += [f"### `{name}`", f"```python\n{signature(name, node)}\n```"]
                parts.append(prose(ast.get_docstring(node)))
    return "\n\n".join(part for part in parts if part) + "\n"


if __name__ == "__main__":
    REFERENCE.parent.mkdir(parents=True, exist_ok=True)
    REFERENCE.write_text(reference())
    print(REFERENCE)
