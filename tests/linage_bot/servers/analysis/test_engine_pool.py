"""The engines kept from earlier queries: for which client, how many and how large."""

from typing import Any

from linage_bot.engine.engine import Engine
from linage_bot.servers.analysis.engine_pool import ClientEngines, EnginePool
from tests.linage_bot.servers.analysis.asking import Asked

ASKED = Asked()  # games that are known by it are alike to all clients here


def question(**more: Any) -> Any:
    return ASKED.question(**more)


def keep(trees: ClientEngines, nodes: int, **more: Any) -> Engine:
    """Keep an engine with a tree of a given size for a question's position."""
    asked = question(**more)
    engine = Engine(asked.play)
    trees.put_back(engine, asked.history.position, nodes)
    return engine


def test_an_engine_serves_the_client_that_it_worked_for_alone():
    """A kept engine serves only the client that it worked for, one query at a time."""
    pool = EnginePool()
    one, other = ClientEngines(pool), ClientEngines(pool)
    engine = keep(one, 10)
    assert other.take(question()) is not engine
    assert one.take(question()) is engine
    assert one.take(question()) is not engine


def test_a_client_s_fifth_engine_takes_the_place_of_its_first():
    """Each client keeps four engines; a fifth replaces the oldest."""
    trees = ClientEngines(EnginePool())
    komis = [0.5, 1.5, 2.5, 3.5, 4.5]
    engines = [keep(trees, 1, komi=komi) for komi in komis]
    kept = [
        trees.take(question(komi=komi)) is engine
        for komi, engine in zip(komis, engines, strict=True)
    ]
    assert kept == [False, True, True, True, True]


def test_all_clients_together_keep_no_more_than_one_alone_may():
    """All clients together keep a limited number of nodes; the oldest trees are dropped."""
    pool = EnginePool(most_nodes=100)
    clients = [ClientEngines(pool) for _ in range(10)]
    engines = [keep(client, 40) for client in clients]
    assert pool.nodes == 80
    kept = [
        client.take(question()) is engine for client, engine in zip(clients, engines, strict=True)
    ]
    assert kept == [False] * 8 + [True] * 2
    keep(clients[0], 101)
    assert pool.nodes == 0


def test_nothing_is_kept_for_a_client_that_is_gone():
    """Trees of a client that has left are dropped, including those still in use."""
    pool = EnginePool()
    gone, there = ClientEngines(pool), ClientEngines(pool)
    keep(gone, 10)
    keep(there, 20)
    gone.close()
    keep(gone, 10)
    assert pool.nodes == 20
