"""Airports on which others depend: which countries have them, from two tables with names.

OpenFlights has a table of airports and one of routes (https://openflights.org/data). An airport is
a cut vertex if without it others could no longer be reached. A route is a bridge if it is the only
way between two parts of the network.

Run it: python examples/open_flights.py [airports.csv routes.csv]
"""

from __future__ import annotations

import sys

import pandas as pd

import edgewise as ew

AIRPORTS = pd.DataFrame({
    "code": ["ANC", "BET", "OTZ", "SEA", "LAX", "YVR", "CDG", "FRA"],
    "country": ["United States"] * 5 + ["Canada", "France", "Germany"],
})  # fmt: skip
ROUTES = pd.DataFrame({
    "source": ["ANC", "ANC", "ANC", "SEA", "SEA", "LAX", "YVR", "CDG"],
    "target": ["BET", "OTZ", "SEA", "LAX", "YVR", "CDG", "FRA", "FRA"],
    "airline": ["AS", "AS", "AS", "AS", "AC", "AF", "LH", "LH"],
})  # fmt: skip


def main():
    airports, routes = read(*sys.argv[1:]) if len(sys.argv) == 3 else (AIRPORTS, ROUTES)
    graph = ew.Graph.from_pandas(routes, vertices=airports, edge_columns=["airline"])
    print(graph)
    table = graph.vertex_table(cut=ew.articulation_points(graph))
    cut = table[table.cut].country.value_counts()
    print("cut vertices by country:", ", ".join(f"{k} {v}" for k, v in cut.head(5).items()))

    bridges = graph.where(edges=ew.bridges(graph))
    country = bridges.vertices["country"]
    u, v, _ = bridges.edges()
    inland = int((country[u] == country[v]).sum())
    print(f"{bridges.num_edges} routes are bridges, {inland} of them inside one country")
    airlines = pd.Series(bridges.edges["airline"]).value_counts().head(3)
    print("airlines on them:", ", ".join(f"{k} {v}" for k, v in airlines.items()))
    assert cut.index[0] == "United States" and inland <= bridges.num_edges


def read(airports, routes):
    """The tables of OpenFlights: airports with a code, and routes between codes."""
    places = pd.read_csv(airports, header=None, na_values="\\N")[[4, 1, 3]].dropna(subset=4)
    places.columns = ["code", "name", "country"]
    ways = pd.read_csv(routes, header=None, na_values="\\N")[[2, 4, 0]]
    ways.columns = ["source", "target", "airline"]
    return places.drop_duplicates("code"), ways


if __name__ == "__main__":
    main()
