import { EigenvalueDecomposition, Matrix } from 'ml-matrix'

/** All eigenpairs of a symmetric matrix, n x n in rows; values rise, and column i of `vectors` (n x n in rows) belongs to value i. */
export function symmetricEigenpairs(matrix: Float64Array, n: number): { values: Float64Array; vectors: Float64Array } {
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(Matrix.from1DArray(n, n, matrix), {
    assumeSymmetric: true,
  })
  return { values: Float64Array.from(realEigenvalues), vectors: Float64Array.from(eigenvectorMatrix.to1DArray()) }
}
