"""The small changes that a mutation test makes to Python and to the SQL inside it."""

import ast
import copy
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

_Part = TypeVar("_Part")
OPPOSITES: dict[type[ast.AST], ast.AST] = {
    ast.Lt: ast.LtE(), ast.LtE: ast.Lt(), ast.Gt: ast.GtE(), ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(), ast.NotEq: ast.Eq(), ast.Is: ast.IsNot(), ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(), ast.NotIn: ast.In(), ast.And: ast.Or(), ast.Or: ast.And(),
    ast.Add: ast.Sub(), ast.Sub: ast.Add(), ast.Mult: ast.Div(), ast.Div: ast.Mult(),
    ast.FloorDiv: ast.Mult(), ast.Mod: ast.Mult(), ast.Pow: ast.Mult(),
    ast.BitOr: ast.BitAnd(), ast.BitAnd: ast.BitOr(),
}  # fmt: skip
FUNCTIONS = {"min": "max", "Min": "Max", "Least": "Greatest", "any": "all"}
FUNCTIONS |= {right: left for left, right in FUNCTIONS.items()}
LOOKUPS = {"__lt": "__lte", "__lte": "__lt", "__gt": "__gte", "__gte": "__gt"}
# What has no effect at run time, or texts for people, or states what cannot happen.
SKIPPED_FIELDS = {"annotation", "returns", "decorator_list"}
SKIPPED_NODES = (ast.Assert, ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Raise)

STATEMENT = re.compile(r"\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b")
_CONDITION = r"(?:\((?:[^()]|\([^()]*\))*\)|(?:(?!\s+AND |\n).)+)"
SQL = (
    (rf"\s+AND {_CONDITION}", ""),
    (rf"(?<=WHERE ){_CONDITION}\s+AND ", ""),
    (r"(?<=[ (])[^ (\n]+ IS NULL OR ", ""),
    (r"\bIS NULL\b", "IS NOT NULL"),
    (r"(?<= )<=(?= )", "<"),
    (r"(?<= )<(?= )", "<="),
    (r"(?<= )>(?= )", ">="),
    (r"(?<= )=(?= )", "<>"),
    (r"(?<= )<>(?= )", "="),
    (r"(?<= )\+(?= )", "-"),
    (r"(?<= )-(?= )", "+"),
    (r"(?<= )\*(?= )", "/"),
    (r"(?<= )/(?= )", "*"),
    (r"\bmin\(", "max("),
    (r"\bmax\(", "min("),
    (r"\bround\(", "("),
    (r" DESC\b", ""),
    (r"\bNOT ", ""),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"(?<=[ (])0\b", "1"),
    (r"(?<=[ (])1\b", "2"),
    (r"\bFULL JOIN\b", "JOIN"),
    (r"\n\s*(ORDER BY|LIMIT|ON CONFLICT|HAVING) [^\n]*", "\n"),
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of a module: the value that a field of one of its nodes gets."""

    owner: ast.AST
    field: str
    value: object
    line: int
    description: str

    def apply(self) -> None:
        """Change the tree that the mutant was made from."""
        setattr(self.owner, self.field, self.value)


def mutants_of(owner: ast.AST) -> Iterator[Mutant]:
    """Yield every change of what the node is made of, in a fixed order."""
    for field, value in ast.iter_fields(owner):
        if field in SKIPPED_FIELDS:
            continue
        nodes = value if isinstance(value, list) else [value]
        for at, node in enumerate(nodes):
            if not isinstance(node, ast.AST) or _is_docstring(node):
                continue
            for other, description in (*_expressions(node), *_texts(node), *_statements(node)):
                new = (
                    [*nodes[:at], other, *nodes[at + 1 :]] if isinstance(value, list) else other
                )
                line = getattr(node, "lineno", getattr(owner, "lineno", 0))
                yield Mutant(owner, field, new, line, description)
            if not isinstance(node, SKIPPED_NODES):
                yield from mutants_of(node)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _changed(node: ast.AST, **fields: Any) -> Any:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _without_one(parts: Sequence[_Part]) -> Iterator[list[_Part]]:
    return ([*parts[:at], *parts[at + 1 :]] for at in range(len(parts)))


def _expressions(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield what an expression is replaced by."""
    for other in (*_operations(node), *_values(node), *_calls(node)):
        yield other, f"{ast.unparse(node)} -> {ast.unparse(other)}"


