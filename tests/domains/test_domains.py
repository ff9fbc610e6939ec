from pathlib import Path

import pytest

from fairseq_twostage.decoding.lean import PARSE_LIMIT
from fairseq_twostage.domains.domain import split_train
from fairseq_twostage.domains.registry import EXAMPLES, example_domains, get_domain, load_domain
from fairseq_twostage.errors import UserError

# train, valid, test rows and distinct canonical utterances of train, as the paper's data has them.
SIZES = {
    "basketball": (1248, 313, 391, 252),
    "blocks": (1276, 320, 399, 461),
    "calendar": (535, 134, 168, 188),
    "housing": (601, 151, 189, 224),
    "publications": (512, 128, 161, 144),
    "recipes": (691, 173, 216, 124),
    "restaurants": (1060, 265, 332, 335),
    "socialnetwork": (2828, 707, 884, 613),
    "geo": (487, 54, 278, 150),
}


@pytest.mark.data
@pytest.mark.parametrize("name", SIZES)
def test_sizes_of_the_published_split(data_dir: Path, name: str) -> None:
    rows = get_domain(name).rows(data_dir, seed=999)
    distinct = len({row.canonical for row in rows["train"]})
    assert (*(len(rows[split]) for split in ("train", "valid", "test")), distinct) == SIZES[name]


@pytest.mark.data
def test_the_papers_development_rows_of_geo(data_dir: Path) -> None:
    rows = get_domain("geo", geo_dev="geo_dev").rows(data_dir, seed=999)
    assert len(rows["valid"]) == 59
    assert not any(row.canonical for row in rows["test"])


@pytest.mark.data
@pytest.mark.parametrize("name", SIZES)
def test_each_canonical_utterance_has_one_logical_form(data_dir: Path, name: str) -> None:
    rows = get_domain(name).rows(data_dir, seed=999)
    pairs = {(row.canonical, row.logical_form) for split in rows.values() for row in split}
    pairs = {pair for pair in pairs if pair[0]}
    assert len({z for z, _ in pairs}) == len(pairs) == len({y for _, y in pairs})


@pytest.mark.data
@pytest.mark.parametrize("name", SIZES)
def test_parsers_may_write_every_logical_form(data_dir: Path, name: str) -> None:
    rows = get_domain(name).rows(data_dir, seed=999)
    for row in (row for split in rows.values() for row in split):
        words = len(row.utterance.split()) + 1  # and its end
        assert len(row.logical_form.split()) <= PARSE_LIMIT.slope * words + PARSE_LIMIT.offset


def test_the_cut_is_numpys_legacy_shuffle() -> None:
    # numpy.random.seed(999); numpy.random.shuffle(a) of a = 0..9, run once by hand
    train, valid = split_train(list(range(10)), seed=999)
    assert train + valid == [6, 2, 8, 4, 3, 7, 9, 1, 5, 0]
    assert len(valid) == 2


def test_another_seed_cuts_otherwise() -> None:
    assert split_train(list(range(50)), 1) != split_train(list(range(50)), 2)


def test_the_training_share_is_rounded_down() -> None:
    train, valid = split_train(list(range(669)), seed=999)
    assert (len(train), len(valid)) == (535, 134)
    assert sorted(train + valid) == list(range(669))


def test_an_unknown_domain_lists_the_known_ones() -> None:
    with pytest.raises(UserError, match=r"unknown domain 'weather'; known: basketball, .*, geo"):
        get_domain("weather")


def test_an_example_is_known_by_its_name_unless_a_folder_has_it(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert example_domains() == ["cinema", "shop", "trains"]
    assert load_domain("cinema").base(tmp_path) == EXAMPLES / "cinema"
    mine = tmp_path / "cinema" / "domain.yaml"
    mine.parent.mkdir()
    for file in (EXAMPLES / "cinema").iterdir():
        (mine.parent / file.name).write_bytes(file.read_bytes())
    assert load_domain("cinema").base(EXAMPLES).resolve() == mine.parent
