"""The command `plybook`: thin, no logic. What a command does is in `pipeline.commands`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Records of tabletop games in, balance reports out: is the game fair, and how sure is that?",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

LakeOption = Annotated[Path, typer.Option("--lake", help="Folder of the lake.")]
ThreadsOption = Annotated[int, typer.Option("--threads", min=1, help="Threads for replaying.")]
FilesArgument = Annotated[list[Path], typer.Argument(help="Files of records, or folders of canonical tables.")]
SourceOption = Annotated[str | None, typer.Option("--source", help="Source of records that name none.")]
BoardsOption = Annotated[Path | None, typer.Option("--boards", help="Folder with further boards.")]
DEFAULT_LAKE = Path("lake")


def _boards(folder: Path | None) -> None:
    if folder is not None:
        from pipeline.titles.boards import add_board_folder

        add_board_folder(folder.absolute())


@app.command()
def check(
    files: FilesArgument,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a record.")] = False,
    boards: BoardsOption = None,
) -> None:
    """Replay records without a lake and say of each what is right or wrong."""
    from pipeline.commands.check import check

    _boards(boards)
    raise typer.Exit(check(files, json))


@app.command()
def ingest(
    files: FilesArgument,
    lake: LakeOption = DEFAULT_LAKE,
    source: SourceOption = None,
    boards: BoardsOption = None,
) -> None:
    """Read logs into a lake: every record becomes a game or a reject."""
    from pipeline.commands.lake import ingest_files

    _boards(boards)
    raise typer.Exit(ingest_files(lake, files, source))


@app.command("ingest-results")
def ingest_results(
    files: Annotated[list[Path], typer.Argument(help="CSV or Parquet files, one row a game and seat.")],
    title: Annotated[str | None, typer.Option("--title", help="Title; it need not have rules here.")] = None,
    lake: LakeOption = DEFAULT_LAKE,
    map: Annotated[list[str] | None, typer.Option("--map", help="FIELD=COLUMN, for instance score=VP.")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", help="OPTION=COLUMN.")] = None,
    mapping: Annotated[Path | None, typer.Option("--mapping", help="TOML file with all of this.")] = None,
    seat_order: Annotated[str | None, typer.Option("--seat-order", help="Labels in turn order.")] = None,
    first_seat: Annotated[int | None, typer.Option("--first-seat", help="Number of the first seat.")] = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help="For instance windows-1252.")] = None,
    separator: Annotated[str | None, typer.Option("--separator", help="Between columns.")] = None,
    decimal: Annotated[str | None, typer.Option("--decimal", help="Sign before fractions.")] = None,
    score_factor: Annotated[int | None, typer.Option("--score-factor", help="2 for half points.")] = None,
    timezone: Annotated[str | None, typer.Option("--timezone", help="Of times without one.")] = None,
    date_format: Annotated[str | None, typer.Option("--date-format", help="For instance %d.%m.%Y.")] = None,
    source: SourceOption = None,
    lowest_wins: Annotated[bool | None, typer.Option("--lowest-wins", help="Fewest points win.")] = None,
    no_guess: Annotated[bool, typer.Option("--no-guess", help="Only what --map states.")] = False,
) -> None:
    """Read a spreadsheet of results, of any title, without moves."""
    from pipeline.commands.results import ingest_results

    changes = {
        "seat_order": tuple(seat_order.split(",")) if seat_order else None,
        "first_seat": first_seat, "encoding": encoding, "separator": separator, "decimal": decimal,
        "score_factor": score_factor, "timezone": timezone, "date_format": date_format, "source": source,
        "lowest_wins": lowest_wins, "guess": False if no_guess else None,
    }  # fmt: skip
    raise typer.Exit(ingest_results(files, lake, title, mapping, map or [], option or [], changes))


@app.command()
def replay(lake: LakeOption = DEFAULT_LAKE, threads: ThreadsOption = 2, boards: BoardsOption = None) -> None:
    """Replay the lake's games that have not been replayed with these rules."""
    from pipeline.commands.lake import replay_files
    from pipeline.outputs import existing_lake

    _boards(boards)
    raise typer.Exit(replay_files(existing_lake(lake), threads))


