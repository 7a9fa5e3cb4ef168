"""Bad input: one clear sentence, its place in `rejects`, and nothing good is lost."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import zstandard

from pipeline.commands.check import check, check_line, checked
from pipeline.commands.lake import ingest_files
from pipeline.ingest import ingest
from pipeline.ingest.lines import MAX_LINE, read_blocks
from pipeline.lake import Lake
from pipeline.replay_lake import replay_lake
from tests.bad_inputs import BAD_INPUTS, BadInput, whole_game


def good(number: int) -> bytes:
    return json.dumps(whole_game() | {"id": f"good-{number}"}).encode()


def all_rejects(lake: Lake) -> list[dict[str, Any]]:
    """The rejects of reading and of replaying."""
    replay_lake(lake)
    rows: list[dict[str, Any]] = []
    for folder, batches in ((lake.batches_folder, lake.batches()), (lake.replays_folder, lake.replays())):
        for batch in batches:
            rows += pq.read_table(folder / batch / "rejects.parquet").to_pylist()
    return sorted(rows, key=lambda row: (row["line"], row["fault"]))


def game_ids(lake: Lake) -> list[str]:
    tables = [pq.read_table(lake.batches_folder / batch / "games.parquet") for batch in lake.batches()]
    return sorted(name for table in tables for name in table["id"].to_pylist())


def test_the_table_is_large_and_its_names_are_unique() -> None:
    assert len(BAD_INPUTS) >= 80
    assert len({bad.name for bad in BAD_INPUTS}) == len(BAD_INPUTS)


@pytest.mark.parametrize("bad", BAD_INPUTS, ids=lambda bad: bad.name)
def test_check_says_what_is_wrong(bad: BadInput) -> None:
    _, result = check_line(bad.line, "club")
    assert not result.ok
    assert result.fault == bad.fault
    assert result.message is not None
    assert bad.says.lower() in result.message.lower()
    assert result.ply == (5 if bad.fault == "truncated" else bad.ply)
    assert "\n" not in result.message
    assert len(result.message) < 300


def test_every_bad_record_is_a_reject_and_every_good_one_a_game(tmp_path: Path) -> None:
    lines: list[bytes] = []
    for number, bad in enumerate(BAD_INPUTS):
        lines += [good(number), bad.line.replace(b'"g1"', b'"bad-%d"' % number)]
    file = tmp_path / "mixed.jsonl"
    file.write_bytes(b"\n".join(lines) + b"\n")
    lake = Lake(tmp_path / "lake")
    report = ingest(lake, [file])
    assert report.records == len(lines) == report.games + report.rejects
    rejects = all_rejects(lake)
    assert [row["line"] for row in rejects] == [2 * i + 2 for i in range(len(BAD_INPUTS))]
    for row, bad in zip(rejects, BAD_INPUTS, strict=True):
        assert row["fault"] == bad.fault, bad.name
        assert row["ply"] == (5 if bad.fault == "truncated" else bad.ply), bad.name
        assert row["message"].startswith(f"mixed.jsonl, line {row['line']}"), bad.name
        assert bad.says.lower() in row["message"].lower(), bad.name
    kept = {f"good-{i}" for i in range(len(BAD_INPUTS))}
    assert kept <= set(game_ids(lake))


def test_a_byte_order_mark_and_windows_line_ends_and_blank_lines_do_no_harm(tmp_path: Path) -> None:
    file = tmp_path / "windows.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + good(1) + b"\r\n\r\n   \r\n" + good(2) + b"\r\n")
    lake = Lake(tmp_path / "lake")
    assert (ingest(lake, [file]).games, all_rejects(lake)) == (2, [])


def test_a_file_without_a_last_line_end_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(good(1) + b"\n" + good(2))
    assert ingest(Lake(tmp_path / "lake"), [file]).games == 2


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("utf16.jsonl", '{"id": "x"}\n'.encode("utf-16"), "UTF-16"),
        ("moves.jsonl", b"PAR1" + bytes(50), "Parquet file"),
    ],
)
def test_files_of_another_kind_are_named(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(content)
    report = ingest(Lake(tmp_path / "lake"), [tmp_path / name])
    assert report.records == 0
    assert len(report.unreadable) == 1
    assert says in report.unreadable[0]
    assert name in report.unreadable[0]


def test_folders_and_missing_files_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(good(1))
    (tmp_path / "folder").mkdir()
    report = ingest(Lake(tmp_path / "lake"), [tmp_path / "folder", tmp_path / "none.jsonl", file])
    assert report.games == 1
    assert "folder" in report.unreadable[0]
    assert "No such file" in report.unreadable[1]


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"")
    report = ingest(Lake(tmp_path / "lake"), [tmp_path / "empty.jsonl"])
    assert (report.records, report.unreadable) == (0, [])


def test_a_truncated_gzip_keeps_what_came_before(tmp_path: Path) -> None:
    whole = gzip.compress(b"\n".join(good(i) + b" " * 2000 for i in range(3000)), compresslevel=0)
    file = tmp_path / "cut.jsonl.gz"
    file.write_bytes(whole[: len(whole) * 2 // 3])
    lake = Lake(tmp_path / "lake")
    report = ingest(lake, [file])
    assert 1500 < report.games < 2100
    faults = {row["fault"] for row in all_rejects(lake)}
    assert faults <= {"broken_file", "cut_line", "json"}
    assert "broken_file" in faults


def test_a_damaged_gzip_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "noise.jsonl.gz"
    file.write_bytes(b"\x1f\x8b\x08\x00" + bytes(range(200)))
    lake = Lake(tmp_path / "lake")
    ingest(lake, [file])
    assert [row["fault"] for row in all_rejects(lake)] == ["broken_file"]


def numbered(line: int) -> str:
    return json.dumps({"line": line, "text": "x" * (line % 70), "noise": random.Random(line).random()})


FRAMES = [[numbered(line) for line in lines] for lines in (range(2500), range(2500, 5000))]


def zst_file(checksum: bool = True) -> tuple[bytes, int]:
    """Two frames of several blocks each behind a frame without content, and where the second begins."""
    packer = zstandard.ZstdCompressor(3, write_checksum=checksum, write_content_size=False)
    first, second = (packer.compress("".join(f"{line}\n" for line in frame).encode()) for frame in FRAMES)
    start = b"\x5a\x2a\x4d\x18\x03\x00\x00\x00abc" + first
    return start + second, len(start)


def unpacked(path: Path) -> tuple[list[str], set[str]]:
    """The lines of a file, and its faults."""
    blocks = list(read_blocks(path))
    lines = [line.decode() for block in blocks for _, line in block.lines()]
    return lines, {fault for block in blocks for _, fault, _ in block.faults}


@pytest.mark.parametrize("checksum", [True, False])
def test_a_zstd_file_cut_anywhere_keeps_what_came_before_and_says_so(tmp_path: Path, checksum: bool) -> None:
    whole, middle = zst_file(checksum)
    file = tmp_path / "cut.jsonl.zst"
    lines = FRAMES[0] + FRAMES[1]
    file.write_bytes(whole)
    assert unpacked(file) == (lines, set())
    had = 0
    ends = {11, middle}
    for cut in sorted({*range(4, len(whole), 997), *range(middle - 4, middle + 12), len(whole) - 1, *ends}):
        file.write_bytes(whole[:cut])
        found, faults = unpacked(file)
        assert found == lines[: len(found)]
        assert len(found) >= had
        assert ("broken_file" in faults) == (cut not in ends), cut
        assert faults <= {"broken_file", "cut_line"}
        had = len(found)
    assert had >= 3900


def test_a_damaged_zstd_file_keeps_what_came_before(tmp_path: Path) -> None:
    whole, middle = zst_file()
    file = tmp_path / "damaged.jsonl.zst"
    file.write_bytes(whole[:middle] + b"something else")
    assert unpacked(file) == (FRAMES[0], {"broken_file"})
    at = middle + (len(whole) - middle) * 3 // 4
    file.write_bytes(whole[:at] + b"\xff" * 40 + whole[at + 40 :])
    lines, faults = unpacked(file)
    assert len(lines) > len(FRAMES[0])
    assert lines == (FRAMES[0] + FRAMES[1])[: len(lines)]
    assert "broken_file" in faults
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert unpacked(file) == (FRAMES[0] + FRAMES[1], {"broken_file"})


def test_a_zstd_file_that_breaks_off_is_told_by_the_exit_code(tmp_path: Path) -> None:
    packer = zstandard.ZstdCompressor()
    records = [good(i) for i in range(300)]
    parts = [packer.compress(b"\n".join(part) + b"\n") for part in (records[:200], records[200:])]
    file, lake = tmp_path / "a.jsonl.zst", tmp_path / "lake"
    file.write_bytes(parts[0] + parts[1][:20])
    assert ingest_files(lake, [file], None) == 1
    assert game_ids(Lake(lake)) == sorted(f"good-{i}" for i in range(200))
    (reject,) = all_rejects(Lake(lake))
    assert (reject["line"], reject["fault"]) == (201, "broken_file")
    file.write_bytes(parts[0][:20])
    assert ingest_files(tmp_path / "other", [file], None) == 2


def test_a_line_of_100_megabytes_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    with open(file, "wb") as out:
        out.write(good(1) + b"\n")
        for _ in range(100):
            out.write(b"x" * 1_000_000)
        out.write(b"\n" + good(2) + b"\n")
    lake = Lake(tmp_path / "lake")
    report = ingest(lake, [file])
    assert report.games == 2
    (reject,) = all_rejects(lake)
    assert (reject["line"], reject["fault"]) == (2, "long_line")
    assert f"{MAX_LINE:,}" in reject["message"]


def test_duplicates_count_once_and_conflicts_name_both(tmp_path: Path) -> None:
    other = json.dumps(whole_game() | {"id": "good-1", "ended": "timeout"}).encode()
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_bytes(b"\n".join([good(1), good(1), good(2)]))
    second.write_bytes(b"\n".join([other, good(2), good(3)]))
    lake = Lake(tmp_path / "lake")
    report = ingest(lake, [first, second])
    assert game_ids(lake) == ["good-1", "good-2", "good-3"]
    assert (report.records, report.games, report.rejects, report.duplicates) == (6, 3, 3, 2)
    rows = {(row["file"], row["line"]): row for row in all_rejects(lake)}
    assert rows["a.jsonl", 2]["fault"] == "duplicate"
    assert "a.jsonl, line 1" in rows["a.jsonl", 2]["message"]
    assert rows["b.jsonl", 1]["fault"] == "conflict"
    assert "a.jsonl, line 1" in rows["b.jsonl", 1]["message"]
    assert rows["b.jsonl", 2]["fault"] == "duplicate"
    again = ingest(lake, [first])
    assert (again.records, len(again.skipped)) == (0, 1)


def test_equal_content_is_equal_however_it_is_written(tmp_path: Path) -> None:
    """Key order, white space, escapes and defaults that are written out do not make another game."""
    record = whole_game()
    spaced = json.dumps(dict(reversed(record.items())), indent=None, separators=(" , ", " : "))
    escaped = json.dumps(record).replace("anna", "\\u0061nna")
    full = json.dumps(record | {"seats": [{"player": "anna", "kind": "human"}, {"player": "bence"}], "_x": 1})
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join([json.dumps(record), spaced, escaped, full]))
    report = ingest(Lake(tmp_path / "lake"), [file])
    assert (report.games, report.duplicates) == (1, 3)


def test_strange_names_pass_unharmed(tmp_path: Path) -> None:
    names = [
        "<script>alert(1)</script>",
        "$x^2$",
        "Robert'); DROP TABLE games;--",
        "北京",
        "🎲",
        "\u202eevil",
        "a" * 300,
    ]
    file = tmp_path / "names.jsonl"
    rows = [whole_game() | {"id": name, "seats": [{"player": name}, {"player": None}]} for name in names]
    file.write_text("\n".join(json.dumps(row) for row in rows))
    lake = Lake(tmp_path / "lake")
    ingest(lake, [file])
    assert game_ids(lake) == sorted(names)


def test_checking_a_file_goes_on_after_each_bad_record(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"\n".join([good(1), b"{", good(2), b"[]"]))
    assert [result.ok for _, _, result in checked(file)] == [True, False, True, False]


def test_a_long_line_is_told_before_the_lines_behind_it(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_bytes(b"\n".join([good(1), b"x" * (MAX_LINE + 1), b"{", good(2)]))
    assert [(line, result.fault) for line, _, result in checked(file)] == [
        (1, None), (2, "long_line"), (3, "json"), (4, None)
    ]  # fmt: skip
    report = ingest(Lake(tmp_path / "lake"), [file])
    assert [sentence.split(":")[0] for sentence in report.examples] == ["long.jsonl, line 2", "long.jsonl, line 3"]


def test_rejects_and_conflicts_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    other = json.dumps(whole_game() | {"id": "good-1", "ended": "timeout"}).encode()
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"\n".join([good(1), b"{", other, b"{"]))
    report = ingest(Lake(tmp_path / "lake"), [file])
    assert [sentence.split(":")[0].split(",")[1] for sentence in report.examples] == [" line 2", " line 3", " line 4"]


@pytest.mark.parametrize("content", [b"", b"\n \n", gzip.compress(b"")], ids=["empty", "blank", "empty gzip"])
def test_a_file_without_a_record_is_named_once(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "empty.jsonl"
    file.write_bytes(content)
    assert check([file], False) == 2
    assert capsys.readouterr().err.splitlines() == [f"{file} has no record in it", "0 records right, 0 wrong"]
    assert ingest_files(tmp_path / "lake", [file], None) == 2
    told = capsys.readouterr().err.splitlines()
    assert told == [f"{file} has no record in it", "0 records = 0 games + 0 rejects"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"id": "a', "not JSON: unterminated string starting at character 8"),
        ('{"id": "a\tb"}', "not JSON: invalid control character at character 10"),
        ('{"id" 1}', "not JSON: expecting ':' delimiter at character 7"),
    ],
)
def test_where_json_breaks_off_is_said_once(text: str, says: str) -> None:
    _, result = check_line(text.encode(), "club")
    assert result.message == says
