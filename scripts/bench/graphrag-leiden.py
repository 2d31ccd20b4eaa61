"""graspologic-native's hierarchical Leiden, as GraphRAG calls it; one seed a repetition."""
import importlib.metadata

from comparator import numbers, serve


def leiden():
    import graspologic_native

    weights = {}
    for source, target, weight in zip(*(numbers(name, "uint32").tolist() for name in ("from", "to", "weight"))):
        pair = tuple(sorted((str(source), str(target))))
        weights[pair] = weights.get(pair, 0.0) + weight
    edges = [(source, target, weight) for (source, target), weight in sorted(weights.items())]
    total = sum(weights.values())

    def modularity(found):
        level = {one.node: one.cluster for one in found if one.level == 0}
        inside, degrees = {}, {}
        for source, target, weight in edges:
            for node in (source, target):
                degrees[level[node]] = degrees.get(level[node], 0.0) + weight
            if level[source] == level[target]:
                inside[level[source]] = inside.get(level[source], 0.0) + weight
        return sum(inside.get(one, 0.0) / total - (degree / (2 * total)) ** 2 for one, degree in degrees.items())

    return {
        "about": f"graspologic-native {importlib.metadata.version('graspologic-native')}, float64, 1 thread",
        "work": lambda seed: graspologic_native.hierarchical_leiden(
            edges=edges, starting_communities=None, resolution=1.0, randomness=0.001, iterations=1,
            use_modularity=True, max_cluster_size=10, seed=seed,
        ),
        "result": modularity,
    }


serve(leiden=leiden)
