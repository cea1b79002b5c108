"""The graph as it is compiled, for drawing: asked once, and the same for every turn."""

from __future__ import annotations

from functools import cache

from admin_tracing.layout import Edge, Topology
from admin_tracing.replay import BANDS
from admin_tracing.wires import Drawing, draw
from chat.agent.graph import NODES
from chat.runtime.compile import compiled


@cache
def boundaries() -> dict[str, str]:
    """The band of each node."""
    return {node.name: node.boundary for node in NODES}


@cache
def about() -> dict[str, str]:
    """What each node does, in the first line of its own words."""
    docs = {node.name: (node.run.__doc__ or "").strip() for node in NODES}
    return {name: text.partition("\n")[0] for name, text in docs.items()}


@cache
def topology() -> Topology:
    """Nodes and edges of the compiled graph; its start and its end are no nodes."""
    nodes = boundaries()
    edges = (
        Edge(edge.source, edge.target, bool(edge.conditional))
        for edge in compiled().get_graph().edges
        if edge.source in nodes and edge.target in nodes
    )
    return Topology(nodes, tuple(sorted(edges)), about())


@cache
def drawing() -> Drawing:
    """The graph as plates and lines."""
    return draw(topology(), BANDS)
