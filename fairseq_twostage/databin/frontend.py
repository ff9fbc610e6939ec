"""The front end of a domain, and the one that a data-bin carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fairseq_twostage.databin.folder import read_manifest
from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.schemas import domain_lexicon
from fairseq_twostage.domains.values import value_reader
from fairseq_twostage.text.frontend import Frontend, read_frontend
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.rows import Row
from fairseq_twostage.text.tokenisation import BLANKS, SENTENCEPIECE, Blanks, Words, train_pieces


def load_frontend(folder: str | Path) -> Frontend:
    """The front end of a data-bin.

    Raises:
        UserError: it is no data-bin, or a file of it is damaged.
    """
    tokenisation = read_manifest(folder).options.get("tokenisation", BLANKS)
    return read_frontend(Path(folder), tokenisation)


def make_frontend(
    domain: Domain,
    raw: Path,
    rows: Mapping[str, Sequence[Row]],
    utterances: Mapping[str, Sequence[str]],
    pairs: Sequence[tuple[str, str]],
) -> Frontend:
    """The front end that the domain asks for; subwords are learnt from training text.

    Args:
        domain: says the tokenisation and the lexicon.
        raw: folder of raw data.
        rows: annotated rows by split.
        utterances: others, by split.
        pairs: of the grammar, if Z comes from it; those that no model reads, too: they may be the
            first with a date.
    """
    lexicon = domain_lexicon(domain, domain.base(raw))
    values = value_reader(domain, raw, [z for z, _ in pairs], lexicon)
    if domain.tokenisation != SENTENCEPIECE:
        return Frontend(Blanks() if domain.tokenisation == BLANKS else Words(), lexicon, values)
    words_only = Frontend(Words(), lexicon, values)
    known = [words_only.apart(row) for row in rows.get("train", ())]
    known += map(words_only.utterance, utterances.get("train", ()))
    lines = {row.utterance for row in known} | {row.canonical for row in known if row.canonical}
    lines |= {words_only.encode(z) for z, _ in pairs}
    whole = sorted({word for line in lines for word in line.split() if is_placeholder(word)})
    return Frontend(train_pieces(lines, domain.pieces, whole), lexicon, values)
