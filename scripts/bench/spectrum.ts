import { z } from 'zod'
import { graphOperator } from '../../src/math/spectrum/graph-operator.ts'
import { leadingEigenpairs, type Eigenpairs } from '../../src/math/spectrum/leading-eigenpairs.ts'
import { denseOf, type Operator } from '../../src/math/spectrum/operator.ts'
import { storedWeights } from '../../src/math/spectrum/weights.ts'
import { clusteredFactors } from '../../src/test-support/clustered-factors.ts'
import { type ComparatorOptions, comparedRow, ourThreads } from './pairs.ts'
import { inChild, small, type BenchRow } from './row.ts'

const d = 384

/** Leading eigenpairs of the graph of GEM-RAG, against scipy's eigsh (ARPACK) on the same matrix. */
export async function* spectrumBench(): AsyncGenerator<BenchRow> {
  yield await implicitRow(small ? 400 : 20_000, 2)
  for (const kind of ['float32', 'float64'] as const) yield await denseRow(small ? 100 : 2000, 15, kind)
  yield exactRow(small ? 60 : 300, 10)
  yield await memoryRow(small ? 500 : 200_000)
}

function implicitRow(n: number, k: number): Promise<BenchRow> {
  const factors = clusteredFactors({ n, d })
  const { a, b } = factors
  return comparison(
    `eigenpairs without the matrix, n = ${n}, d = ${d}, k = ${k}`,
    graphOperator(factors),
    k,
    { task: 'implicit', given: { n, d, k, kind: 'float32' }, data: { a: a.data, b: b.data } },
    'sums of float32 in float64',
  )
}

function denseRow(n: number, k: number, kind: 'float32' | 'float64'): Promise<BenchRow> {
  const matrix = denseOf(graphOperator(clusteredFactors({ n, d })))
  return comparison(
    `eigenpairs of a stored matrix, n = ${n}, k = ${k}, beside ${kind}`,
    storedWeights(matrix, n),
    k,
    { task: 'dense', given: { n, k, kind }, data: { matrix } },
    'float64',
  )
}

/** Degrees are known beforehand to both. Values of 32 bits are right to six digits, ours to the tolerance. */
function comparison(
  name: string,
  operator: Operator,
  k: number,
  task: Pick<ComparatorOptions<unknown>, 'task' | 'given' | 'data'>,
  precision: string,
): Promise<BenchRow> {
  let results = leadingEigenpairs(operator, k)
  return comparedRow({
    name,
    about: `${precision}, ${ourThreads}`,
    work: () => (results = leadingEigenpairs(operator, k)),
    comparator: { ...task, script: 'spectrum-scipy.py', result: solution },
    check: (theirs) => {
      const apart = difference(results, theirs.values)
      return {
        right: results.converged && apart <= 1e-5,
        note: `${results.iterations} passes, residual ${power(Math.max(...results.residuals))}; theirs ${power(theirs.residual)}; values differ by ${power(apart)}`,
      }
    },
  })
}

const solution = z.object({ values: z.array(z.number()), residual: z.number() })

/** The iterative solver on a matrix that the dense one takes whole. */
function exactRow(n: number, k: number): BenchRow {
  const operator = graphOperator(clusteredFactors({ n, d }))
  const dense = leadingEigenpairs(operator, k, { solver: 'dense' })
  const apart = difference(leadingEigenpairs(operator, k, { solver: 'iterative' }), dense.values)
  const name = `iterative against dense, n = ${n}, k = ${k}`
  return { name, figure: power(apart), goal: '<= 1e-8', met: apart <= 1e-8, note: 'largest difference of eigenvalues' }
}

const measurement = z.object({ seconds: z.number(), peak: z.number(), converged: z.boolean(), form: z.string() })

async function memoryRow(n: number): Promise<BenchRow> {
  const { seconds, peak, converged, form } = await inChild(measurement, 'spectrum', String(n), String(d))
  const embeddings = 2 * n * d * 4
  return {
    name: `eigenpairs without the matrix, n = ${n}, d = ${d}, k = 2`,
    figure: `${(peak / embeddings).toFixed(2)}x the embeddings`,
    goal: '<= 2x',
    met: converged && peak <= 2 * embeddings,
    note: `peak resident memory of the whole process, ${megabytes(peak)}, over A and B in float32, ${megabytes(embeddings)}; ${seconds.toFixed(1)} s with the degrees, ${form}`,
  }
}

const difference = (results: Eigenpairs, values: ArrayLike<number>): number =>
  results.values.reduce((most, value, i) => Math.max(most, Math.abs(value - (values[i] ?? Infinity))), 0)

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
const power = (value: number): string => value.toExponential(0)
