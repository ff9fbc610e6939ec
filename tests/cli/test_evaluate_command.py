"""The command that a results file records."""

from fairseq_twostage.cli.evaluate import without_punctuation
from fairseq_twostage.results import portable_command


def test_folders_of_the_machine_are_left_out(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TWOSTAGE_RUNS", "/somewhere/runs/")
    monkeypatch.delenv("TWOSTAGE_DATA", raising=False)
    arguments = ["evaluate", "--run", "/somewhere/runs/a.1", "--data", f"{tmp_path}/data-bin/a b"]
    arguments += ["--results", "/elsewhere/my results", "--rerank", "forward=1"]
    shown = (
        "twostage evaluate --run $TWOSTAGE_RUNS/a.1 --data 'data-bin/a b' "
        "--results '.../my results' --rerank forward=1"
    )
    assert portable_command(arguments) == shown


def test_tokens_without_letter_or_digit_can_be_left_out():
    assert without_punctuation("how deep is _lake_ ?", {"deep"}) == "how deep is _lake_"
    assert without_punctuation("( 2 pm ) , é", {"(", ")"}) == "( 2 pm ) é"
    assert without_punctuation("? !", {}) == "? !"
