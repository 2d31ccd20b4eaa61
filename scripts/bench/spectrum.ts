import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { graphOperator } from '../../src/math/spectrum/graph-operator.ts'
import { leadingEigenpairs, type Eigenpairs } from '../../src/math/spectrum/leading-eigenpairs.ts'
import { denseOperator, type Operator } from '../../src/math/spectrum/operator.ts'
import { clusteredFactors } from './clustered-factors.ts'
import { best, type BenchRow } from './row.ts'

const d = 384
const times = 5

/** Leading eigenpairs of the graph of GEM-RAG, against scipy's eigsh (ARPACK) on the same matrix. */
export async function spectrumBench(): Promise<readonly BenchRow[]> {
  const python = pythonWithScipy()
  return [await implicitRow(20_000, 2, python), await denseRow(2000, 15, python), exactRow(300, 10), memoryRow(200_000)]
}

async function implicitRow(n: number, k: number, python?: string): Promise<BenchRow> {
  const factors = clusteredFactors({ n, d })
  const { a, b } = factors
  const name = `eigenpairs without the matrix, n = ${n}, d = ${d}, k = ${k}`
  return compared(name, graphOperator(factors), k, python, { a: a.data, b: b.data }, ([a = '', b = '']) => [
    ...['implicit', a, b],
    ...[n, d, k, times].map(String),
  ])
}

async function denseRow(n: number, k: number, python?: string): Promise<BenchRow> {
  const matrix = graphOperator(clusteredFactors({ n, d })).dense()
  const name = `eigenpairs of a stored matrix, n = ${n}, k = ${k}`
  return compared(name, denseOperator(matrix, n), k, python, { matrix }, ([file = '']) => [
    ...['dense', file],
    ...[n, k, times].map(String),
  ])
}

/** Ours over the fastest of scipy's; degrees are known beforehand to both. */
async function compared(
  name: string,
  operator: Operator,
  k: number,
  python: string | undefined,
  data: Readonly<Record<string, Float32Array | Float64Array>>,
  given: (files: readonly string[]) => readonly string[],
): Promise<BenchRow> {
  const goal = '<= 1.0x eigsh'
  let found = leadingEigenpairs(operator, k)
  const ours = await best(times, () => (found = leadingEigenpairs(operator, k)))
  const note = `${milliseconds(ours)} in ${found.iterations} passes, residual ${power(Math.max(...found.residuals))}`
  if (python === undefined) {
    const absent = 'no python with scipy to compare with (GEMBENCH_PYTHON names one)'
    return { name, figure: milliseconds(ours), goal, met: null, note: `${note}; ${absent}` }
  }
  const { version, runs } = scipy(python, data, given)
  const fastest = Math.min(...Object.values(runs).map(({ seconds }) => seconds))
  const apart = difference(found, runs['float64']?.values ?? [])
  const theirs = Object.entries(runs).map(
    ([kind, run]) => `${kind} ${milliseconds(run.seconds)}, residual ${power(run.residual)}`,
  )
  return {
    name,
    figure: `${(ours / fastest).toFixed(2)}x`,
    goal,
    met: found.converged && ours <= fastest && apart <= 1e-8,
    note: `${note}; scipy ${version}: ${theirs.join('; ')}; values differ by ${power(apart)}`,
  }
}

/** The iterative solver on a matrix that the dense one takes whole. */
function exactRow(n: number, k: number): BenchRow {
  const operator = graphOperator(clusteredFactors({ n, d }))
  const dense = leadingEigenpairs(operator, k, { solver: 'dense' })
  const apart = difference(leadingEigenpairs(operator, k, { solver: 'iterative' }), dense.values)
  const name = `iterative against dense, n = ${n}, k = ${k}`
  return { name, figure: power(apart), goal: '<= 1e-8', met: apart <= 1e-8, note: 'largest difference of eigenvalues' }
}

const measured = z.object({ seconds: z.number(), peak: z.number(), converged: z.boolean(), form: z.string() })

function memoryRow(n: number): BenchRow {
  const child = new URL('spectrum-memory-child.ts', import.meta.url).pathname
  const given = ['--import', import.meta.resolve('tsx'), child, String(n), String(d)]
  const { seconds, peak, converged, form } = measured.parse(
    JSON.parse(execFileSync(process.execPath, given, { encoding: 'utf8' })),
  )
  const embeddings = 2 * n * d * 4
  return {
    name: `eigenpairs without the matrix, n = ${n}, d = ${d}, k = 2`,
    figure: `${(peak / embeddings).toFixed(2)}x the embeddings`,
    goal: '<= 2x',
    met: converged && peak <= 2 * embeddings,
    note: `peak resident memory of the whole process, ${megabytes(peak)}, over A and B in float32, ${megabytes(embeddings)}; ${seconds.toFixed(1)} s with the degrees, ${form}`,
  }
}

const difference = (found: Eigenpairs, values: ArrayLike<number>): number =>
  found.values.reduce((most, value, i) => Math.max(most, Math.abs(value - (values[i] ?? Infinity))), 0)

const milliseconds = (duration: number): string => `${(duration * 1000).toFixed(0)} ms`
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
const power = (value: number): string => value.toExponential(0)

const pythonWithScipy = (): string | undefined =>
  [process.env['GEMBENCH_PYTHON'], 'python3'].find(
    (python) => python && spawnSync(python, ['-c', 'import scipy'], { stdio: 'ignore' }).status === 0,
  )

const run = z.object({ seconds: z.number(), values: z.array(z.number()), residual: z.number() })
const reply = z.object({ version: z.string(), runs: z.record(z.string(), run) })

function scipy(
  python: string,
  data: Readonly<Record<string, Float32Array | Float64Array>>,
  given: (files: readonly string[]) => readonly string[],
) {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-bench-'))
  try {
    const files = Object.entries(data).map(([name, numbers]) => {
      const file = join(folder, name)
      writeFileSync(file, numbers)
      return file
    })
    const script = new URL('spectrum-scipy.py', import.meta.url).pathname
    const { status, stdout, stderr } = spawnSync(python, [script, ...given(files)], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${python} failed: ${stderr}`)
    return reply.parse(JSON.parse(stdout))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
