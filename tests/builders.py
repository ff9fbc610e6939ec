"""Tiny dictionaries, models and batches, built as the tasks build theirs.

Models have no dropout and run in double precision unless a test asks for something else.
"""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import torch
from fairseq.data import Dictionary, data_utils
from fairseq.sequence_generator import SequenceGenerator

from fairseq_twostage import plugin

torch.set_num_threads(1)
plugin.load()

from fairseq_twostage.databin.prepare import Recipe, prepare  # noqa: E402
from fairseq_twostage.models.dual_paraphraser import DualParaphraser, DualParaphraserConfig  # noqa: E402
from fairseq_twostage.models.naive_parser import NaiveParser, NaiveParserConfig  # noqa: E402
from fairseq_twostage.models.style_cnn import StyleCNN, StyleCNNConfig  # noqa: E402
from fairseq_twostage.models.utterance_lm import UtteranceLM, UtteranceLMConfig  # noqa: E402

NATURAL = "the longest ship in port please"
CANONICAL = "ship whose length is largest in port"
SYMBOLS = "( call argmax ship length ) in port"
SOURCES = ["the longest ship in port please", "ship", "longest ship"]
TARGETS = ["ship in port", "ship whose length is largest", "", "port", "largest ship is ship"]
SPECIAL = ("<s>", "<pad>", "<unk>")


def dictionary_of(*texts):
    words = Dictionary()
    for text in texts:
        for word in text.split():
            words.add_symbol(word)
    return words


def dictionaries():
    """Ids of the three utterance dictionaries differ, as in a real data-bin."""
    return {
        "utterance": dictionary_of(" ".join(reversed(f"{NATURAL} {CANONICAL}".split()))),
        "nl": dictionary_of(NATURAL),
        "cf": dictionary_of(CANONICAL),
        "lf": dictionary_of(SYMBOLS),
    }


def tokens_of(words, *lines, left_pad=False):
    """Ids with end of sentence, ``(len(lines), length)``."""
    rows = [words.encode_line(line, add_if_not_exist=False).long() for line in lines]
    return data_utils.collate_tokens(rows, words.pad(), left_pad=left_pad)


def widen(tokens, columns, pad):
    """More padding on the right."""
    return torch.nn.functional.pad(tokens, (0, columns), value=pad)


def paraphraser(seed=1, dictionary_by_side=None, double=True, scale=1.0, **options):
    """A random paraphraser; ``scale`` multiplies its parameters, for less even probabilities."""
    torch.manual_seed(seed)
    settings = dict(embed_dim=4, hidden_dim=5, dropout=0.0, embeddings="none") | options
    task = SimpleNamespace(
        cfg=SimpleNamespace(data="no-data"), dictionaries=dictionary_by_side or dictionaries()
    )
    model = DualParaphraser.build_model(DualParaphraserConfig(**settings), task)
    return _finish(model, double, scale)


def naive_parser(
    seed=2,
    double=True,
    scale=1.0,
    data="no-data",
    source=None,
    target=None,
    target_lang="lf",
    **options,
):
    torch.manual_seed(seed)
    settings = dict(embed_dim=4, hidden_dim=5, dropout=0.0, embeddings="none") | options
    words = dictionaries()
    task = SimpleNamespace(
        cfg=SimpleNamespace(data=data, target_lang=target_lang),
        source_dictionary=source or words["utterance"],
        target_dictionary=target or words[target_lang],
    )
    model = NaiveParser.build_model(NaiveParserConfig(**settings), task)
    return _finish(model, double, scale)


def language_model(words, seed=3, double=True, scale=1.0, data="no-data/lm", **options):
    torch.manual_seed(seed)
    settings = dict(embed_dim=4, hidden_dim=5, dropout=0.0, embeddings="none") | options
    task = SimpleNamespace(args=SimpleNamespace(data=data), target_dictionary=words)
    return _finish(UtteranceLM.build_model(UtteranceLMConfig(**settings), task), double, scale)


def style_cnn(words, seed=4, double=True, scale=1.0, **options):
    torch.manual_seed(seed)
    settings = dict(embed_dim=4, dropout=0.0, embeddings="none") | options
    task = SimpleNamespace(cfg=SimpleNamespace(data="no-data"), source_dictionary=words)
    return _finish(StyleCNN.build_model(StyleCNNConfig(**settings), task), double, scale)


