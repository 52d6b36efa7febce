"""Famous graphs against NetworkX's, number for number."""

from __future__ import annotations

import inspect
import re

import networkx as nx
import pytest

from edgewise.generators import karate_club, karate_club_factions, named, petersen

NAMES = re.findall(r"``(\w+)``", inspect.getdoc(named))


@pytest.mark.parametrize("name", NAMES)
def test_edges_of_networkx(name, same_as):
    same_as(named(name), getattr(nx, f"{name}_graph")())


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match="name must be one of 'bull'.*got 'zachary'") as caught:
        named("zachary")
    assert re.findall(r"'(\w+)'", str(caught.value))[:-1] == NAMES


def test_short_forms():
    assert petersen() == named("petersen")
    assert karate_club() == named("karate_club")


def test_factions_of_the_karate_club():
    clubs = nx.get_node_attributes(nx.karate_club_graph(), "club")
    assert karate_club_factions().tolist() == [int(clubs[v] == "Officer") for v in range(34)]
