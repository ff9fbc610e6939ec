"""Tables from results files."""

import json

import pytest

from fairseq_twostage.cli.main import main

RUN = {
    "system": "complete",
    "domain": "calendar",
    "setting": "paper",
    "config": "cao2020",
    "split": "test",
}


@pytest.fixture
def results(tmp_path):
    folder = tmp_path / "results" / "complete"
    folder.mkdir(parents=True)
    for seed, accuracy, seconds, peak in ((1, 50.0, 60.0, 800.0), (2, 56.0, 120.0, 900.4)):
        run = {**RUN, "seed": seed, "accuracy": accuracy, "seconds": seconds, "peak_mb": peak}
        (folder / f"calendar.paper.{seed}.json").write_text(json.dumps(run))
    return tmp_path / "results"


def report(results, output):
    return main(["report", "--results", str(results), "--output", str(output)])


def test_seeds_are_averaged_with_their_sample_deviation(results, tmp_path):
    output = tmp_path / "results.md"
    assert report(results, output) == 0
    # mean 53, deviation sqrt(((-3)² + 3²) / 1) = 4.24; minutes (1 + 2) / 2
    line = "| complete | calendar | paper | cao2020 | test | 53.0 ± 4.2 | 1, 2 | 58.3 | 1.5 | 900 |"
    assert line in output.read_text().splitlines()
    first = output.read_bytes()
    assert report(results, output) == 0
    assert output.read_bytes() == first


@pytest.mark.parametrize(
    "text, message", [("{", "not a results file"), ('{"system": "x"}', "lacks accuracy, config")]
)
def test_a_file_that_is_no_result_is_named(results, tmp_path, capsys, text, message):
    bad = results / "complete" / "geo.paper.1.json"
    bad.write_text(text)
    assert report(results, tmp_path / "out.md") == 1
    error = capsys.readouterr().err
    assert str(bad) in error and message in error
    assert not (tmp_path / "out.md").exists()


def test_no_results_at_all(tmp_path, capsys):
    assert report(tmp_path, tmp_path / "out.md") == 1
    assert "no results files" in capsys.readouterr().err
