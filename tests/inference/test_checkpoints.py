"""What a checkpoint holds is looked at before it is used."""

from fairseq_twostage.inference.checkpoints import load_paraphraser, load_parser


def test_paraphrasers(loaded):
    found = [loaded(load_paraphraser, name) for name in ("both directions", "x to z")]
    assert found == [True, True]
    assert loaded(load_paraphraser, "z to y") == (
        "--paraphraser: z to y writes no canonical utterances"
    )
    assert loaded(load_paraphraser, "style") == (
        "--paraphraser: style holds a StyleCNN, no paraphraser"
    )


def test_parsers(loaded):
    assert loaded(load_parser, "z to y") is True
    assert loaded(load_parser, "x to z") == "--parser: x to z writes no logical forms"
    for name, kind in (("both directions", "DualParaphraser"), ("style", "StyleCNN")):
        assert loaded(load_parser, name) == f"--parser: {name} holds a {kind}, no naive parser"
