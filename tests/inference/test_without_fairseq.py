"""An exported parser where fairseq and all that training needs are not installed."""

import json
import subprocess
import sys

import pytest

from fairseq_twostage.inference import TwoStageParser
from fairseq_twostage.inference.pipeline import Pipeline
from fairseq_twostage.inference.records import parse_record
from fairseq_twostage.systems.record import by_hand
from tests.builders import write_data_bin

ABSENT = ("fairseq", "omegaconf", "hydra", "scipy", "ot", "sklearn", "sacrebleu", "yaml")
TEXTS = ["How long is the Aurora?", "what lies in turku", "which ships are longer", "a zeppelin"]
# None in sys.modules makes an import fail, as if the package were not installed.
HIDE = f"import sys\nsys.modules.update(dict.fromkeys({ABSENT}))\n"
PARSE = """
import json, sys
from fairseq_twostage.inference import TwoStageParser
parser = TwoStageParser.load(sys.argv[1])
loaded = set(sys.modules)
from fairseq_twostage.inference.records import parse_record
parses = parser.parse_batch(sys.argv[2:], n_best=3)
records = [parse_record(parser, parse, True) for parse in parses]
print(json.dumps({"records": records, "modules": sorted(loaded | set(sys.modules))}))
"""
COMMAND = "from fairseq_twostage.cli.main import main\nsys.exit(main(sys.argv[1:]))\n"


def run(script, *arguments):
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def records(ships_folder):
    parser = TwoStageParser.load(ships_folder)
    parses = parser.parse_batch(TEXTS, n_best=3)
    return [json.loads(json.dumps(parse_record(parser, parse, True))) for parse in parses]


def test_python_reads_and_parses_the_same(ships_folder, records):
    done = run(HIDE + PARSE, ships_folder, *TEXTS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["records"] == records


def test_twostage_parse_prints_the_same(ships_folder, records):
    options = ["--format", "jsonl", "--n-best", "3", "--explain"]
    done = run(HIDE + COMMAND, "parse", ships_folder, *options, *TEXTS)
    assert (done.returncode, done.stderr) == (0, "")
    assert [json.loads(line) for line in done.stdout.splitlines()] == records


def test_what_is_installed_but_not_needed_is_not_imported(ships_folder, records):
    done = run(PARSE, ships_folder, *TEXTS)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["records"] == records
    assert not {name.partition(".")[0] for name in found["modules"]} & set(ABSENT)


def test_the_server_imports_without_fairseq():
    done = run(HIDE + "import fairseq_twostage.server.app, fairseq_twostage.cli.serve")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def run_and_data(tmp_path_factory):
    """A run folder whose checkpoints are never read, and its data-bin."""
    folder = tmp_path_factory.mktemp("run")
    data = write_data_bin(folder)
    pipeline = Pipeline(["dae/checkpoint_best.pt"], "parser/checkpoint_best.pt")
    for path in (*pipeline.paraphrasers, pipeline.parser):
        (folder / path).parent.mkdir()
        (folder / path).touch()
    by_hand(data, pipeline, "mine").write(folder)
    return {"run": folder, "data": data}


@pytest.mark.parametrize(
    "command",
    [
        ["train", "--config", "complete", "--domain", "calendar"],
        *(
            pytest.param(command, marks=pytest.mark.slow)  # a process each
            for command in (
                ["export", "--run", "{run}", "--output", "{run}/out"],
                ["parse", "{run}", "how long is it"],
                ["evaluate", "--run", "{run}"],
                ["evaluate", "--data", "{data}", "--parser", "{run}/parser/checkpoint_best.pt"],
                ["pair", "--data", "{data}", "--dest", "{run}/p", "--paraphraser", "p.pt"],
                ["choose", "--data", "{data}", "--paraphraser", "p.pt"],
            )
        ),
    ],
    ids=lambda command: command[0],
)
def test_a_command_that_needs_fairseq_says_so_in_one_line(run_and_data, command):
    hidden = "import sys\nsys.modules['fairseq'] = None\n" + COMMAND
    done = run(hidden, *(word.format(**run_and_data) for word in command))
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"twostage {command[0]}: error: needs fairseq, which cannot be")
    assert line.endswith("in a clone scripts/setup.sh")
