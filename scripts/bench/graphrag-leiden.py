"""Times graspologic-native's hierarchical Leiden on the edges of a file, as GraphRAG calls it: FILE SEEDS. Prints JSON, means over the seeds."""
import importlib.metadata
import json
import sys
import time

import graspologic_native

weights = {}
with open(sys.argv[1]) as lines:
    for line in lines:
        source, target, weight = line.split()
        pair = (source, target) if source < target else (target, source)
        weights[pair] = weights.get(pair, 0.0) + float(weight)
edges = [(source, target, weight) for (source, target), weight in sorted(weights.items())]
total = sum(weights.values())


def modularity(level):
    inside, degrees = {}, {}
    for source, target, weight in edges:
        for node in (source, target):
            degrees[level[node]] = degrees.get(level[node], 0.0) + weight
        if level[source] == level[target]:
            inside[level[source]] = inside.get(level[source], 0.0) + weight
    return sum(inside.get(one, 0.0) / total - (degree / (2 * total)) ** 2 for one, degree in degrees.items())


took, reached = [], []
for seed in range(int(sys.argv[2])):
    started = time.perf_counter()
    found = graspologic_native.hierarchical_leiden(
        edges=edges, starting_communities=None, resolution=1.0, randomness=0.001, iterations=1,
        use_modularity=True, max_cluster_size=10, seed=seed,
    )
    took.append(time.perf_counter() - started)
    reached.append(modularity({one.node: one.cluster for one in found if one.level == 0}))
version = importlib.metadata.version("graspologic-native")
print(json.dumps({"version": version, "seconds": sum(took) / len(took), "modularity": sum(reached) / len(reached)}))
