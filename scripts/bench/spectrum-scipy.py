"""scipy's eigsh (ARPACK): the L of two factors without the matrix, in a precision of one's choice, or a stored matrix."""
import numpy
import scipy
from comparator import numbers, serve, threads
from scipy.sparse.linalg import LinearOperator, eigsh

TOLERANCE = 1e-8


def implicit(n, d, k, kind):
    """L of the mean of S and its transpose, diagonal zero, by the same products as ours."""
    a, b = (numbers(name, "float32", n, d).astype(kind) for name in "ab")
    own = numpy.einsum("ij,ij->i", a, b, dtype=numpy.float64)

    def weigh(x):
        given = x.astype(kind)
        return (a @ (b.T @ given) + b @ (a.T @ given)).astype(numpy.float64) / 2 - own * x

    scale = 1 / numpy.sqrt(weigh(numpy.ones(n)))
    matrix = LinearOperator((n, n), matvec=lambda x: scale * weigh(scale * x.ravel()), dtype=numpy.float64)
    return solved(matrix, k, f"products in {kind}")


def dense(n, k, kind):
    return solved(numbers("matrix", "float64", n, n).astype(kind), k, kind)


def solved(matrix, k, precision):
    def result(found):
        values, vectors = found
        residuals = [float(numpy.linalg.norm(matrix @ x - value * x)) for value, x in zip(values, vectors.T)]
        return {"values": sorted(map(float, values), key=abs, reverse=True), "residual": max(residuals)}

    return {
        "about": f"scipy {scipy.__version__} eigsh, {precision}, {threads()}",
        # ARPACK of 32 bits knows no smaller residual than 0, its own precision
        "work": lambda: eigsh(matrix, k=k, which="LM", tol=TOLERANCE if matrix.dtype == numpy.float64 else 0),
        "result": result,
    }


serve(implicit=implicit, dense=dense)
