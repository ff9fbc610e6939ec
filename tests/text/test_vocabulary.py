from pathlib import Path

from fairseq_twostage.text.vocabulary import by_frequency, count_words, write_counts


def test_counts_are_written_most_frequent_first(tmp_path: Path) -> None:
    counts = count_words(["the oak", "an elm", "the old oak the"])
    assert counts == {"the": 3, "oak": 2, "an": 1, "elm": 1, "old": 1}
    assert [word for word, _ in by_frequency(counts)] == ["the", "oak", "an", "elm", "old"]
    write_counts(tmp_path / "counts.tsv", counts)
    text = (tmp_path / "counts.tsv").read_text()
    assert text == "the\t3\noak\t2\nan\t1\nelm\t1\nold\t1\n"
