"""Raw files -> corpora: read, split, de-paired; what a data-bin is written from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from fairseq_twostage.databin.completing import completer
from fairseq_twostage.databin.embeddings import VectorSource
from fairseq_twostage.databin.folder import GOLD, UNALIGNED_SPLITS
from fairseq_twostage.databin.frontend import make_frontend
from fairseq_twostage.databin.unalign import (
    UnalignedSplit,
    unalign,
    unalign_with_grammar,
    with_parser_pairs,
)
from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.registry import GEO, GEO_DEV_FILES, get_domain
from fairseq_twostage.domains.schemas import example_questions
from fairseq_twostage.domains.tsv import read_pairs
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import sha256
from fairseq_twostage.semantics.normalise import fill
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.normalisation import normalize_logical_form
from fairseq_twostage.text.rows import Row
from fairseq_twostage.text.tokenisation import BLANKS, SENTENCEPIECE
from fairseq_twostage.text.vocabulary import count_words

MOST_EXAMPLES = 500
NO_VARIABLES = "{}"
MAX_TOKENS = 1023  # fairseq's bound on positions, but for the end of the sentence


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what a data-bin holds.

    Args:
        domain: what it is made of, or the name of a known one.
        raw: folder with ``overnight/`` or ``geogranno/`` inside.
        embeddings: text file of word vectors, or what makes them.
        embedding_dim: number of values per word in it.
        backoff_embeddings: other word vectors, carried over for the words that it lacks.
        canonical: ``paper`` (Z = canonical side of the rows) or ``grammar`` (Z = ``pairs``).
        pairs: file of (canonical utterance, logical form); for ``grammar`` only.
        further: file of such pairs that are not trained on.
        parser_pairs: file of more such pairs, for the naive parser alone.
        seed: of the Overnight split and of every shuffle.
        geo_dev: GeoGranno's development file, without its ending.
    """

    domain: Domain | str
    raw: Path
    embeddings: Path | VectorSource
    embedding_dim: int = 100
    backoff_embeddings: Path | None = None
    canonical: str = "paper"
    pairs: Path | None = None
    further: Path | None = None
    parser_pairs: Path | None = None
    seed: int = 999
    geo_dev: str = GEO_DEV_FILES[0]

    @cached_property
    def source(self) -> Domain:
        """The domain."""
        return (
            get_domain(self.domain, self.geo_dev) if isinstance(self.domain, str) else self.domain
        )

    @property
    def base(self) -> Path:
        """The folder that the domain's file names start from."""
        return self.source.base(self.raw)

    @property
    def options(self) -> dict[str, Any]:
        """The options a manifest records besides domain, setting and seed."""
        options: dict[str, Any] = {"embedding_dim": self.embedding_dim}
        for name in ("backoff_embeddings", "parser_pairs"):
            path: Path | None = getattr(self, name)
            if path is not None:
                options[name] = {"file": path.name, "sha256": sha256(path)}
        domain = self.source
        if domain.name == GEO and "valid" in domain.labelled:
            options["geo_dev"] = Path(domain.labelled["valid"]).stem
        if domain.tokenisation != BLANKS:
            options["tokenisation"] = domain.tokenisation
        if domain.tokenisation == SENTENCEPIECE:
            options["pieces"] = domain.pieces
        if domain.lexicon is not None:
            options["lexicon"] = Path(domain.lexicon).name
        return options


@dataclass
class Corpora:
    """The lines of every corpus, and the counts behind each dictionary.

    Attributes:
        rows: annotated rows by split.
        unaligned: what an unsupervised run reads, by split.
        frontend: that read all of it.
        further: pairs that no model reads.
        counts: of words, by dictionary.
    """

    rows: dict[str, list[Row]]
    unaligned: dict[str, UnalignedSplit]
    frontend: Frontend
    further: list[tuple[str, str]] = field(default_factory=list)
    counts: dict[str, Counter[str]] = field(init=False)

    def __post_init__(self) -> None:
        parts = self.unaligned.values()
        nl = count_words(x for part in parts for x, _ in part.utterances)
        cf = count_words(z for part in parts for z in part.canonicals)
        lf = count_words(y for part in parts for _, y in part.pairs)
        self.counts = {"utterance": nl + cf, "nl": nl, "cf": cf, "lf": lf}

    @property
    def with_variables(self) -> bool:
        """Whether some logical form holds placeholders."""
        return any(row.variables for rows in self.rows.values() for row in rows) or any(
            variables != NO_VARIABLES
            for part in self.unaligned.values()
            for _, variables in part.utterances
        )

    def sides(self, split: str) -> dict[str, list[str]]:
        """File name -> lines, for what an unsupervised run reads of a split."""
        part = self.unaligned[split]
        return {
            f"{split}.nl": [x for x, _ in part.utterances],
            f"{split}.cf": part.canonicals,
            f"{split}.cf-lf.cf": [z for z, _ in part.pairs],
            f"{split}.cf-lf.lf": [y for _, y in part.pairs],
        }

    def sizes(self) -> dict[str, int]:
        """Lines of every corpus, distinct z, words of every dictionary."""
        sizes = {f"{GOLD}.{split}": len(rows) for split, rows in self.rows.items()}
        for split, part in self.unaligned.items():
            sizes[f"{split}.nl"] = len(part.utterances)
            sizes[f"{split}.cf"] = len(part.canonicals)
            sizes[f"{split}.cf.distinct"] = len(set(part.canonicals))
            sizes[f"{split}.cf-lf"] = len(part.pairs)
        return sizes | {f"dict.{side}": len(counts) for side, counts in self.counts.items()}


