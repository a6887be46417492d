"""Measures of the sources that should fall: each has a count that it never exceeds again.

`pytest tests/test_measures.py -n 0 -s` prints them. Whoever lowers a count lowers its number in HELD as well.
"""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "remora"
EVIDENCE = ROOT / "evidence" / "src" / "remora_evidence"
Places = list[str]


def parsed(folder: Path) -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))}


@cache
def sources() -> dict[Path, ast.Module]:
    """The product."""
    return parsed(SOURCE)


@cache
def evidence() -> dict[Path, ast.Module]:
    return parsed(EVIDENCE)


def place(path: Path, node: ast.AST | None = None) -> str:
    line = f":{node.lineno}" if node is not None and hasattr(node, "lineno") else ""
    return f"{path.relative_to(ROOT)}{line}"


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0]


def module_name(path: Path) -> str:
    folder = EVIDENCE.parent if EVIDENCE in path.parents else SOURCE.parent
    return ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")


def line_count(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def names_called(tree: ast.Module, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def optional_attributes() -> Places:
    """Attributes that are asked for by name outside the package whose contract could state them."""
    return [place(p, n) for p, t in sources().items() if room(p) != "messages" for n in names_called(t, "getattr")]


@cache
def part_classes() -> frozenset[str]:
    """Classes in the packages `parts` that take steps."""
    return frozenset(
        node.name
        for path, tree in sources().items()
        if path.parent.name == "parts"
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        if any(isinstance(item, ast.FunctionDef) and item.name == "step" for item in node.body)
    )


def parts_known_by_class() -> Places:
    """Names of part classes in the loop, in monitoring and in scenarios, as identifiers or as text."""
    found = []
    for path, tree in sources().items():
        if room(path) not in ("run", "scenarios"):
            continue
        for node in ast.walk(tree):
            name = node.id if isinstance(node, ast.Name) else node.value if isinstance(node, ast.Constant) else None
            if isinstance(name, str) and name in part_classes():
                found.append(f"{place(path, node)} {name}")
    return found


@cache
def importers() -> dict[str, set[Path]]:
    """The files that import a module, by the name of the module; stubs of lazy packages count."""
    modules = {module_name(path): path for path in sources()}
    found: dict[str, set[Path]] = defaultdict(set)
    stubs = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.pyi")}
    for path, tree in {**sources(), **stubs, **evidence()}.items():
        package = module_name(path).split(".")
        package = package if path.stem == "__init__" else package[:-1]
        for node in ast.walk(tree):
            for target in imported(node, package):
                if target in modules and modules[target] != path:
                    found[target].add(path)
    return found


def imported(node: ast.AST, package: list[str]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else []
        origin = ".".join([*base, *([node.module] if node.module else [])])
        yield origin
        yield from (f"{origin}.{alias.name}" for alias in node.names)


def modules_with_one_importer() -> Places:
    """Modules below 60 lines that one file imports: they could be part of that file or of a sibling."""
    return [
        place(path)
        for path in sources()
        if path.stem != "__init__" and line_count(path) < 60 and len(importers()[module_name(path)]) == 1
    ]


def is_discovered(path: Path) -> bool:
    """Packages, and modules that a registry finds by itself."""
    return path.stem == "__init__" or path.parent.name == "parts" or "kinds" in path.parts


def modules_of_the_evidence_only() -> Places:
    """Modules of the product that nothing but the evidence reaches."""
    within = set(evidence())
    while True:
        more = {
            path
            for path in set(sources()) - within
            if not is_discovered(path) and importers()[module_name(path)] and importers()[module_name(path)] <= within
        }
        if not more:
            return [place(path) for path in sorted(within & set(sources()))]
        within |= more


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def repeated_parameter_lines() -> Places:
    """Lines of Parameters sections that stand three times or more."""
    lines: Counter[str] = Counter()
    for tree in sources().values():
        for function in functions(tree):
            _, found, section = (ast.get_docstring(function) or "").partition("\nParameters\n")
            section = re.split(r"\n(?:Returns|Raises|Notes|References)\n", section)[0] if found else ""
            lines.update(line.strip() for line in section.splitlines() if line.startswith("    "))
    return [f"{times} times: {line}" for line, times in lines.items() if times > 2 for _ in range(times)]


def repeated_constants() -> Places:
    """Constants of one name and value that several files define."""
    where: dict[tuple[str, str], Places] = defaultdict(list)
    for path, tree in sources().items():
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name, value = node.targets[0].id, ast.unparse(node.value)
                if name.isupper() and name != "__all__":
                    where[name.lstrip("_"), value].append(place(path, node))
    return [f"{name} = {value[:60]}: {', '.join(p)}" for (name, value), p in where.items() if len(p) > 1]


def functions_with_many_arguments() -> Places:
    """Functions with more than eight arguments."""

    def count(function: ast.FunctionDef) -> int:
        arguments = function.args
        return len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs)

    found = [(path, function) for path, tree in sources().items() for function in functions(tree)]
    return [f"{place(path, function)} {count(function)}" for path, function in found if count(function) > 8]


def small_files() -> Places:
    """Files below 40 lines, other than those that make a package."""
    return [place(path) for path in sources() if path.stem != "__init__" and line_count(path) < 40]


def import_lines_per_thousand() -> Places:
    """Lines of imports in a thousand lines."""
    lines = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for tree in sources().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    return ["imports"] * round(1000 * lines / sum(map(line_count, sources())))


def prose_pages() -> list[Path]:
    return [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]


def long_cells_and_lines() -> Places:
    """Cells of tables over 200 characters and other lines over 120, in the documentation."""
    found = []
    for page in sorted(prose_pages()):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
            cells = line.split("|") if line.lstrip().startswith("|") else None
            if max(map(len, cells)) > 200 if cells else len(line) > 120:
                found.append(f"{page.relative_to(ROOT)}:{number}")
    return found


def pronouns_for_nouns() -> Places:
    """ "Those of" and "that of" in sources and documentation, where a noun reads better."""
    return [
        f"{page.relative_to(ROOT)}:{number}"
        for page in [*sources(), *prose_pages()]
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
        for _ in re.findall(r"\b(?:those|that) of\b", line, re.IGNORECASE)
    ]


HELD: dict[Callable[[], Places], int] = {
    optional_attributes: 252,
    parts_known_by_class: 22,
    modules_of_the_evidence_only: 1,
    modules_with_one_importer: 6,
    repeated_parameter_lines: 89,
    repeated_constants: 34,
    functions_with_many_arguments: 64,
    small_files: 15,
    import_lines_per_thousand: 91,
    long_cells_and_lines: 181,
    pronouns_for_nouns: 219,
}


@pytest.mark.parametrize("measure", HELD, ids=lambda measure: measure.__name__)
def test_measure_stays_within_its_number(measure: Callable[[], Places]) -> None:
    places = measure()
    sys.stdout.write(f"{measure.__name__} {len(places)}\n")
    assert len(places) <= HELD[measure], "\n".join([f"{len(places)}, held at {HELD[measure]}:", *places])


def test_measures_see_what_they_count() -> None:
    """A measure that finds nothing because it looks wrongly would hold for ever."""
    assert len(part_classes()) > 20
    assert len(importers()) > 500
