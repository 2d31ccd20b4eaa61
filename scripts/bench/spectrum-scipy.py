"""Times scipy's eigsh: implicit A B N D K TIMES (float32 files) or dense L N K TIMES (float64 file). Prints JSON."""
import json
import sys
import time

import numpy
import scipy
from scipy.sparse.linalg import LinearOperator, eigsh

TOLERANCE = 1e-8


def implicit(a, b, n, d, kind):
    """L of the mean of S and its transpose, diagonal zero, by the same products as ours, in one precision."""
    a, b = (numpy.fromfile(file, numpy.float32).reshape(n, d).astype(kind) for file in (a, b))
    own = numpy.einsum("ij,ij->i", a, b, dtype=numpy.float64)

    def weigh(x):
        x32 = x.astype(kind)
        return (a @ (b.T @ x32) + b @ (a.T @ x32)).astype(numpy.float64) / 2 - own * x

    scale = 1 / numpy.sqrt(weigh(numpy.ones(n)))
    return LinearOperator((n, n), matvec=lambda x: scale * weigh(scale * x.ravel()), dtype=numpy.float64)


def measure(matrix, k, times):
    least, counted = float("inf"), 0
    for _ in range(times):
        started = time.perf_counter()
        values, vectors = eigsh(matrix, k=k, which="LM", tol=TOLERANCE)
        least = min(least, time.perf_counter() - started)
    residuals = [float(numpy.linalg.norm(matrix @ x - value * x)) for value, x in zip(values, vectors.T)]
    return {"seconds": least, "values": sorted(values.tolist(), key=abs, reverse=True), "residual": max(residuals)}


mode, *files = sys.argv[1:]
if mode == "implicit":
    a, b, n, d, k, times = files
    runs = {kind.__name__: measure(implicit(a, b, int(n), int(d), kind), int(k), int(times)) for kind in (numpy.float64, numpy.float32)}
else:
    file, n, k, times = files
    runs = {"float64": measure(numpy.fromfile(file).reshape(int(n), int(n)), int(k), int(times))}
print(json.dumps({"version": scipy.__version__, "runs": runs}))
