"""The page: one file that needs nothing else, for eyes, keyboards and screen readers, light, dark and paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports import style
from reports.draw import subtitle
from reports.numbers import kind_of, shown, words_of

if TYPE_CHECKING:
    import polars as pl

    from pipeline.analysis.model import Column, FigureData, Report, SeatLine, TableData, TitleReport

MOST_ROWS = 60
"""Rows of a figure's numbers on the page; the files have all."""
MOST_CELLS = 12
OFF = ("advantaged", "disadvantaged")
FINE = ("balanced", "trivial difference")


def text(value: Any) -> str:
    """Text from the data as HTML."""
    return escape(str(value), quote=True)


def page(heading: str, body: str, language: str = "en") -> str:
    """A whole document around a body."""
    css = (Path(__file__).parent / "page.css").read_text("utf-8")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{text(heading)}</title>\n<link rel="icon" href="data:,">\n<style>\n{css}</style>\n</head>\n<body>\n'
        f'<a class="skip" href="#main">To the content</a>\n{body}</body>\n</html>\n'
    )


def title_page(
    report: Report, part: TitleReport, pictures: Mapping[str, str], files: Mapping[str, Sequence[str]], back: str = ""
) -> str:
    """The page of one title. `pictures`: SVG by slug; `files`: relative links by slug of figure or table."""
    heading = f"{part.label}: {report.subject[:1].lower()}{report.subject[1:]}"
    links = [("#verdict", "Verdict"), ("#figures", "Figures"), ("#tables", "Tables"), ("#provenance", "Provenance")]
    links += [(name, name.rsplit("/", 1)[-1]) for name in files.get("", ())]
    links += [(back, "All titles")] if back else []
    items = "".join(f'<li><a href="{text(to)}">{text(word)}</a></li>' for to, word in links)
    body = (
        f'<header>\n<h1>{text(heading)}</h1>\n<p class="lead">{text(part.headline)}</p>\n</header>\n'
        f'<nav aria-label="Contents"><ul>{items}</ul></nav>\n<main id="main">\n'
        f"{_first_page(part)}{_figures(part, pictures, files)}{_tables(part, files)}"
        f"{_provenance(report.provenance, part.title)}</main>\n"
        f'<footer><p class="small">Made by Plybook {text(report.provenance["plybook"])}.</p></footer>\n'
    )
    return page(heading, body)


def _first_page(part: TitleReport) -> str:
    findings = "".join(
        f'<li>{text(f.sentence)} <span class="small">{text(f.size)}; {text(f.certainty)}. '
        f'<a href="#{text(f.figure)}">See figure</a></span></li>'
        for f in part.findings
    )
    none = "<p>No finding yet: nothing differs for certain, and nothing is shown to be balanced.</p>"
    others = "".join(
        f'<div class="block"><h3>{heading}</h3>{_list(sentences)}</div>'
        for heading, sentences in (
            ("What was left out", part.left_out),
            ("Games still needed", part.needed[:MOST_CELLS]),
            ("What it rests on", part.basis),
        )
    )
    blocks = [
        f'<div class="wide"><h3>Per seat</h3>{_verdicts(part)}</div>',
        f"<div><h3>Strongest findings</h3>{f'<ol>{findings}</ol>' if findings else none}</div>",
        f"<div>{others}</div>",
    ]
    return (
        '<section id="verdict" aria-labelledby="verdict-heading">\n<h2 id="verdict-heading">In one minute</h2>\n'
        f'<div class="first">{"".join(blocks)}</div>\n</section>\n'
    )


