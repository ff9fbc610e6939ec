"""Fast steps against the decoder's own, over rows that share prefixes, branch and end."""

import pytest
import torch

from fairseq_twostage.models.stepping import FusedSteps, PlainSteps, steps_of
from tests.builders import paraphraser, tokens_of

LINES = ["the longest ship in port please", "ship", "longest ship"]
GROUP = 4


def plain_logits(decoder, memory, sequences):
    """Each row alone from its first word, by the decoder's own step; the last logits."""
    found = []
    for row, sequence in enumerate(sequences):
        state = decoder.initial_state(1)
        for word in sequence:
            logits, _, state = decoder.step(
                torch.tensor([word]), state, memory.select(torch.tensor([row]))
            )
        found.append(logits[0])
    return torch.stack(found).detach()


@pytest.mark.parametrize("no_attention_bias", [False, True])
@pytest.mark.parametrize("bottleneck_dim", [0, 3])
@pytest.mark.parametrize("grouped", [False, True])
def test_logits_are_those_of_the_decoders_own_steps(
    words, no_attention_bias, bottleneck_dim, grouped
):
    model = paraphraser(
        scale=6.0, no_attention_bias=no_attention_bias, bottleneck_dim=bottleneck_dim
    )
    decoder = model.decoder("cf")
    memory = model.memory(tokens_of(words["utterance"], *LINES), "cf")
    repeated = memory.select(torch.arange(len(LINES)).repeat_interleave(GROUP))
    steps = steps_of(decoder)
    assert isinstance(steps, FusedSteps)
    prepared = steps.prepare(memory if grouped else repeated)
    rows = len(LINES) * GROUP
    state = steps.start(rows)
    eos = words["cf"].eos()
    sequences = [[eos] for _ in range(rows)]
    torch.manual_seed(21)
    for step in range(5):
        last = torch.tensor([sequence[-1] for sequence in sequences])
        logits, state = steps.step(last, state, prepared)
        torch.testing.assert_close(logits, plain_logits(decoder, repeated, sequences))
        # Two words only, so that rows of different inputs share prefixes, and then branch.
        chosen = torch.randint(words["cf"].nspecial, words["cf"].nspecial + 2, (rows,)).tolist()
        sequences = [[*sequence, word] for sequence, word in zip(sequences, chosen)]
        if step == 2:  # go on with some rows of each group, in another order, one of them twice
            kept = torch.tensor([3, 0, 0, 2, 5, 4, 7, 6, 9, 9, 11, 8])
            sequences = [list(sequences[row]) for row in kept]
            state = state.select(kept)
    assert len({tuple(sequence) for sequence in sequences}) > 2


def test_rows_with_one_prefix_share_its_state(words):
    model = paraphraser()
    memory = model.memory(tokens_of(words["utterance"], *LINES), "cf")
    steps = FusedSteps(model.decoder("cf"))
    _, state = steps.step(torch.tensor([5, 6, 5]), steps.start(3), steps.prepare(memory))
    assert state.of_row.tolist() == [0, 1, 0]
    assert {len(tensor) for tensor in state.tensors} == {2}


def test_with_dropout_on_the_steps_are_the_decoders_own(words):
    model = paraphraser(scale=4.0, dropout=0.5)
    decoder = model.decoder("cf")
    memory = model.memory(tokens_of(words["utterance"], *LINES), "cf")
    steps = steps_of(decoder)
    assert isinstance(steps, PlainSteps)
    last = torch.tensor([5, 6, 7])
    prefixes = steps.start(3).select(torch.tensor([2, 0, 1]))
    torch.manual_seed(22)
    logits, prefixes = steps.step(last, prefixes, steps.prepare(memory))
    again, _ = steps.step(last, prefixes.select(torch.tensor([1, 1, 0])), memory)
    torch.manual_seed(22)
    expected, _, state = decoder.step(last, decoder.initial_state(3), memory)
    rows = torch.tensor([1, 1, 0])
    expected_again, _, _ = decoder.step(last, (state[0][rows], state[1][rows]), memory)
    torch.testing.assert_close(logits, expected.detach())
    torch.testing.assert_close(again, expected_again.detach())
    assert not logits.requires_grad
    assert isinstance(steps_of(decoder.eval()), FusedSteps)
