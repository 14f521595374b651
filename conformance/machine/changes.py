"""Every small change of a source, found in its syntax tree and made in its text."""

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from conformance.errors import SuiteError, UsageError

SWAPPED: Final[Mapping[type[ast.AST], tuple[type[ast.AST], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
SIGN: Final[Mapping[type[ast.AST], str]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.And: "and",
    ast.Or: "or",
    ast.Add: "+",
    ast.Sub: "-",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
RULES: Final = "referee.rules"
CALLS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
PROSE: Final = ("explain.py", "presets.py", "reasons.py", "knobs.py", "__init__.py")
"""Sentences, names and re-exports: the corpus judges what is decided, not how it is said; what
knobs and named rule sets there are is stated again in rulesets.yaml, and a test holds both equal.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change: the file, the line as it is and as it becomes, and the tree that results."""

    file: str
    line: int
    was: str
    becomes: str
    source: str

    @property
    def id(self) -> str:
        """A name that stays the same while the line does."""
        return hashlib.sha256(f"{self.file}\n{self.was}\n{self.becomes}".encode()).hexdigest()[:10]


def changes_of(file: str, source: str, excused: Iterable[str] = ()) -> Iterator[Change]:
    """Every change of a source, the functions apart whose `def` line is excused."""
    tree = ast.parse(source)
    lines = source.splitlines()
    skipped = set(_skipped(tree, lines, set(excused)))
    seen: set[tuple[str, str]] = set()
    for node in ast.walk(tree):
        if node in skipped:
            continue
        for old, new in _edits(node, source):
            changed = _apply(source, node, old, new)
            line = getattr(node, "lineno", 0)
            found = _as_change(file, line, source, changed)
            if found is not None and (found.was, found.becomes) not in seen:
                seen.add((found.was, found.becomes))
                yield found


def drawn(changes: Iterable[Change], seed: int) -> list[Change]:
    """The changes in an order drawn by a seed; one that stays keeps its place beside others."""
    return sorted(changes, key=lambda one: hashlib.sha256(f"{seed} {one.id}".encode()).digest())


def _skipped(tree: ast.Module, lines: list[str], excused: set[str]) -> Iterator[ast.AST]:
    """What is not changed: errors, annotations, defaults, and functions that are excused."""
    for node in ast.walk(tree):
        match node:
            case ast.Raise() | ast.JoinedStr() | ast.ImportFrom() | ast.Import():
                yield from ast.walk(node)
            case ast.FunctionDef():
                if lines[node.lineno - 1].strip() in excused:
                    yield from ast.walk(node)
                for part in (*node.decorator_list, node.args, *filter(None, [node.returns])):
                    yield from ast.walk(part)
            case ast.ClassDef():
                for part in (*node.decorator_list, *node.body):
                    if not isinstance(part, ast.FunctionDef):
                        yield from ast.walk(part)
            case ast.AnnAssign():
                yield from ast.walk(node.annotation)


Edit = tuple[str, str]


def _edits(node: ast.AST, source: str) -> Iterator[Edit]:
    """The pieces of text to be replaced within a node, and what comes in their place."""
    match node:
        case ast.Compare(ops=[op]) | ast.BoolOp(op=op) | ast.BinOp(op=op):
            for other in SWAPPED.get(type(op), ()):
                yield from _signs(node, source, SIGN[type(op)], SIGN[other])
        case ast.AugAssign(op=op) if type(op) in SWAPPED:
            yield f"{SIGN[type(op)]}=", f"{SIGN[SWAPPED[type(op)][0]]}="
        case ast.UnaryOp(op=ast.Not() | ast.Invert(), operand=operand):
            yield _text(node, source), _text(operand, source)
        case ast.Constant(value=bool() | int()):
            yield from _constants(node, source)
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            yield name, CALLS[name]
        case ast.stmt() | ast.IfExp():
            yield from _branches(node, source)


def _text(node: ast.AST, source: str) -> str:
    return ast.get_source_segment(source, node) or ""


def _constants(node: ast.Constant, source: str) -> Iterator[Edit]:
    value = node.value
    if isinstance(value, bool):
        yield _text(node, source), str(not value)
    elif isinstance(value, int):
        yield _text(node, source), str(value + 1)
        yield _text(node, source), str(value - 1)


def _branches(node: ast.AST, source: str) -> Iterator[Edit]:
    """Branches exchanged, tests turned round, statements left out."""
    text = _text(node, source)
    match node:
        case ast.IfExp(test=test, body=body, orelse=orelse):
            parts = [_text(part, source) for part in (test, body, orelse)]
            yield text, f"{parts[2]} if {parts[0]} else {parts[1]}"
        case ast.If(test=test) | ast.While(test=test):
            yield _text(test, source), f"not ({_text(test, source)})"
        case ast.Expr(value=ast.Call()) | ast.Assign(targets=[ast.Attribute()]):
            yield text, "pass"
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield text, "return None"


def _signs(node: ast.AST, source: str, sign: str, other: str) -> Iterator[Edit]:
    """The sign between the operands of a node, with the text around it that makes it unique."""
    operands = (
        [node.left, node.comparators[0]]
        if isinstance(node, ast.Compare)
        else node.values[:2]
        if isinstance(node, ast.BoolOp)
        else [node.left, node.right]
        if isinstance(node, ast.BinOp)
        else []
    )
    if len(operands) < 2:  # noqa: PLR2004 -- a sign stands between two operands
        return
    whole = ast.get_source_segment(source, node) or ""
    first = ast.get_source_segment(source, operands[0]) or ""
    at = whole.find(first) + len(first)
    place = whole.find(sign, at)
    if place < 0:
        return
    yield whole, whole[:place] + other + whole[place + len(sign) :]


def _apply(source: str, node: ast.AST, old: str, new: str) -> str:
    """The source with a piece of a node replaced, the first of its kind within the node."""
    start = _offset(source, getattr(node, "lineno", 1), getattr(node, "col_offset", 0))
    place = source.find(old, start)
    return source[:place] + new + source[place + len(old) :] if place >= 0 else source


def _offset(source: str, line: int, column: int) -> int:
    lines = source.splitlines(keepends=True)
    before = sum(map(len, lines[: line - 1]))
    return before + len(lines[line - 1].encode()[:column].decode())


def _as_change(file: str, line: int, source: str, changed: str) -> Change | None:
    """The change between two texts, told by the lines that differ; none where nothing does."""
    if changed == source:
        return None
    old, new = source.splitlines(), changed.splitlines()
    start = next(n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1])
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    was = " ".join(text.strip() for text in old[start : len(old) - end])
    becomes = " ".join(text.strip() for text in new[start : len(new) - end])
    return Change(file=file, line=line, was=was, becomes=becomes, source=changed)


def rules_dir() -> Path:
    """Where the source of the referee's rules lies."""
    spec = find_spec(RULES)
    if spec is None or not spec.submodule_search_locations:
        raise SuiteError(f"{RULES} is not installed (pip install euchre-referee)")
    return Path(next(iter(spec.submodule_search_locations)))


def every_change(excused: Iterable[str], seed: int) -> list[Change]:
    """Every change of every module of the rules, in the order drawn by a seed."""
    apart = list(excused)
    found: list[Change] = []
    for path in sorted(rules_dir().glob("*.py")):
        if path.name not in PROSE:
            found += changes_of(path.name, path.read_text(encoding="utf-8"), apart)
    return drawn(found, seed)


def change_of(wanted: str) -> Change:
    """The change of an id."""
    for change in every_change((), 1):
        if change.id == wanted:
            return change
    raise UsageError(f"no change {wanted!r} (euchre-conformance prove --part machine)")
