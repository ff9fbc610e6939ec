"""What preparation reads of a text is what use reads of it."""

import io

import pytest

from fairseq_twostage.cli.main import main

DOMAIN = """\
name: kiosk
pairs: pairs.tsv
lexicon: lexicon.tsv
utterances: asked.txt
"""
LEXICON = """\
Dr. Strange's Tea\tdrink\ten.drink.tea
m&m's\tsnack\ten.snack.mm
o'hara\tclerk\ten.clerk.ohara
yahoo!\tsnack\ten.snack.yahoo
St. Élan\tclerk\ten.clerk.elan
3D\tdrink\ten.drink.3d
cocoa (hot)\tdrink\ten.drink.cocoa
Jean-Luc\tclerk\ten.clerk.jean
50/50\tsnack\ten.snack.half
小红\tclerk\ten.clerk.hong
小红帽\tsnack\ten.snack.cap
"""
ASKED = """\
What does “Dr. Strange’s Tea” cost?
what does dr strange's tea cost
what does *Yahoo!* cost
is it M&M's/Yahoo!
who sells m&m's -- O’Hara?
qu'est-ce que yahoo
is it Yahoo!/3D or “St. E\u0301lan’s” 3D?
Jean‑Luc&St. Élan: COCOA (HOT)
jean-luc's 50/50\u00a0(¥5)
请问「小红」卖不卖小红帽？
"""
READ = [
    "what does _drink_ cost",
    "what does _drink_ cost",
    "what does _snack_ cost",
    "is it _snack_ _snack2_",
    "who sells _snack_ _clerk_",
    "qu est-ce que _snack_",
    "is it _snack_ _drink_ or _clerk_ 's _drink_",
    "_clerk_ _clerk2_ _drink_",
    "_clerk_ 's _snack_ ( ¥ 5 )",
    "请 问 _clerk_ 卖 不 卖 _snack_",
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "domain.yaml").write_text(DOMAIN)
    (tmp_path / "pairs.tsv").write_text("cost of _drink_\t( call SW.cost _drink_ )\n")
    (tmp_path / "lexicon.tsv").write_text(LEXICON)
    (tmp_path / "asked.txt").write_text(ASKED)
    return tmp_path


def test_names_with_marks_are_read_alike_everywhere(folder, capsys):
    assert main(["read", "--domain", str(folder), str(folder / "asked.txt")]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [row[0] for row in rows] == READ
    assert all(prepared == parsed for prepared, parsed in rows)


def test_standard_input_and_rows_that_preparation_refuses(folder, capsys, monkeypatch):
    with open(folder / "domain.yaml", "a") as file:
        file.write("labelled: rows.tsv\n")
    (folder / "rows.tsv").write_text("what does yahoo cost\tcost of m&m's\nit\tcost of it\n")
    typed = io.TextIOWrapper(io.BytesIO("what does M&M’s cost\n".encode()))
    monkeypatch.setattr("sys.stdin", typed)
    assert main(["read", "--domain", str(folder), "-"]) == 0
    out, err = capsys.readouterr()
    assert out == "what does _snack_ cost\twhat does _snack_ cost\n"
    first, second = err.splitlines()
    assert f'{folder / "rows.tsv"}:1: "m&m\'s" of the canonical utterance is not named in' in first
    assert f"{folder / 'rows.tsv'}:2: no logical form, and 'cost of it' is no canonical" in second
    assert main(["prepare", "--domain", str(folder), "--dest", str(folder / "bin")]) == 1
    assert capsys.readouterr().err.startswith(f"twostage prepare: error: {folder / 'rows.tsv'}:1: ")


def test_a_row_may_name_what_has_marks(folder, capsys):
    with open(folder / "domain.yaml", "a") as file:
        file.write("labelled: rows.tsv\n")
    (folder / "rows.tsv").write_text(
        "what's “Dr. Strange’s Tea”?\tcost of dr. strange's tea\n3D!\tcost of 3d\n"
        "Cocoa (hot)?\tcost of cocoa (hot)\n"
    )
    assert main(["read", "--domain", str(folder), str(folder / "asked.txt")]) == 0
    assert capsys.readouterr().err == ""


def test_a_line_without_words_and_a_second_column(folder, capsys):
    (folder / "more.txt").write_text("?!\nwhat does yahoo cost\tanything\n")
    assert main(["read", "--domain", str(folder), str(folder / "more.txt")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "\t(no words to parse)"
    assert second == "what does _snack_ cost\twhat does _snack_ cost"
