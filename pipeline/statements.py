"""Which statements the ad-hoc door lets in: one reading statement over the lake's views.

DuckDB's own parser takes the text apart; what it found is then looked through. What is not known to be
a read is refused, with a sentence. The engine is locked besides (`pipeline.adhoc_child`): this module
gives the clear words, the lock holds what a word might overlook.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

    import duckdb

READS = "SELECT (also WITH, FROM, VALUES, PIVOT), DESCRIBE, SUMMARIZE, SHOW TABLES and EXPLAIN"
LONGEST = 100_000
"""Characters of a statement."""

REFUSED_KINDS = {
    "ATTACH": "ATTACH and DETACH open other databases",
    "CALL": "CALL runs functions that may change settings",
    "COPY": "COPY reads and writes files; --output and --out write a result",
    "COPY_DATABASE": "COPY DATABASE writes a database",
    "DETACH": "ATTACH and DETACH open other databases",
    "EXPORT": "EXPORT writes files; --output and --out write a result",
    "EXTENSION": "INSTALL and LOAD bring in code",
    "LOAD": "INSTALL and LOAD bring in code",
    "PRAGMA": "PRAGMA, IMPORT and the like read and change settings",
    "SET": "SET, RESET and USE change settings",
    "VARIABLE_SET": "SET, RESET and USE change settings",
}

TABLE_FUNCTIONS = frozenset(
    {
        "generate_series",
        "json_each",
        "json_tree",
        "range",
        "regexp_split_to_table",
        "repeat",
        "repeat_row",
        "unnest",
    }
)
"""Functions that make rows out of their arguments alone."""

FILE_FUNCTIONS = ("read_", "sniff_", "parquet_", "glob", "which_")
SCANS = ("_scan", "scan_dumb", "map_function")

FUNCTIONS = {
    "query": "it runs SQL that stands in a text",
    "query_table": "it reads a table whose name stands in a text",
    "json_execute_serialized_sql": "it runs SQL that stands in a text",
    "json_serialize_plan": "it plans SQL that stands in a text",
    "getenv": "it reads the environment",
    "current_setting": "it reads settings",
    "getvariable": "it reads settings",
    "pg_conf_load_time": "it reads settings",
    "nextval": "it changes a sequence",
    "currval": "it reads a sequence",
    "setval": "it changes a sequence",
    "write_log": "it writes a log",
    "sleep_ms": "it only waits",
    "pg_sleep": "it only waits",
}
"""Functions that are refused wherever they stand, with the reason."""

EXPLAIN_OPTIONS = ("ANALYZE", "ANALYSE", "FORMAT")

SHOWN = frozenset({'"tables"', "tables", "__show_tables_expanded"})


class RefusedError(ValueError):
    """The statement is not let in; one sentence says why."""


def judge(connection: duckdb.DuckDBPyConnection, sql: str, views: Collection[str]) -> tuple[str, set[str] | None]:
    """The one statement of `sql` and the views that it names; None for all of them (SHOW TABLES).

    Raises RefusedError. `connection` is only asked to parse.
    """
    if "\0" in sql:
        raise RefusedError("the statement holds a NUL character")
    if any("\ud800" <= character <= "\udfff" for character in sql):
        raise RefusedError("the statement is not UTF-8")
    if len(sql) > LONGEST:
        raise RefusedError(f"the statement has {len(sql):,} characters, {LONGEST:,} are allowed")
    kind, text = _only_statement(connection, sql)
    body = text
    if kind == "EXPLAIN":
        kind, body = _only_statement(connection, _explained(text))
    if kind == "MULTI":
        raise RefusedError("PIVOT must name its values: PIVOT view ON column IN (value, ...) USING ...")
    if kind != "SELECT":
        raise RefusedError(f"{REFUSED_KINDS.get(kind, f'{_spoken(kind)} is no read')}; open are {READS}")
    tree = _parse(connection, body)
    _look_through(tree, {view.lower() for view in views})
    return text, _views_read(tree, views)


_NAMED: dict[str, frozenset[str]] = {}
"""The tables that a text names: the same views are created more than once a report."""


def tables_named(connection: duckdb.DuckDBPyConnection, sql: str) -> frozenset[str]:
    """The tables that a SELECT names, also those of its own WITH. `connection` is only asked to parse."""
    if sql not in _NAMED:
        nodes = _nodes(_parse(connection, sql))
        _NAMED[sql] = frozenset(node["table_name"] for node in nodes if node.get("type") == "BASE_TABLE")
    return _NAMED[sql]


def _only_statement(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[str, str]:
    """The kind and text of the only statement."""
    import duckdb

    try:
        found = [(each, each.type.name) for each in connection.extract_statements(sql)]
    except duckdb.Error as error:
        raise RefusedError(_unreadable(first_line(error))) from error
    except ValueError as error:  # a kind of statement that DuckDB's Python package has no name for
        raise RefusedError(f"this statement is no read; open are {READS}") from error
    if not found:
        raise RefusedError("there is no statement")
    if len(found) > 1:
        raise RefusedError(f"these are {len(found)} statements, one at a time is allowed")
    statement, kind = found[0]
    if statement.named_parameters:
        raise RefusedError("placeholders (? or $1) have no values here; write the values themselves")
    return kind, statement.query.strip().rstrip(";").strip()


def _spoken(kind: str) -> str:
    return kind.replace("_", " ")


def _explained(sql: str) -> str:
    """What stands behind EXPLAIN and its options. Token positions are in bytes."""
    import duckdb

    raw = sql.encode()
    starts = [at for at, kind in duckdb.tokenize(sql) if kind.name != "comment"]
    ends = [*starts[1:], None]
    words = [raw[at:end].decode().strip().upper() for at, end in zip(starts, ends, strict=True)]
    first = 1
    # A parenthesis may also open the statement itself: EXPLAIN (SELECT ...).
    if words[1] == "(" and words[2].split()[0] in EXPLAIN_OPTIONS:
        first = words.index(")") + 1
    elif words[1].split()[0] in EXPLAIN_OPTIONS:
        first = 2
    return raw[starts[first] :].decode()


def _parse(connection: duckdb.DuckDBPyConnection, sql: str) -> Any:
    """The parser's tree of one SELECT."""
    answer = connection.execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    assert answer is not None
    try:
        tree = json.loads(answer[0])
    except RecursionError as error:
        raise RefusedError("the statement is nested too deeply") from error
    if tree["error"]:
        raise RefusedError(_unreadable(tree["error_message"].splitlines()[0]))
    return tree


