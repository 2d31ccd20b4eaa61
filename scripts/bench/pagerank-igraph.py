"""igraph's prpack: personalised PageRank of one reset on a graph that is built."""
import igraph
from comparator import numbers, serve


def pagerank(nodes, damping):
    weights, reset = numbers("weight", "float64").tolist(), numbers("reset", "float64").tolist()
    graph = igraph.Graph(nodes, list(zip(numbers("from", "uint32").tolist(), numbers("to", "uint32").tolist())))
    graph.es["weight"] = weights
    return {
        "about": f"igraph {igraph.__version__} prpack, float64, 1 thread",
        "work": lambda: graph.personalized_pagerank(
            damping=damping, reset=reset, weights="weight", directed=False, implementation="prpack"
        ),
        # every call hands the weights over from a Python list, which is no part of prpack: this one does little else
        "without": lambda: graph.strength(weights="weight"),
        "result": lambda scores: scores,
    }


serve(pagerank=pagerank)