def _finish(model, double, scale):
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(scale)
    return model.double() if double else model


def bias_word(decoder, word, value):
    """Set the output bias of a word: how often the decoder writes it, all else equal."""
    with torch.no_grad():
        decoder.output.bias[decoder.dictionary.index(word)] = value


def only_words(decoder):
    """Make the words that decoding never writes improbable to the model, too."""
    for word in SPECIAL:
        bias_word(decoder, word, -200.0)


def texts(words, tokens):
    """Each row of ids as text, without padding and end of sentence."""
    skipped = (words.pad(), words.eos())
    return [" ".join(words[i] for i in row if i not in skipped) for row in tokens.tolist()]


def teacher_forced_log_prob(decoder, memory, sentence):
    """``log P(sentence | memory)`` of one row of memory, word by word from the start.

    ``sentence``: ids with end of sentence, no padding.
    """
    words = decoder.dictionary
    state = decoder.initial_state(1)
    last, total = words.eos(), 0.0
    for word in sentence:
        logits, _, state = decoder.step(torch.tensor([last]), state, memory)
        total = total + torch.log_softmax(logits[0], dim=0)[word]
        last = word
    return total


def without_padding(row, pad):
    return [word for word in row.tolist() if word != pad]


def touched(module):
    """Whether backward has left a gradient other than zero in any parameter."""
    return any(p.grad is not None and bool(p.grad.abs().max() > 0) for p in module.parameters())


def gradients(model):
    """All gradients as one vector; a missing one is zero."""
    parts = [
        torch.zeros_like(p).flatten() if p.grad is None else p.grad.flatten()
        for p in model.parameters()
    ]
    return torch.cat(parts)


def unpaired_batch(words, natural=None, canonical=None, **extra):
    """A batch as ``UnpairedDataset.collater`` makes it."""
    batch = {}
    if natural is not None:
        batch["nl"] = {"tokens": tokens_of(words, *natural)}
    if canonical is not None:
        batch["cf"] = {"tokens": tokens_of(words, *canonical)}
    sides = [side["tokens"] for side in batch.values()]
    batch["nsentences"] = sum(tokens.size(0) for tokens in sides)
    batch["ntokens"] = sum(int(tokens.ne(words.pad()).sum()) for tokens in sides)
    return batch | extra


def beam_search(models, dictionary, tokens, beam, limit, length_penalty=1.0):
    """What fairseq's own generator finds: per sentence (ids, score), best first."""
    generator = SequenceGenerator(
        models,
        dictionary,
        beam_size=beam,
        max_len_a=limit.slope,
        max_len_b=limit.offset,
        len_penalty=length_penalty,
    )
    finished = generator.generate(models, {"net_input": {"src_tokens": tokens}})
    return [[(hypo["tokens"], float(hypo["score"])) for hypo in hypos] for hypos in finished]


GEO_ROWS = [
    (f"how deep is _lake_ {word}", f"depth of _lake_ {word}", f"( depth _lake_ {word} )")
    for word in ("here", "there", "now", "then", "ever")
]


def write_data_bin(folder, domain="geo"):
    """A data-bin of five made-up training rows, prepared by the package itself."""
    raw = folder / "raw"
    (raw / "geogranno").mkdir(parents=True)
    valid = GEO_ROWS[:3]
    for name, rows in {
        "geo_train": GEO_ROWS,
        "geo_dev_54": valid,
        "geo_dev": valid,
        "geo_test": [("how deep is it today", "none", "( depth it )")],
    }.items():
        lines = [
            "\t".join((x, z, y, json.dumps({"_lake_": f"lake.{number}"}))) + "\n"
            for number, (x, z, y) in enumerate(rows)
        ]
        (raw / "geogranno" / f"{name}.tsv").write_text("".join(lines))
    (raw / "geogranno" / "geo880.db").write_text("deep\tfb:en.lake.one\n")
    random = np.random.default_rng(0)
    vectors = folder / "vectors.txt"
    vectors.write_text(
        "".join(
            f"{word} " + " ".join(f"{value:.3f}" for value in random.normal(size=4)) + "\n"
            for word in ("how", "deep", "is", "depth", "of", "here", "there", "now")
        )
    )
    prepare(Recipe(domain, raw, vectors, embedding_dim=4), folder / "bin")
    return folder / "bin"
