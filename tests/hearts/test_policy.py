"""Decision trees that are drawn: they choose what the kernel's players choose, in every branch."""

import dataclasses
import xml.etree.ElementTree as ET

import pytest

from gamecore import OptionError, hearts
from gamecore.hearts._policy import TREES, Advice, Question, Situation, advice_of


def parts(tree):
    return [tree] if isinstance(tree, Advice) else [tree, *parts(tree.yes), *parts(tree.no)]


def disagreements(name, tree, rounds=60):
    """Situations in which the tree and the player differ, and how often each leaf was reached."""
    reached, wrong = dict.fromkeys((one.text for one in parts(tree) if isinstance(one, Advice)), 0), []
    for seed in range(rounds):
        round_ = hearts.Round.deal(seed)
        while not round_.is_over:
            at = Situation.of(round_.view(round_.to_move))
            leaf = advice_of(tree, at)
            card = round_.ask(name)
            reached[leaf.text] += len(at.legal) > 1
            if leaf.card(at) != card:
                wrong.append(at)
            round_ = round_.play(card if seed % 2 else round_.ask("random"))
    return wrong, reached


@pytest.mark.parametrize("name", TREES)
def test_the_tree_is_the_player(name):
    wrong, reached = disagreements(name, TREES[name])
    assert wrong == []
    assert min(reached.values()) >= 5, reached


def swapped(tree, which):
    """The tree with the branches of one question exchanged."""
    if isinstance(tree, Advice):
        return tree
    yes, no = swapped(tree.yes, which), swapped(tree.no, which)
    return dataclasses.replace(tree, yes=no, no=yes) if tree is which else dataclasses.replace(tree, yes=yes, no=no)


@pytest.mark.parametrize("question", [one for one in parts(TREES["greedy"]) if isinstance(one, Question)])
def test_a_wrong_tree_is_found(question):
    try:
        wrong, _ = disagreements("greedy", swapped(TREES["greedy"], question), 4)
    except (IndexError, ValueError):  # a leaf that cannot answer
        return
    assert wrong


def test_the_picture_shows_every_part():
    picture = hearts.draw_policy("greedy")
    words = [one.text for one in parts(TREES["greedy"])]
    shown = [element.text for element in ET.fromstring(picture.svg).iter("{http://www.w3.org/2000/svg}text")]
    assert sorted(one for one in shown if one not in ("yes", "no")) == sorted(words)
    assert all(word in str(picture) for word in words)
    assert str(picture).startswith("leads the trick?\n    yes: lowest card\n    no: holds the suit led?")
    with pytest.raises(OptionError, match="draws greedy, not 'search'"):
        hearts.draw_policy("search")
