import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { chooseMixture, type ChoiceOptions } from '../../src/math/mixture/soft-clusters.ts'
import { isFit } from '../../src/math/mixture/fit.ts'
import { mulberry32 } from '../../src/math/random.ts'
import type { Matrix } from '../../src/math/vectors.ts'
import { comparedRow } from './pairs.ts'
import { small, type BenchRow } from './row.ts'
import { kmeans, type Partition } from '../../src/math/kmeans.ts'

/** The choice of a mixture beside scikit-learn, on the same numbers. */
export async function* mixtureBench(): AsyncGenerator<BenchRow> {
  const points = blobs({ blobs: 6, rows: 300, columns: 10, side: 20, seed: 1 })
  yield await sweepRow(points, {})
  yield await sweepRow(points, { covariance: 'diag', search: 'exhaustive' })
  yield await sweepRow(points, { covariance: 'full', search: 'exhaustive', regularisation: 'scikit-learn' }, 1)
  yield await choicesRow()
  yield* kmeansBench()
}

/** A search over 1 to 49 components; scikit-learn, which has no search of its own, fits every count. */
function sweepRow(points: Matrix, options: ChoiceOptions, pairs?: number): Promise<BenchRow> {
  const { covariance = 'diag', search = 'ended early, the default' } = options
  let choice = chooseMixture(points, options)
  return comparedRow({
    name: `BIC over 1 to 49 ${covariance} components, 300 x 10 (${search})`,
    about: 'float64, 1 thread',
    work: () => (choice = chooseMixture(points, options)),
    comparator: {
      script: 'clusters-reference.py',
      task: 'sweep',
      given: { covariance },
      data: { points: points.data },
      result: z.number(),
    },
    most: 0.5,
    ...(pairs && { pairs }),
    alsoGoal: 'same choice',
    check: (theirs) => {
      const ours = isFit(choice) ? choice.mixture.components : 0
      return { right: ours === theirs, note: `${ours} components, theirs ${theirs}` }
    },
  })
}

const layoutsFile = new URL('../../src/test-support/layouts.json', import.meta.url)

/** UMAP layouts of embeddings of the sample's chunks, on which scikit-learn's choices with ten seeds were recorded. */
async function choicesRow(): Promise<BenchRow> {
  const { layouts } = JSON.parse(await readFile(layoutsFile, 'utf8')) as {
    readonly layouts: readonly (Matrix & { readonly choices: readonly number[] })[]
  }
  const options = { covariance: 'full', search: 'exhaustive', regularisation: 'scikit-learn' } as const
  const results = layouts.map(({ data, rows, columns, choices }) => {
    const ours = choices.map((_, seed) => {
      const choice = chooseMixture({ data: Float64Array.from(data), rows, columns }, { ...options, seed })
      return isFit(choice) ? choice.mixture.components : NaN
    })
    return { ours: mean(ours), theirs: mean(choices), spread: Math.max(...choices) - Math.min(...choices) }
  })
  return {
    name: 'full components on layouts of real embeddings, as compat chooses them',
    figure: results.map(({ ours }) => ours.toFixed(1)).join(', '),
    goal: 'means of ten seeds within half the spread of scikit-learn',
    met: results.every(({ ours, theirs, spread }) => Math.abs(ours - theirs) <= spread / 2),
    note: `scikit-learn ${results.map(({ theirs }) => theirs.toFixed(1)).join(', ')}`,
  }
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** A document of 1,000 chunks, as the clusters of GEM-RAG have it. */
const [rows, columns, clusters] = [small ? 200 : 1000, small ? 16 : 384, 10]

/** ml-kmeans beside scikit-learn's, from the same kind of start. */
async function* kmeansBench(): AsyncGenerator<BenchRow> {
  const points = blobs({ blobs: 40, rows, columns, side: 0.6, seed: 2 })
  let partition = kmeans(points, clusters)
  yield await comparedRow({
    name: `k-means (ml-kmeans) of ${rows} x ${columns} into ${clusters}`,
    about: 'float64, 1 thread',
    work: () => (partition = kmeans(points, clusters)),
    comparator: {
      script: 'clusters-reference.py',
      task: 'kmeans',
      given: { rows, columns, clusters },
      data: { points: points.data },
      result: z.object({ inertia: z.number() }),
    },
    check: ({ inertia }) => ({
      right: true,
      note: `inertia ${(inertiaOf(points, partition) / inertia).toFixed(4)}x`,
    }),
  })
}

/** The sum of the squared distances of all rows to their centres. */
function inertiaOf({ data }: Matrix, { labels, centres }: Partition): number {
  let sum = 0
  for (let i = 0; i < data.length; i++) {
    sum += (data[i]! - centres[labels[Math.floor(i / columns)]! * columns + (i % columns)]!) ** 2
  }
  return sum
}

/** Points about some middles. */
export interface Blobs {
  readonly blobs: number
  readonly rows: number
  readonly columns: number
  /** Of the cube that the middles lie in; the rows lie about them with variance 1 in every column. */
  readonly side: number
  readonly seed: number
}

/** Row i belongs to blob i modulo their number. */
export function blobs({ blobs: count, rows, columns, side, seed }: Blobs): Matrix {
  const random = mulberry32(seed)
  const middles = Float64Array.from({ length: count * columns }, () => side * (random() - 0.5))
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const middleOf = (i: number) => middles[(Math.floor(i / columns) % count) * columns + (i % columns)]!
  return { data: Float32Array.from({ length: rows * columns }, (_, i) => middleOf(i) + normal()), rows, columns }
}