def _unreadable(message: str) -> str:
    if "expression depth limit" in message:
        return "the statement is nested too deeply"
    return f"this is not SQL that can be read: {message}"


def first_line(error: Exception) -> str:
    """The first line of DuckDB's message, without its class."""
    line = (str(error).strip() or type(error).__name__).splitlines()[0]
    return line.split(" Error: ", 1)[-1]


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """All objects of a tree; without recursion, for it may be deep."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


def _views_read(tree: Any, views: Collection[str]) -> set[str] | None:
    own = {view.lower(): view for view in views}
    found = set()
    for node in _nodes(tree):
        if node.get("type") == "SHOW_REF" and node.get("show_type") == "SHOW_SPECIAL":
            return None
        name = node["table_name"].lower() if node.get("type") in ("BASE_TABLE", "SHOW_REF") else ""
        if name in own:
            found.add(own[name])
    return found


def _look_through(tree: Any, views: set[str]) -> None:
    """Refuse what writes, and tables and functions other than the lake's and the plain ones.

    Each node is looked at with the names that a WITH makes known there, and only there: a name that is
    not known would be taken for a file or a system table.
    """
    waiting: list[tuple[Any, frozenset[str]]] = [(tree, frozenset())]
    while waiting:
        node, known = waiting.pop()
        if isinstance(node, list):
            waiting.extend((child, known) for child in node)
        elif isinstance(node, dict):
            known = _known_below(node, known, waiting)
            _look_at(node, views, known)
            waiting.extend((child, known) for name, child in node.items() if name != "cte_map")


def _known_below(
    node: dict[str, Any], known: frozenset[str], waiting: list[tuple[Any, frozenset[str]]]
) -> frozenset[str]:
    """The names known inside a node; the queries of its WITH are put on the list with those known to them."""
    if node.get("type") == "RECURSIVE_CTE_NODE":
        known |= {str(node.get("cte_name", "")).lower()}
    for entry in (node.get("cte_map") or {}).get("map", []):
        waiting.append((entry["value"], known))
        known |= {entry["key"].lower()}
    return known


def _look_at(node: dict[str, Any], views: set[str], known: frozenset[str]) -> None:
    kind = str(node.get("type", ""))
    if kind.endswith("_QUERY_NODE"):
        what = kind.removesuffix("_QUERY_NODE")
        raise RefusedError(f"{what} inside a WITH writes; open are {READS}")
    if kind == "BASE_TABLE":
        _look_at_table(node["qualified_name"]["path"], views, known)
    elif kind == "SHOW_REF":
        _look_at_show(node, views)
    elif kind == "TABLE_FUNCTION":
        name = node["function"]["function_name"].lower()
        if name not in TABLE_FUNCTIONS:
            raise RefusedError(_function_refused(name))
    elif node.get("class") == "FUNCTION":
        name = node["function_name"].lower()
        if name in FUNCTIONS:
            raise RefusedError(_function_refused(name))


def _look_at_show(node: dict[str, Any], views: set[str]) -> None:
    if node["show_type"] == "SHOW_SPECIAL":
        if node["table_name"] not in SHOWN:
            word = node["table_name"].strip('"').upper()
            raise RefusedError(f"SHOW {word} is not open; open are {READS}")
    elif node["show_type"] == "SHOW":
        _look_at_table(node["qualified_name"]["path"], views, frozenset())


def _look_at_table(path: list[str], views: set[str], known: frozenset[str]) -> None:
    name = path[-1].lower()
    shown = ".".join(path) if len(".".join(path)) <= 60 else ".".join(path)[:57] + "..."
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in shown)
    # Such a name is a file's to DuckDB, whatever WITH says elsewhere.
    if any(sign in path[-1] for sign in "./\\:*?"):
        raise RefusedError(f"'{shown}' would be a file; only the lake's views are open (`plybook schema`)")
    if len(path) == 1 and (name in views or name in known):
        return
    if [part.lower() for part in path[:-1]] in (["main"], ["memory", "main"]) and name in views:
        return
    near = difflib.get_close_matches(name, sorted(views), 1)
    hint = f"did you mean {near[0]}?" if near else "`plybook schema` lists them"
    raise RefusedError(f"there is no view {shown}; {hint}")


def _function_refused(name: str) -> str:
    if name in FUNCTIONS:
        return f"the function {name} is not open here: {FUNCTIONS[name]}"
    if name.startswith(FILE_FUNCTIONS) or name.endswith(SCANS):
        return f"the function {name} is not open here: it reads files or foreign memory"
    shown = name if len(name) <= 60 else name[:57] + "..."
    return f"the table function {shown} is not open here; open are {', '.join(sorted(TABLE_FUNCTIONS))}"
