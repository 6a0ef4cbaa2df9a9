"""Pictures of runs: time against size, and the versions of each release."""

import plot
import pytest
from comparing import plot as drawing
from comparing.records import read_session

pytest.importorskip("matplotlib", reason="extra `plot`")


@pytest.fixture
def releases(session):
    paths = []
    for number, version in enumerate(("0.10.0", "0.9.0", "0.9.0rc1")):
        rows = session.entry("fold", 0.1 / (number + 1), group="rows n=1000")
        one = session.entry("native", 0.001 * (number + 1))
        paths.append(str(session(one, session.entry("full", 1.0, "reference"), rows, version=version)))
    return paths


def test_a_history_is_drawn_the_same_each_time(releases, tmp_path, capsys):
    outputs = [tmp_path / "a.svg", tmp_path / "b.svg", tmp_path / "c.png", tmp_path / "d.pdf"]
    for output in outputs:
        assert plot.main([*releases, "-o", str(output)]) == 0
    first, second, png, pdf = (output.read_bytes() for output in outputs)
    assert first == second
    assert b"<svg" in first
    assert png.startswith(b"\x89PNG")
    assert pdf.startswith(b"%PDF")
    assert capsys.readouterr().out == ""


def test_one_release_has_a_bar_for_each_version_and_more_have_the_native_ones(releases):
    runs = [read_session(path) for path in map(drawing.Path, releases)]
    group = "duel n=8, 5 random deals"
    assert [(bar[1], round(bar[3])) for bar in drawing.bars_of(runs[:1], "duel", group)] == [
        ("full", 1),
        ("native", 1000),
    ]
    bars = drawing.bars_of(sorted(runs, key=lambda run: plot.version_key(run.version)), "duel", group)
    assert [(bar[1], bar[2], round(bar[3])) for bar in bars] == [
        ("native", "0.9.0rc1", 333),
        ("native", "0.9.0", 500),
        ("full", "0.10.0", 1),
        ("native", "0.10.0", 1000),
    ]
    assert drawing.bars_of(runs, "rows", "rows n=1000") == []


def test_groups_of_several_sizes_are_a_family(session, tmp_path):
    entries = [
        session.entry(f"native[{n}]", n * 1e-3, group=f"duel n={n}, {count} random deals")
        for n, count in ((5, 20), (8, 5))
    ]
    entries += [session.entry(f"start[{n}]", n * 1e-3, group=f"hexapawn {n}x{n + 1} start") for n in (3, 4)]
    entries += [
        session.entry("fold", 1, group="rows n=10,000,000, random"),
        session.entry("other", 1, group="rows decks"),
    ]
    for one in entries[:4]:
        one["extra_info"]["version"] = "native"
    records = read_session(session(*entries)).records
    families = drawing.families(records.values())
    assert families["duel"] == {"duel n, random deals": {"native": [(5.0, 0.005), (8.0, 0.008)]}}
    assert families["hexapawn"] == {"hexapawn rows x columns start": {"native": [(12.0, 0.003), (20.0, 0.004)]}}
    assert "rows" not in families
    written = drawing.by_size(records.values(), tmp_path / "plots")
    assert [path.name for path in written] == ["duel.svg", "hexapawn.svg"]


def test_a_version_has_one_colour_everywhere(session, tmp_path, monkeypatch):
    entries = [
        session.entry(f"{version}[{n}]", n, group=f"{game} n={n}")
        for game, versions in (("duel", "ab"), ("rows", "bca"))
        for version in versions
        for n in (5, 8)
    ]
    for one in entries:
        one["extra_info"]["version"] = one["name"].partition("::test_")[2][0]
    figures = []
    monkeypatch.setattr(drawing, "save", lambda figure, path: figures.append(figure) or path)
    drawing.by_size(read_session(session(*entries)).records.values(), tmp_path)
    lines = [(line.get_label(), line.get_color()) for one in figures for axis in one.axes for line in axis.get_lines()]
    assert len(lines) == 5
    assert len(dict(lines)) == len(set(dict(lines).values())) == len(set(lines)) == 3


def test_bad_arguments_of_the_picture(releases, tmp_path, capsys):
    for arguments, reason in (
        ([*releases, "-o", "history.xyz"], "has to end in one of .svg, .png, .pdf"),
        ([releases[0], releases[0], "-o", str(tmp_path / "x.svg")], "two of the files are runs of version"),
        ([str(tmp_path / "none.json"), "-o", str(tmp_path / "x.svg")], "No such file"),
        ([releases[0], "-o", "/dev/null/x.svg"], "cannot write"),
    ):
        assert plot.main(arguments) == 2
        error = capsys.readouterr().err
        assert reason in error
        assert error.count("\n") == 1
