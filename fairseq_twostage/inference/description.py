"""What ``bundle.json`` says, field by field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from fairseq_twostage.schema import Digest, DomainName, FileName, FunctionName, strict
from fairseq_twostage.semantics.loading import Aggregates

Positive = Annotated[int, Field(ge=1, le=1_000_000)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Weight = Annotated[float, Field(ge=0)]
NetworkName = Annotated[str, Field(pattern=r"^(paraphraser(\.[1-9]\d*)?|dual|parser)$")]


@strict
@dataclass(frozen=True)
class Network:
    """Sizes of an encoder-decoder; ``shared``: its encoder is the paraphraser's."""

    embed_dim: Positive
    hidden_dim: Positive
    attention_bias: bool
    bottleneck_dim: Count
    shared: bool


@strict
@dataclass(frozen=True)
class NoStage:
    """There is no first stage; the words that Z has, where others are left out."""

    kind: Literal["none"]
    canonical: list[str] | None


@strict
@dataclass(frozen=True)
class Beam:
    """The beam of one paraphraser or of a mixture."""

    kind: Literal["beam"]


@strict
@dataclass(frozen=True)
class Ranking:
    """See :class:`.Reranking`."""

    kind: Literal["reranking"]
    candidates: Annotated[list[str], Field(min_length=1)]
    weights: dict[
        Literal["forward", "forward_mean", "dual", "sentence_encoder", "word_vectors"], Weight
    ]
    similarities: list[Literal["sentence_encoder", "word_vectors"]]
    prior: list[float] | None
    proposals: Count
    faithful: bool
    learnt: bool = False

    def __post_init__(self) -> None:
        if len(set(self.candidates)) < len(self.candidates):
            raise ValueError("candidates: one of them stands twice")
        if self.prior is not None and len(self.prior) != len(self.candidates):
            raise ValueError(f"prior: {len(self.prior)} for {len(self.candidates)} candidates")
        if self.learnt and not self.similarities:
            raise ValueError("learnt: there is no similarity that it adds to")
        weighed = self.weights.keys() - {"forward", "forward_mean", "dual"}
        if weighed != set(self.similarities):
            raise ValueError("weights: not of the similarities that there are")

    def needed(self) -> set[str]:
        """Networks without which it cannot rank."""
        direct = self.proposals or {"forward", "forward_mean"} & self.weights.keys()
        return ({"paraphraser"} if direct else set()) | self.weights.keys() & {"dual"}


@strict
@dataclass(frozen=True)
class Triples:
    """Facts in ``world.tsv``."""

    kind: Literal["triples"]
    numbers: Literal["exact", "rounded"] = "rounded"
    aggregates: Aggregates = "values"


@strict
@dataclass(frozen=True)
class Elsewhere:
    """Nothing executes forms, or a database does."""

    kind: Literal["none", "database"]


@strict
@dataclass(frozen=True)
class Function:
    """``module:function`` of a file in ``executor/``."""

    kind: Literal["function"]
    name: FunctionName


FirstStage = Annotated[NoStage | Beam | Ranking, Field(discriminator="kind")]
WorldKind = Annotated[Triples | Elsewhere | Function, Field(discriminator="kind")]


@strict
@dataclass(frozen=True)
class Description:
    """All of ``bundle.json``; docs/data.md has the table."""

    format: int
    version: str
    system: str
    domain: DomainName
    beam: Count
    pick: Literal["best", "executable", "executable_paraphrase"]
    lookup: bool
    first_stage: FirstStage
    tokenisation: Literal["words", "blanks", "sentencepiece"]
    networks: dict[NetworkName, Network]
    needs: list[Literal["sentence-encoder"]]
    world: WorldKind
    trust: bool
    examples: list[str]
    files: dict[FileName, Digest]
    sha256: Digest

    def __post_init__(self) -> None:
        missing: set[str] = set()
        if isinstance(self.first_stage, Ranking):
            missing = self.first_stage.needed() - self.networks.keys()
        elif isinstance(self.first_stage, Beam) and self.networks.keys() <= {"dual", "parser"}:
            missing = {"paraphraser"}
        if missing:
            raise ValueError(f"networks: {min(missing)} is missing")
        if "parser" in self.networks and not self.beam:
            raise ValueError("beam: 0 where there is a parser")
        shared = {name for name, network in self.networks.items() if network.shared}
        if shared - {"dual"} or (shared and "paraphraser" not in self.networks):
            raise ValueError("networks: an encoder is shared with none")
