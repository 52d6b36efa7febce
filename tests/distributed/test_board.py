"""What a rank notes about itself, and what is concluded from it."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import numpy as np
import pytest

from edgewise.distributed.board import (
    RETURNED,
    STARTING,
    UP,
    Board,
    Lookout,
    Sight,
    judge,
    limit_of,
)


def waits(rank, members, seconds=9.0, call="barrier"):
    return Sight(rank, UP, call, tuple(members), seconds=seconds)


def concluded(*sights, limit=5.0):
    return judge({one.rank: one for one in sights}, limit)


def test_a_rank_that_returned():
    gone = Sight(2, RETURNED, seconds=9.0)
    assert concluded(waits(0, [0, 2]), gone)[0] == "rank 2 returned while rank 0 waits in barrier()"
    assert concluded(waits(0, [0, 1]), waits(1, [0, 1], 1.0), gone)[0] is None  # not for it
    assert concluded(waits(0, [0, 2], 3.0), gone) == (None, None)  # not yet
    assert concluded(waits(0, [0, 2]), gone._replace(seconds=1.0))[0] is None


def test_a_rank_that_is_stopped():
    stopped = Sight(1, UP, stopped=True, seconds=9.0)
    assert concluded(Sight(0, UP, seconds=9.0), stopped)[0] == "rank 1 has been stopped for 5 s"
    assert concluded(stopped._replace(seconds=4.0)) == (None, None)


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ([Sight(1, UP)], "for rank 1, which computes"),
        ([Sight(1, UP, stopped=True)], "for rank 1, which is stopped"),
        ([Sight(1, UP), Sight(2, UP)], "for ranks 1, 2, which do not wait"),
        ([waits(1, [1, 3]), waits(2, [0, 1, 2])], "for rank 1, waiting in barrier() elsewhere"),
        ([waits(1, [0, 1, 2])], "for rank 2, unseen from here"),
        ([waits(1, [0, 1, 2]), waits(2, [0, 1, 2], 4.0)], ", as all others"),
    ],
)
def test_a_long_wait_is_told_but_no_fault(others, words):
    wrong, odd = concluded(waits(0, [0, 1, 2]), *others)
    assert wrong is None and odd.startswith("rank 0 has waited 5 s in barrier()")
    assert odd.endswith(words)


def test_a_wait_in_which_all_wait():
    first, second = waits(0, [0, 1]), waits(1, [1, 2], call="split")
    message = (
        "ranks 0, 1, 2 have waited 5 s for one another: rank 0 in barrier(), rank 1 in split()"
    )
    assert concluded(first, second, waits(2, [0, 2]))[0] == message
    assert concluded(first, second, Sight(2, UP))[0] is None  # it computes
    assert concluded(first, second)[0] is None  # it may be on another machine


def test_the_clock_says_how_long_a_rank_has_waited(tmp_path):
    board = Board.at(tmp_path / "board", 2)
    board.phase = UP
    board.enter("barrier", np.array([0, 1], np.int32))
    time.sleep(0.01)
    assert Lookout().look({0: board}, 0.0)[0].seconds >= 0.01


def test_a_board_shows_calls_and_how_long_nothing_changes(tmp_path):
    mine, theirs = Board.at(tmp_path / "board", 4), Board.at(tmp_path / "board", 4)
    mine.begin()
    lookout = Lookout()
    assert lookout.look({1: theirs}, 1.0)[1] == Sight(1, STARTING)
    mine.phase = UP
    mine.enter("allreduce", np.array([1, 3], np.int32))
    assert lookout.look({1: theirs}, 1.0)[1] == Sight(1, UP, "allreduce", (1, 3))
    assert lookout.look({1: theirs}, 1.5)[1].seconds == 1.5
    mine.leave()
    assert lookout.look({1: theirs}, 1.0)[1] == Sight(1, UP)
    mine.phase = RETURNED
    time.sleep(0.01)
    seen = lookout.look({1: theirs}, 1.0)[1]
    assert seen.phase == RETURNED and seen.seconds >= 0.01  # by the clock


def test_a_stopped_process_is_seen(tmp_path):
    board = Board.at(tmp_path / "board", 1)
    with subprocess.Popen(["sleep", "60"]) as process:
        board.words[0] = process.pid
        assert not Lookout().look({0: board}, 0.0)[0].stopped
        os.kill(process.pid, signal.SIGSTOP)
        end = time.monotonic() + 10
        while not Lookout().look({0: board}, 0.0)[0].stopped:
            assert time.monotonic() < end
        process.kill()


def test_limits(monkeypatch):
    monkeypatch.delenv("EDGEWISE_GRID_TIMEOUT", raising=False)
    assert (limit_of(), limit_of(2), limit_of(0)) == (300.0, 2.0, float("inf"))
    monkeypatch.setenv("EDGEWISE_GRID_TIMEOUT", "0.5")
    assert (limit_of(), limit_of(2)) == (0.5, 2.0)
    for wrong in (-1, "x", float("nan")):
        with pytest.raises(ValueError, match="timeout must be a number of seconds from 0"):
            limit_of(wrong)
