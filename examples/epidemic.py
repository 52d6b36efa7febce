"""An epidemic on a contact network, and what a few vaccines do to it.

People meet within groups, such as households, schools and offices, and some meet many; a few are
infected at first. One in twenty may be vaccinated: by chance, by the number of contacts, by
betweenness, or by what `contain` finds in drawn outbreaks. How many are infectious on each day is
what Figure 6 of the ExaGraph paper shows of PREEMPT, by reverse sampling and by hill climbing.

Run it: python examples/epidemic.py [picture.svg]
"""

from __future__ import annotations

import sys

import numpy as np

import edgewise as ew

PEOPLE, VACCINES, FIRST = 2_000, 100, 25
#: In a day: the chance of infection by a contact, of falling ill once exposed, and of recovery.
DISEASE = {
    "model": "seir",
    "probability": 0.03,
    "incubation_probability": 0.3,
    "recovery_probability": 0.25,
}
#: How each strategy is called, and how it is drawn.
STRATEGIES = {
    None: ("no vaccine", "#808080", ":"),
    "random": ("by chance", "#b8860b", "-"),
    "degree": ("most contacts", "#2e8b57", "-"),
    "betweenness": ("betweenness", "#7b4fa3", "-"),
    "reverse": ("reverse sampling", "#c0504d", "-"),
    "hill_climbing": ("hill climbing", "#1f4e79", "-"),
}


def contacts():
    """Groups of 10 to 60 people; a tenth of all contacts are between groups."""
    groups = {"mu": 0.1, "min_community": 10, "max_community": 60}
    return ew.generators.lfr_benchmark(
        PEOPLE, average_degree=12, max_degree=60, seed=1, **groups
    ).graph


def strategies(graph, sources):
    """The course of the epidemic under each strategy."""
    found, courses = None, {}
    for method in [one for one in STRATEGIES if one]:
        found = ew.influence.contain(graph, sources, VACCINES, method=method, runs=1_000, **DISEASE)
        courses[method] = found.after
    return {None: found.before, **courses}


def draw(courses, file):
    """Who is infectious on each day, a line for each strategy."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for method, (name, color, style) in STRATEGIES.items():
        axes.plot(courses[method].states[:, 2], color=color, ls=style, lw=1.8, label=name)
    longest = max(np.flatnonzero(one.states[:, 2] >= 1)[-1] for one in courses.values())
    axes.set(xlim=(0, longest), ylim=(0, None), xlabel="day", ylabel="infectious people")
    title = f"{VACCINES} vaccines among {PEOPLE:,} people, mean of {courses[None].runs:,} epidemics"
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold")
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=9)
    figure.savefig(file, dpi=150)
    print(f"drawn to {file}")


def main():
    graph = contacts()
    sources = np.random.default_rng(7).choice(PEOPLE, FIRST, replace=False)
    courses = strategies(graph, sources)
    print(f"{'':>16} infected  at the peak  on day")
    for method, (name, *_) in STRATEGIES.items():
        ill = courses[method].states[:, 2]
        print(f"{name:>16} {courses[method].mean:8.0f} {ill.max():12.0f} {ill.argmax():7}")
    ends = {method: course.mean for method, course in courses.items()}
    assert ends["hill_climbing"] < ends["degree"] < 0.5 * ends["random"] < ends[None]
    assert ends["reverse"] < ends["degree"]
    if len(sys.argv) > 1:
        draw(courses, sys.argv[1])


if __name__ == "__main__":
    main()