def _raise(problem: UserError) -> None:
    raise problem


def read_corpora(recipe: Recipe, refuse: Callable[[UserError], None] = _raise) -> Corpora:
    """The corpora that a recipe's files hold.

    Args:
        recipe: of the data-bin.
        refuse: told of an annotated row without a meaning; if it returns, the row is left out.

    Raises:
        UserError: a file cannot be used, or lacks what the setting needs.
    """
    domain = recipe.source
    rows = domain.rows(recipe.raw, recipe.seed)
    utterances = domain.unlabelled(recipe.raw, recipe.seed)
    if recipe.pairs is None:
        _check_annotated(rows, utterances)
    pairs = [] if recipe.pairs is None else read_pairs(recipe.pairs)
    unasked = domain.database is not None and not utterances
    if unasked:
        examples = example_questions(pairs, MOST_EXAMPLES)
        utterances = {"train": examples, "valid": examples[::5]}
    further = [] if recipe.further is None else read_pairs(recipe.further)
    frontend = make_frontend(domain, recipe.raw, rows, utterances, [*pairs, *further])
    if domain.database is not None:
        asked = [text for texts in utterances.values() for text in texts]
        complete = completer(frontend, (z for z, _ in pairs), asked)
        utterances = {split: [*map(complete, texts)] for split, texts in utterances.items()}
        if unasked:  # with a name read into it an example would be a question that somebody asked
            utterances = {
                split: [z for z in texts if frontend.read(z).tokens == frontend.encode(z)]
                for split, texts in utterances.items()
            }
        rows = {
            split: [replace(row, utterance=complete(row.utterance)) for row in found]
            for split, found in rows.items()
        }
    pairs = [(frontend.encode(z), y) for z, y in pairs]
    known = {
        split: list(_with_forms(found, frontend, dict(pairs), refuse))
        for split, found in rows.items()
    }
    parts = {}
    for split in UNALIGNED_SPLITS:
        if recipe.pairs is None:
            parts[split] = unalign([*map(frontend.apart, rows[split])], split, recipe.seed)
        else:
            others = map(frontend.utterance, utterances.get(split, ()))
            natural = [*known.get(split, ()), *others]
            parts[split] = unalign_with_grammar(natural, pairs, split, recipe.seed)
    if recipe.parser_pairs is not None:
        more = [(frontend.encode(z), y) for z, y in read_pairs(recipe.parser_pairs)]
        parts["train"] = with_parser_pairs(parts["train"], more, "train", recipe.seed)
    corpora = Corpora(known, parts, frontend, [(frontend.encode(z), y) for z, y in further])
    _check_lengths(corpora)
    return corpora


def _check_lengths(corpora: Corpora) -> None:
    """Refuse now what training would stumble over later."""
    for split in UNALIGNED_SPLITS:
        for lines in corpora.sides(split).values():
            for line in lines:
                if (tokens := line.count(" ") + 1) > MAX_TOKENS:
                    raise UserError(
                        f"{tokens} tokens in one line, and at most {MAX_TOKENS} can be trained "
                        f"on: {line[:60]} …",
                        where=split,
                    )


def _with_forms(
    rows: Sequence[Row],
    frontend: Frontend,
    forms: Mapping[str, str],
    refuse: Callable[[UserError], None],
) -> Iterator[Row]:
    """Rows as the front end reads them.

    Those annotated with a canonical utterance alone take the logical form of its pair.
    """
    for row in rows:
        read = frontend.row(row)
        form = read.logical_form or forms.get(read.canonical)
        form = form or form_with_values(read, forms, frontend)
        if form is None:
            refuse(UserError(_no_form(row, read, frontend, forms), where=row.where))
        else:
            yield replace(read, logical_form=form)


def _no_form(row: Row, read: Row, frontend: Frontend, forms: Mapping[str, str]) -> str:
    """Why a row has no logical form."""
    if not forms:
        return "no logical form; --canonical grammar would take it from the pairs"
    named = frontend.names.read(frontend.words(read.canonical)).phrases
    if named and not row.variables:
        names = ", ".join(map(repr, named.values()))
        return (
            f"{names} of the canonical utterance is not named in {row.utterance!r}: a question "
            "names what its meaning names; write the name into it, or give the logical form"
        )
    return (
        f"no logical form, and {read.canonical!r} is no canonical utterance of the domain's pairs "
        "(twostage canonical lists them; names are numbered in the order of the utterance)"
    )


def form_with_values(row: Row, forms: Mapping[str, str], frontend: Frontend) -> str | None:
    """The form of a canonical utterance with numbers, dates or times that its utterance lacks.

    "only stop once or twice" says no number that could be put into *with at most two stops*.
    """
    reading = frontend.names.read(row.canonical)
    values = reading.variables
    if not values or values.keys() & row.variables.keys():
        return None
    if not all(constant.startswith("(") for constant in values.values()):
        return None
    form = forms.get(frontend.encode(reading.utterance))
    return None if form is None else normalize_logical_form(fill(form, values))


def _check_annotated(rows: dict[str, list[Row]], utterances: dict[str, list[str]]) -> None:
    """The setting ``paper`` takes Z from the rows, so each of them must have one."""
    if utterances:
        raise UserError(
            "needs annotated utterances; this domain has others", where="--canonical paper"
        )
    for split in UNALIGNED_SPLITS:
        for row in rows[split]:
            if not row.canonical:
                raise UserError(
                    "no canonical utterance; --canonical paper takes Z from the rows",
                    where=row.where,
                )