@app.command()
def simulate(
    title: Annotated[str, typer.Argument(help="Title, for instance kingdoms.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="A .jsonl[.gz|.zst] file, or a folder for Parquet.")],
    players: Annotated[int, typer.Option("--players", help="Number of players.")] = 3,
    games: Annotated[int, typer.Option("--games", help="Number of games.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same games.")] = 1,
    bots: Annotated[str, typer.Option("--bots", help="random, greedy, sampling; with commas.")] = "random",
    option: Annotated[list[str] | None, typer.Option("--option", help="NAME=VALUE, JSON values.")] = None,
    budget: Annotated[int, typer.Option("--budget", help="Rollouts a decision of a sampling bot.")] = 64,
    threads: ThreadsOption = 1,
    boards: BoardsOption = None,
) -> None:
    """Let bots play games through the same rules that check them."""
    from pipeline.commands.options import parse_options
    from pipeline.commands.simulate import simulate
    from pipeline.simulate import Plan

    _boards(boards)
    plan = Plan(title, players, games, seed, tuple(bots.split(",")), parse_options(option or []), budget)
    raise typer.Exit(simulate(plan, out, threads))


@app.command()
def show(
    game: Annotated[str | None, typer.Argument(help="Id of the game; in a file also #LINE.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="A file of records instead of the lake.")] = None,
    lake: LakeOption = DEFAULT_LAKE,
    ply: Annotated[int | None, typer.Option("--ply", help="The state after this event; default the last.")] = None,
    png: Annotated[Path | None, typer.Option("--png", help="Draw the board into this file.")] = None,
    moves: Annotated[bool, typer.Option(help="Print the moves.")] = True,
    boards: BoardsOption = None,
) -> None:
    """Print a game: header, moves in words, and the board."""
    from pipeline.commands.show import show

    _boards(boards)
    raise typer.Exit(show(game, file, lake, ply, png, moves))


@app.command()
def export(
    lake: LakeOption = DEFAULT_LAKE,
    title: Annotated[str | None, typer.Option("--title", help="Only games of this title.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="A .jsonl[.gz|.zst] file; else stdout.")] = None,
) -> None:
    """Write the lake's games as text records."""
    from pipeline.commands.export import export

    raise typer.Exit(export(lake, title, out))


@app.command()
def states(
    title: Annotated[str, typer.Argument(help="Title, for instance kingdoms.")],
    lake: LakeOption = DEFAULT_LAKE,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="A Parquet file; else the lake.")] = None,
    games: Annotated[int | None, typer.Option("--games", help="Only this many games.")] = None,
) -> None:
    """Write every state of every game as a table; in the lake SQL sees it as states_TITLE."""
    from pipeline.commands.export import states

    raise typer.Exit(states(lake, title, out, games))


OutOption = Annotated[Path, typer.Option("--out", "-o", help="Folder of the report.")]
TitleOption = Annotated[str | None, typer.Option("--title", help="Only this title.")]
WhereOption = Annotated[str | None, typer.Option("--where", help="Only cells like players=4, side=4-5.")]
DeltaOption = Annotated[float, typer.Option("--delta", help="Half width of the balanced band, points.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Of the Monte Carlo tests.")]
DEFAULT_REPORT = Path("report")


@app.command()
def run(
    logs: FilesArgument,
    lake: LakeOption = DEFAULT_LAKE,
    out: OutOption = DEFAULT_REPORT,
    source: SourceOption = None,
    title: TitleOption = None,
    delta: DeltaOption = 5.0,
    seed: SeedOption = 0,
    threads: ThreadsOption = 2,
    boards: BoardsOption = None,
) -> None:
    """The main job: read logs, replay them, write the balance report."""
    from pipeline.commands.lake import run
    from pipeline.commands.report import report
    from pipeline.outputs import outside_lakes

    _boards(boards)
    outside_lakes(out, lake)
    code = run(lake, logs, source, threads)
    if code == 2 and not (lake / "batches").is_dir():
        raise typer.Exit(code)
    raise typer.Exit(max(code, report(lake, out, title, None, delta, seed, threads, None)))


@app.command()
def report(
    lake: LakeOption = DEFAULT_LAKE,
    out: OutOption = DEFAULT_REPORT,
    title: TitleOption = None,
    where: WhereOption = None,
    delta: DeltaOption = 5.0,
    seed: SeedOption = 0,
    threads: ThreadsOption = 2,
    compare: Annotated[
        tuple[str, str] | None, typer.Option("--compare", help="Two cells, or two folders of lakes.")
    ] = None,
    verify: Annotated[
        Path | None, typer.Option("--verify", help="Make the report of this folder again and compare.")
    ] = None,
) -> None:
    """Write the balance report of a lake: HTML, PDF, figures, numbers."""
    from pipeline.commands.report import report, verify_report

    if verify is not None:
        raise typer.Exit(verify_report(verify, lake))
    raise typer.Exit(report(lake, out, title, where, delta, seed, threads, compare))


@app.command()
def compare(
    a: Annotated[str, typer.Argument(help="The base: cells, for instance fortresses=false.")],
    b: Annotated[str, typer.Argument(help="What is held against the base, for instance fortresses=true.")],
    lake: LakeOption = DEFAULT_LAKE,
    out: OutOption = DEFAULT_REPORT,
    title: TitleOption = None,
    delta: DeltaOption = 5.0,
    seed: SeedOption = 0,
    threads: ThreadsOption = 2,
) -> None:
    """Compare two variants: effects with intervals and corrected p, as a report."""
    from pipeline.commands.report import report

    raise typer.Exit(report(lake, out, title, None, delta, seed, threads, (a, b)))


@app.command()
def sql(
    statement: Annotated[str | None, typer.Argument(help="One SELECT; without one, a prompt.")] = None,
    file: Annotated[Path | None, typer.Option("-f", "--file", help="A file with the statement.")] = None,
    lake: LakeOption = DEFAULT_LAKE,
    output: Annotated[str, typer.Option("--output", help="table, csv, json or parquet.")] = "table",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File for the rows.")] = None,
    rows: Annotated[int, typer.Option("--rows", help="Most rows of a table on the screen.")] = 40,
    seconds: Annotated[float, typer.Option("--seconds", help="Limit on time.")] = 60.0,
    memory: Annotated[int, typer.Option("--memory", help="Limit on memory, MB.")] = 2048,
    threads: ThreadsOption = 2,
) -> None:
    """Ask the lake anything in SQL: read-only, one statement, with limits on time and memory."""
    from pipeline.commands.sql import sql

    raise typer.Exit(sql(lake, statement, file, output, out, rows, seconds, memory, threads))


@app.command()
def schema(
    view: Annotated[str | None, typer.Argument(help="A view; without one, all of them.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Everything as JSON.")] = False,
) -> None:
    """Name the views and columns that SQL sees, with their meaning."""
    from pipeline.commands.sql import schema

    raise typer.Exit(schema(view, json))


@app.command()
def study(
    names: Annotated[list[str] | None, typer.Argument(help="Studies; without one, all of them.")] = None,
    replicates: Annotated[int, typer.Option("--replicates", help="Simulated cells for each number.")] = 1000,
    seed: SeedOption = 0,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for studies.md and a CSV each.")] = None,
) -> None:
    """Measure by simulation whether intervals, tests and verdicts keep what they promise."""
    from pipeline.commands.study import study

    raise typer.Exit(study(names, replicates, seed, out))


def main() -> None:
    """Run the command; whatever goes wrong is one sentence and exit code 2, not a traceback."""
    try:
        app()
    except ValueError as error:
        # Our own faults (of lakes, files, titles, records, statistics) are ValueErrors with one sentence.
        if not type(error).__module__.startswith(("pipeline", "schemas", "reports")):
            raise
        print(error, file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output has seen enough (`| head`).
        sys.stderr.close()
        sys.exit(0)
