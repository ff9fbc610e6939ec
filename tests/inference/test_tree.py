"""Logical forms as trees."""

from fairseq_twostage.inference.tree import MAX_NODES, form_tree
from fairseq_twostage.semantics.foreign import ExactMatchWorld
from tests.ships import ship_world

FORM = "( call SW.listValue ( call SW.getProperty _ship_ ( string length ) ) )"
VARIABLES = {"_ship_": "en.ship.aurora"}


def test_calls_have_their_values():
    tree = form_tree(FORM, ship_world(), VARIABLES)
    assert tree.to_dict() == {
        "label": "listValue",
        "value": "120 metres",
        "failed": False,
        "parts": [
            {
                "label": "getProperty",
                "value": "120 metres",
                "failed": False,
                "parts": [
                    {"label": "aurora", "parts": [], "value": "", "failed": False},
                    {"label": "length", "parts": [], "value": "", "failed": False},
                ],
            }
        ],
    }


def test_a_failing_call_says_so_and_its_parts_keep_their_values():
    form = f"( call SW.listValue ( call SW.sum {FORM} ( string port ) ) )"
    tree = form_tree(form, ship_world(), VARIABLES)
    assert tree.failed and "error" in tree.value
    inner = tree.parts[0].parts[0]
    assert (inner.label, inner.value, inner.failed) == ("listValue", "120 metres", False)


def test_what_is_no_form_is_one_failed_node():
    for text in ("( call SW.listValue", "", ")"):
        tree = form_tree(text, ship_world())
        assert tree.failed and tree.value and not tree.parts


def test_brackets_without_a_world_of_triples():
    for world in (None, ExactMatchWorld([])):
        tree = form_tree("( answer ( longest ( river _ship_ ) ) 3 )", world, VARIABLES)
        assert tree.lines() == ["answer · 3", "  longest ·", "    river en.ship.aurora"]


def test_lambdas_are_reduced_before():
    form = "( ( lambda x ( call SW.getProperty ( var x ) ( string length ) ) ) en.ship.aurora )"
    assert form_tree(form, ship_world()).lines() == ["getProperty aurora length   = 120 metres"]


def test_huge_and_deep_forms_are_cut():
    wide = f"( call SW.concat {'en.ship.aurora ' * 5000})"
    assert len(form_tree(wide, ship_world()).parts) < MAX_NODES
    deep = f"{'( call SW.listValue ' * 3000} en.ship.aurora {')' * 3000}"
    assert len(form_tree(deep, ship_world()).lines()) < MAX_NODES
    assert form_tree(deep, None).lines()
