"""``twostage explain``."""

from __future__ import annotations

from fairseq_twostage.cli.main import main


def explain(capfdbinary, tmp_path, text, *options):
    (tmp_path / "forms").write_text(text)
    status = main(["explain", "--domain", "calendar", str(tmp_path / "forms"), *options])
    captured = capfdbinary.readouterr()
    return status, captured.out.decode(), captured.err.decode()


def test_indents_every_call_with_its_value(capfdbinary, tmp_path):
    form = "(call SW.listValue (call SW.getProperty _m_ (string date)))"
    status, out, _ = explain(capfdbinary, tmp_path, form + '\t{"_m_": "en.meeting.3"}\n')
    assert status == 0
    assert out == (
        "( call SW.listValue ( call SW.getProperty en.meeting.3 ( string date ) ) )\n"
        "= (list (date 2015 1 4))\n"
        "  ( call SW.getProperty en.meeting.3 ( string date ) )\n"
        "  = 1: (list (date 2015 1 4))\n"
        "\n"
    )


def test_shows_errors_and_what_the_metric_makes_of_them(capfdbinary, tmp_path):
    form = "( call SW.listValue ( call SW.superlative ( list ) ( string max ) ( string length ) ) )"
    _, out, _ = explain(capfdbinary, tmp_path, form)
    assert "= null error: the result is missing (null) (counts as the empty list)\n" in out
    assert "  = null error: the result is missing (null)\n" in out


def test_cuts_long_lines(capfdbinary, tmp_path):
    form = "( call SW.domain ( string date ) )"
    _, out, _ = explain(capfdbinary, tmp_path, form, "--width", "20")
    assert out == "( call SW.domain ( …\n= 60: (list (name en.…\n\n"


def test_bad_options_and_variables(capfdbinary, tmp_path):
    status, _, error = explain(capfdbinary, tmp_path, "foo", "--width", "3")
    assert (status, error.count("\n")) == (2, 1)
    status, _, error = explain(capfdbinary, tmp_path, "ok\nfoo\t{", "--width", "30")
    assert status == 1 and "forms:2: variables" in error
