import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { kmeans } from '../../src/math/kmeans/kmeans.ts'
import { chooseMixture, type ChoiceOptions } from '../../src/math/mixture/select-components.ts'
import { isFit } from '../../src/math/mixture/mixture.ts'
import { mulberry32 } from '../../src/math/random.ts'
import { trustworthiness } from '../../src/math/umap/trustworthiness.ts'
import { umap } from '../../src/math/umap/umap.ts'
import type { Matrix } from '../../src/math/vectors.ts'
import { best, type BenchRow } from './row.ts'

const script = fileURLToPath(new URL('mixture-reference.py', import.meta.url))

/** Mixture, k-means and UMAP beside scikit-learn and umap-learn, on the same numbers in the same run; GEMBENCH_PYTHON names the python. */
export async function mixtureBench(): Promise<readonly BenchRow[]> {
  const data = {
    sweep: blobs({ blobs: 6, rows: 300, columns: 10, side: 20, seed: 1 }),
    kmeans: blobs({ blobs: 40, rows: 5000, columns: 384, side: 0.6, seed: 2 }),
    umap: blobs({ blobs: 8, rows: 1000, columns: 384, side: 1, seed: 3 }),
  }
  const folder = await mkdtemp(join(tmpdir(), 'gembench-bench-'))
  try {
    for (const [name, { data: numbers }] of Object.entries(data)) await writeFile(join(folder, name), numbers)
    const theirs = await reference(folder)
    return [
      await sweepRow(data.sweep, {}, theirs.diag),
      await sweepRow(data.sweep, { covariance: 'diag', search: 'exhaustive' }, theirs.diag),
      await sweepRow(
        data.sweep,
        { covariance: 'full', search: 'exhaustive', regularisation: 'scikit-learn' },
        theirs.full,
      ),
      await choicesRow(),
      await kmeansRow(data.kmeans, theirs.kmeans),
      ...(await umapRows(data.umap, theirs.umap, join(folder, 'layout'))),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the python script prints for one task, or why it could not be run. */
type Theirs<T> = T | { readonly missing: string }

interface Reference {
  readonly diag: Theirs<{ readonly seconds: number; readonly components: number }>
  readonly full: Reference['diag']
  readonly kmeans: Theirs<{ readonly seconds: number; readonly inertia: number; readonly iterations: number }>
  readonly umap: Theirs<{ readonly seconds: number }>
}

const measured = <T extends object>(theirs: Theirs<T>): theirs is T => !('missing' in theirs)

async function reference(folder: string): Promise<Reference> {
  const python = process.env['GEMBENCH_PYTHON'] ?? 'python3'
  try {
    const { stdout } = await promisify(execFile)(python, [script, folder])
    return JSON.parse(stdout) as Reference
  } catch (error) {
    const missing = `${python} did not run: ${String(error).trim().split('\n').at(-1)!}`
    return { diag: { missing }, full: { missing }, kmeans: { missing }, umap: { missing } }
  }
}

/** A search over 1 to 49 components; scikit-learn, which has no search of its own, fits every count. */
async function sweepRow(points: Matrix, options: ChoiceOptions, theirs: Reference['diag']): Promise<BenchRow> {
  const { seconds, components } = await searched(points, options)
  const { covariance = 'diag', search = 'ended early, the default' } = options
  const name = `BIC over 1 to 49 ${covariance} components, 300 x 10 (${search})`
  const row = { name, goal: '0.5x of scikit-learn, same choice' }
  if (!measured(theirs)) return alone(row, `${milliseconds(seconds)}, ${components} components`, theirs)
  return {
    ...row,
    figure: `${ratio(seconds, theirs.seconds)}, ${components} components`,
    met: seconds <= 0.5 * theirs.seconds && components === theirs.components,
    note: `${milliseconds(seconds)}; scikit-learn ${milliseconds(theirs.seconds)}, ${theirs.components} components`,
  }
}

const layoutsFile = new URL('../../src/test-support/layouts.json', import.meta.url)

/** UMAP layouts of embeddings of the sample's chunks, on which scikit-learn's choices with ten seeds were recorded. */
async function choicesRow(): Promise<BenchRow> {
  const { layouts } = JSON.parse(await readFile(layoutsFile, 'utf8')) as {
    readonly layouts: readonly (Matrix & { readonly choices: readonly number[] })[]
  }
  const options = { covariance: 'full', search: 'exhaustive', regularisation: 'scikit-learn' } as const
  const found = layouts.map(({ data, rows, columns, choices }) => {
    const ours = choices.map((_, seed) => {
      const choice = chooseMixture({ data: Float64Array.from(data), rows, columns }, { ...options, seed })
      return isFit(choice) ? choice.mixture.components : NaN
    })
    return { ours: mean(ours), theirs: mean(choices), spread: Math.max(...choices) - Math.min(...choices) }
  })
  return {
    name: 'full components on layouts of real embeddings, as compat chooses them',
    figure: found.map(({ ours }) => ours.toFixed(1)).join(', '),
    goal: 'means of ten seeds within half the spread of scikit-learn',
    met: found.every(({ ours, theirs, spread }) => Math.abs(ours - theirs) <= spread / 2),
    note: `scikit-learn ${found.map(({ theirs }) => theirs.toFixed(1)).join(', ')}`,
  }
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

async function searched(points: Matrix, options: ChoiceOptions) {
  const search = () => chooseMixture(points, options)
  const seconds = await best(5, search)
  const choice = search()
  return { seconds, components: isFit(choice) ? choice.mixture.components : 0 }
}

async function kmeansRow(points: Matrix, theirs: Reference['kmeans']): Promise<BenchRow> {
  const seconds = await best(5, () => kmeans(points, 20))
  const { inertia, iterations } = kmeans(points, 20)
  const row = { name: 'k-means of 5000 x 384 into 20', goal: '1.5x of scikit-learn' }
  const ours = `${milliseconds(seconds)} in ${iterations} iterations`
  if (!measured(theirs)) return alone(row, ours, theirs)
  return {
    ...row,
    figure: ratio(seconds, theirs.seconds),
    met: seconds <= 1.5 * theirs.seconds,
    note: `${ours}; scikit-learn ${milliseconds(theirs.seconds)} in ${theirs.iterations}; inertia ${(inertia / theirs.inertia).toFixed(4)}x`,
  }
}

/** Layouts that quality is the mean of: one alone is a matter of luck. */
const seeds = [0, 1, 2, 3, 4]

async function umapRows(points: Matrix, theirs: Reference['umap'], file: string): Promise<BenchRow[]> {
  const reduce = (seed?: number) =>
    umap(points, { dimensions: 10, neighbours: 15, ...(seed !== undefined && { seed }) })
  const seconds = await best(3, () => reduce())
  const ours = qualityOf(points, seeds.map(reduce))
  const speed = { name: 'UMAP of 1000 x 384 to 10', goal: '1.5x of umap-learn' }
  const quality = { name: 'UMAP: trustworthiness', goal: 'within 0.02 of umap-learn' }
  const shown = `${ours.trust.toFixed(4)}, adjusted Rand ${ours.rand.toFixed(3)}`
  if (!measured(theirs)) return [alone(speed, milliseconds(seconds), theirs), alone(quality, shown, theirs)]
  const layouts = await Promise.all(seeds.map((seed) => readFile(`${file}${seed}`)))
  const other = qualityOf(
    points,
    layouts.map((bytes) => ({ rows: points.rows, columns: 10, data: new Float32Array(Uint8Array.from(bytes).buffer) })),
  )
  return [
    {
      ...speed,
      figure: ratio(seconds, theirs.seconds),
      met: seconds <= 1.5 * theirs.seconds,
      note: `${milliseconds(seconds)}; umap-learn ${milliseconds(theirs.seconds)} once compiled`,
    },
    {
      ...quality,
      figure: shown,
      met: ours.trust >= other.trust - 0.02 && ours.rand >= other.rand - 0.02,
      note: `umap-learn ${other.trust.toFixed(4)}, ${other.rand.toFixed(3)}; means of five seeds, our mixture on all layouts`,
    },
  ]
}

function qualityOf(points: Matrix, layouts: readonly Matrix[]): { readonly trust: number; readonly rand: number } {
  const mean = (of: (layout: Matrix) => number) => layouts.reduce((sum, layout) => sum + of(layout), 0) / layouts.length
  return {
    trust: mean((layout) => trustworthiness(points, layout, 15, 'cosine')),
    rand: mean((layout) => recovery(layout, 8)),
  }
}

const alone = (row: Pick<BenchRow, 'name' | 'goal'>, figure: string, { missing }: { missing: string }): BenchRow => ({
  ...row,
  figure,
  met: null,
  note: missing,
})

const milliseconds = (seconds: number): string => `${(1000 * seconds).toFixed(0)} ms`
const ratio = (ours: number, theirs: number): string => `${(ours / theirs).toFixed(2)}x`

interface Blobs {
  readonly blobs: number
  readonly rows: number
  readonly columns: number
  /** Of the cube that the middles lie in; the rows lie about them with variance 1 in every column. */
  readonly side: number
  readonly seed: number
}

/** Row i belongs to blob i modulo their number. */
function blobs({ blobs: count, rows, columns, side, seed }: Blobs): Matrix {
  const random = mulberry32(seed)
  const middles = Float64Array.from({ length: count * columns }, () => side * (random() - 0.5))
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const middleOf = (i: number) => middles[(Math.floor(i / columns) % count) * columns + (i % columns)]!
  return { data: Float32Array.from({ length: rows * columns }, (_, i) => middleOf(i) + normal()), rows, columns }
}

/** The adjusted Rand index (Hubert and Arabie 1985) of the blobs and the likeliest components of a mixture. */
function recovery(layout: Matrix, count: number): number {
  const choice = chooseMixture(layout)
  if (!isFit(choice)) return 0
  const { components, posteriors } = choice.mixture
  const table = Array.from({ length: components }, () => new Float64Array(count))
  for (let row = 0; row < layout.rows; row++) {
    const own = posteriors.subarray(row * components, (row + 1) * components)
    table[own.indexOf(Math.max(...own))]![row % count]!++
  }
  const pairs = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + (n * (n - 1)) / 2, 0)
  const together = pairs(table.flatMap((line) => [...line]))
  const ours = pairs(table.map((line) => line.reduce((sum, n) => sum + n, 0)))
  const truth = pairs(Array.from({ length: count }, (_, b) => table.reduce((sum, line) => sum + line[b]!, 0)))
  const expected = (ours * truth) / pairs([layout.rows])
  return (together - expected) / ((ours + truth) / 2 - expected)
}
