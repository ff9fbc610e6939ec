from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import characters, text

from fairseq_twostage.errors import UserError
from fairseq_twostage.text.normalisation import tokenize_utterance
from fairseq_twostage.text.tokenisation import Blanks, Pieces, Words, train_pieces

LINES = [
    f"{verb} the {size} {thing} near the {place}"
    for verb in ("show", "find", "list")
    for size in ("large", "larger", "largest", "small", "smaller", "smallest")
    for thing in ("lighthouse", "house", "harbour")
    for place in ("_town_", "river", "sea")
]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("What's on at 7.30?", "what 's on at 7.30"),
        ('Who made "Red  Kites", please...', "who made red kites please"),
        ("the films’ lengths", "the films 's lengths"),
        ("cheap (or not) - tonight!", "cheap ( or not ) tonight"),
        ("don't re-open _town_", "don't re-open _town_"),
        ("?!", ""),
        ("„Rex“, «Rex», [Rex] *Rex* #rex Rex？ Ｒｅｘ Rex🐶", "rex rex rex rex rex rex rex rex"),
        ("is it Rex/Bella, or 'Rex'?", "is it rex bella or rex"),
        ("l'âge d'Artagnan; O'Malley", "l âge d artagnan o'malley"),
        ("jose\u0301 made सभी हिन्दी फिल्में", "josé made सभी हिन्दी फिल्में"),
        ("1,000,000 or 3.5 on 3/4/2015—at -5°", "1000000 or 3.5 on 3/4/2015 at -5"),
        ("50% of $5.20, price >= 3€", "50 % of $ 5.20 price at least 3 €"),
        (
            "rated > 4, price<$50, age ≥18, ≤ 3",
            "rated more than 4 price less than $ 50 age at least 18 at most 3",
        ),
        ("18+ or 4 + stars; 2+2, +49, x > y", "at least 18 or at least 4 stars 2 + 2 + 49 x > y"),
        ("C++ and C#, R&B, U.S.A. (2010–2015)", "c++ and c# r&b u.s.a ( 2010-2015 )"),
        ("rated A- or (B−), plan C - not D-", "rated a- or ( b- ) plan c not d-"),
        ("vote A--grade-b-, A-level", "vote a grade-b a-level"),
        ("the boys' dog, James's dog", "the boys 's dog james 's dog"),
        ("so\u00adft hy\u200bphen\ufeff, می\u200cخواهم", "soft hyphen میخواهم"),
        ("8½ feet, ½ pound, 10² + x²", "8 1/2 feet 1/2 pound 10 2 + x2"),
        ("「小红」几岁了？谢谢！", "小 红 几 岁 了 谢 谢"),
        ("我看3D电影、2015年的", "我 看 3d 电 影 2015 年 的"),
        ("ﾄﾑは、何歳ですか。", "ト ム は 何 歳 で す か"),
        ("แมวชื่อ ทอม ๑๒ ปี", "แ ม ว ชื่ อ ท อ ม ๑๒ ปี"),
        ("톰은 몇 살?", "톰은 몇 살"),
    ],
)
def test_words_of_typed_text(typed: str, words: str) -> None:
    assert Words().words(typed) == words
    assert Words().words(words) == words


@given(
    text(alphabet=characters(codec="utf-8"))
    | text(alphabet="as '’.,-+#(1%l&_/½²⁄")
    | text(alphabet="小ーชื่a1,。' ")
    | text(alphabet="<>=+1$ 2,'≥a")
)
def test_words_stay_what_they_are_when_read_again(typed: str) -> None:
    words = Words().words(typed)
    assert Words().words(words) == words
    assert Words().words(tokenize_utterance(typed)) == words
    assert Words().words(Words().decode(words)) == words


def test_text_without_blanks_is_written_without() -> None:
    lines = ["「小红」的年龄 rex 3岁", "ทอม อายุ"]
    written = ["小红的年龄 rex 3 岁", "ทอมอายุ"]
    pieces = train_pieces([Words().words(line) for line in lines], 40)
    assert [Words().decode(Words().words(line)) for line in lines] == written
    assert [pieces.decode(pieces.encode(line)) for line in lines] == written
    assert Blanks().decode("小红 的 年龄") == "小红 的 年龄"


def test_tokenised_text_stays_as_it_stands() -> None:
    assert Blanks().words("who 's that ?") == "who 's that ?"


def test_pieces_are_rejoined_without_loss() -> None:
    pieces = train_pieces(LINES, 60, ["_town_"])
    for line in [*LINES, "relight the smallish _town_ houses"]:
        assert pieces.decode(pieces.encode(line)) == line
    assert len(pieces.encode("lighthouse").split()) < len("lighthouse")


def test_placeholders_are_never_cut() -> None:
    pieces = train_pieces(LINES, 60, ["_town_"])
    assert "_town_" in pieces.encode("see _town_ now").split()


def test_the_same_lines_give_the_same_model() -> None:
    assert train_pieces(LINES, 60).model == train_pieces(LINES[::-1], 60).model


def test_pieces_are_those_of_fairseq(tmp_path: Path) -> None:
    sentencepiece_bpe = pytest.importorskip("fairseq.data.encoders.sentencepiece_bpe")
    pieces = train_pieces(LINES, 60, ["_town_"])
    (tmp_path / "model").write_bytes(pieces.model)
    config = sentencepiece_bpe.SentencepieceConfig(sentencepiece_model=str(tmp_path / "model"))
    theirs = sentencepiece_bpe.SentencepieceBPE(config)
    for line in ("find the largest house", "Relight the _town_", "unseen words here"):
        assert theirs.encode(line) == pieces.encode(line)
        assert theirs.decode(pieces.encode(line)) == pieces.decode(pieces.encode(line))


def test_too_few_pieces_for_the_letters() -> None:
    with pytest.raises(UserError, match="sentencepiece cannot be trained"):
        train_pieces(LINES, 5)


def test_a_damaged_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"nothing")
    with pytest.raises(UserError, match="not a sentencepiece model"):
        Pieces.load(tmp_path / "model")