def _list(sentences: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{text(sentence)}</li>' for sentence in sentences)}</ul>"


def _verdicts(part: TitleReport, page: str = "") -> str:
    lines = sorted(part.verdicts, key=lambda line: -line.games)[:MOST_CELLS]
    lines = [line for line in part.verdicts if line in lines]
    seats = max((len(line.seats) for line in lines), default=0)
    head = "".join(f'<th scope="col">{style.seat_name(seat)} seat</th>' for seat in range(seats))
    rows = "".join(
        f'<tr><th scope="row" dir="auto">{text(line.label)}</th><td class="n">{line.games:,}</td>'
        + "".join(_seat(seat) for seat in line.seats)
        + "<td></td>" * (seats - len(line.seats))
        + "</tr>"
        for line in lines
    )
    rest = len(part.verdicts) - len(lines)
    more = (
        f'<p class="small">And {rest} smaller cells: see <a href="{text(page)}#table-verdicts">the table</a>.</p>'
        if rest
        else ""
    )
    note = (
        f'<p class="small">Win share in percentage points from the fair share 1/n, with its 95% interval. Balanced: '
        f"the 90% interval lies within \u00b1{part.delta:g} points.</p>"
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Verdict per seat"><table class="seats">'
        f'<thead><tr><th scope="col">Cell</th><th scope="col" class="n">Games</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{more}{note}"
    )


def _seat(seat: SeatLine) -> str:
    mark = "off" if seat.verdict in OFF else "fine" if seat.verdict in FINE else ""
    low, high = (shown(value, "points") for value in seat.interval95)
    needs = f'<br><span class="small">about {seat.games_still_needed:,} more games</span>' * bool(
        seat.games_still_needed
    )
    return (
        f'<td><strong class="{mark}">{text(seat.verdict)}</strong><br>{shown(seat.difference, "points")} '
        f'<span class="small">({low} to {high})</span>{needs}</td>'
    )


def _figures(part: TitleReport, pictures: Mapping[str, str], files: Mapping[str, Sequence[str]]) -> str:
    drawn = "".join(_figure(data, pictures, files) for data in part.figures if not data.failure)
    absent = "".join(
        f"<li>{data.number} \u00b7 {text(data.question)} {text(_sentence(data.failure))}</li>"
        for data in part.figures
        if data.failure
    )
    rest = f'<h3 id="absent">Figures that these data cannot give</h3><ul>{absent}</ul>' if absent else ""
    return (
        '<section id="figures" aria-labelledby="figures-heading">\n<h2 id="figures-heading">Figures</h2>\n'
        f'<div class="figures">\n{drawn}</div>\n{rest}</section>\n'
    )


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _figure(data: FigureData, pictures: Mapping[str, str], files: Mapping[str, Sequence[str]]) -> str:
    links = _links(files.get(data.slug, ()))
    notes = " ".join((*data.notes, f"Source: {data.source}"))
    return (
        f'<figure id="{text(data.slug)}" aria-labelledby="{text(data.slug)}-heading">\n'
        f'<h3 id="{text(data.slug)}-heading">{data.number} \u00b7 {text(data.question)}</h3>\n'
        f'<p class="answer">{text(data.answer)}</p>\n<p class="small">{text(subtitle(data))}</p>\n'
        f"{pictures.get(data.slug, '')}\n"
        f'<figcaption class="small">{text(notes)}</figcaption>\n'
        f"<details><summary>Numbers</summary>{_numbers(data)}</details>\n"
        + (f'<p class="small files">Files: {links}</p>\n' if links else "")
        + "</figure>\n"
    )


def _links(names: Sequence[str]) -> str:
    return ", ".join(f'<a href="{text(name)}">{name.rsplit(".", 1)[1].upper()}</a>' for name in names)


def _numbers(data: FigureData) -> str:
    frame = data.frame.head(MOST_ROWS)
    more = data.frame.height - frame.height
    note = f'<p class="small">The first {MOST_ROWS} of {data.frame.height:,} rows; the files have all.</p>' * (more > 0)
    kinds = [kind_of(dtype) for dtype in frame.dtypes]
    return _table(frame, frame.columns, words_of(frame.columns), kinds, data.question) + note


def _table(
    frame: pl.DataFrame, names: Sequence[str], headings: Sequence[str], kinds: Sequence[Any], caption: str
) -> str:
    # The heading above a table says its name to the eye, the caption to screen readers.
    head = "".join(
        f'<th scope="col"{"" if kind == "text" else " class=n"}>{text(word)}</th>'
        for word, kind in zip(headings, kinds, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(_td(value, kind) for value, kind in zip(row, kinds, strict=True)) + "</tr>"
        for row in frame.select(names).iter_rows()
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{text(caption)}"><table>'
        f'<caption class="unseen">{text(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _td(value: Any, kind: Any) -> str:
    if kind == "text":
        return f'<td class="text" dir="auto">{text(shown(value, kind))}</td>'
    return f'<td class="n">{text(shown(value, kind))}</td>'


def _tables(part: TitleReport, files: Mapping[str, Sequence[str]]) -> str:
    made = "".join(_one_table(table, files) for table in part.tables if table.frame.height)
    heading = '<h2 id="tables-heading">Tables</h2>'
    return f'<section id="tables" aria-labelledby="tables-heading">\n{heading}\n{made}</section>\n'


def _one_table(table: TableData, files: Mapping[str, Sequence[str]]) -> str:
    columns: Sequence[Column] = table.columns
    inner = _table(
        table.frame, [c.name for c in columns], [c.heading for c in columns], [c.kind for c in columns], table.title
    )
    links = _links(files.get(table.slug, ()))
    note = " ".join(filter(None, (text(table.note), f"Files: {links}" if links else "")))
    return f'<div id="table-{text(table.slug)}"><h3>{text(table.title)}</h3>{inner}<p class="small">{note}</p></div>\n'


def _provenance(facts: Mapping[str, Any], title: str) -> str:
    apart = ("titles", "packages", "options")
    rows = [(name.replace("_", " "), value) for name, value in facts.items() if name not in apart]
    rows += [(f"option {name}", value) for name, value in facts["options"].items()]
    rows += [("packages", ", ".join(f"{name} {value}" for name, value in facts["packages"].items()))]
    for own in facts["titles"]:
        if own["title"] == title:
            rows += [(name.replace("_", " "), _told(value)) for name, value in own.items()]
    body = "".join(f"<dt>{text(name)}</dt><dd>{text(_told(value))}</dd>" for name, value in rows)
    return (
        '<section id="provenance" aria-labelledby="provenance-heading">\n<h2 id="provenance-heading">Provenance</h2>\n'
        f"<dl>{body}</dl>\n</section>\n"
    )


def _told(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return " ".join(_told(inner) for inner in value.values() if inner != "")
    if isinstance(value, (list, tuple)):
        shown_ = [_told(inner) for inner in value[:20]]
        return ", ".join(shown_) + (f" and {len(value) - 20} more" if len(value) > 20 else "")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def index_page(report: Report, folders: Mapping[str, str]) -> str:
    """The page over several titles: the verdict on each, and the way to its report."""
    parts = "".join(
        f'<section aria-labelledby="{text(part.title)}-heading"><h2 id="{text(part.title)}-heading">'
        f'<a href="{text(folders[part.title])}/index.html">{text(part.label)}</a></h2>'
        f'<p class="lead">{text(part.headline)}</p>{_verdicts(part, f"{folders[part.title]}/index.html")}'
        "</section>\n"
        for part in report.titles
    )
    body = f'<header><h1>{text(report.subject)}s</h1></header>\n<main id="main">\n{parts}</main>\n'
    return page(f"{report.subject}s", body)