def _operations(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=ops):
            for at, operator in enumerate(ops):
                new = [*ops[:at], OPPOSITES[type(operator)], *ops[at + 1 :]]
                yield _changed(node, ops=new)
        case ast.BinOp(op=operator):
            yield _changed(node, op=OPPOSITES[type(operator)])
        case ast.BoolOp(op=operator, values=values):
            yield _changed(node, op=OPPOSITES[type(operator)])
            for rest in _without_one(values):
                yield rest[0] if len(rest) == 1 else _changed(node, values=rest)
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.IfExp(body=body, orelse=orelse):
            yield _changed(node, body=orelse, orelse=body)


def _values(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Constant(value=bool(value)):
            yield _changed(node, value=not value)
        case ast.Constant(value=int(value) | float(value)):
            yield _changed(node, value=value + 1)
        case ast.Dict(keys=keys, values=values):
            for left, right in zip(_without_one(keys), _without_one(values), strict=True):
                yield _changed(node, keys=left, values=right)
        case ast.Tuple(elts=parts, ctx=ast.Load()) | ast.List(elts=parts) | ast.Set(elts=parts):
            yield from (_changed(node, elts=rest) for rest in _without_one(parts))
        case ast.comprehension(ifs=ifs):
            yield from (_changed(node, ifs=rest) for rest in _without_one(ifs))


def _calls(node: ast.AST) -> Iterator[ast.AST]:
    if not isinstance(node, ast.Call):
        return
    yield from (_changed(node, keywords=rest) for rest in _without_one(node.keywords))
    field = "id" if isinstance(node.func, ast.Name) else "attr"
    name = getattr(node.func, field, "")
    if name in FUNCTIONS:
        yield _changed(node, func=_changed(node.func, **{field: FUNCTIONS[name]}))
    if name in {"sorted", "sort"} and all(one.arg != "reverse" for one in node.keywords):
        reverse = ast.keyword("reverse", ast.Constant(value=True))
        yield _changed(node, keywords=[*node.keywords, reverse])
    for at, keyword in enumerate(node.keywords):
        path, mark, lookup = (keyword.arg or "").rpartition("__")
        if mark + lookup in LOOKUPS:
            new = _changed(keyword, arg=path + LOOKUPS[mark + lookup])
            yield _changed(node, keywords=[*node.keywords[:at], new, *node.keywords[at + 1 :]])


def _statements(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield what a statement is replaced by."""
    shown = ast.unparse(node).partition("\n")[0] if isinstance(node, ast.stmt) else ""
    match node:
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield _changed(node, value=ast.Constant(value=None)), f"{shown} -> return None"
        case ast.If(test=test) | ast.While(test=test):
            yield _changed(node, test=ast.UnaryOp(ast.Not(), test)), f"{shown} -> not"
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass(), f"{shown} -> removed"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass(), f"{shown} -> removed"


def _texts(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield what a text is replaced by; of a statement of SQL, one part at a time."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return
    text = node.value
    if not STATEMENT.match(text):
        other = "" if text else "x"
        yield _changed(node, value=other), f"{text!r} -> {other!r}"
        return
    for pattern, replacement in SQL:
        for found in re.finditer(pattern, text):
            before, after = text[: found.start()], text[found.end() :]
            line = (text[: found.end()].splitlines()[-1] + after.partition("\n")[0]).strip()
            number, old = before.count("\n"), found.group().strip()
            new = _changed(node, value=before + replacement + after)
            yield new, f"+{number} {line}: {old!r} -> {replacement!r}"
