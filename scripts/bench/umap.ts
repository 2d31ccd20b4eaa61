import { z } from 'zod'
import { chooseMixture } from '../../src/math/mixture/soft-clusters.ts'
import { isFit } from '../../src/math/mixture/fit.ts'
import { trustworthiness } from '../../src/test-support/trustworthiness.ts'
import { umap } from '../../src/math/umap/umap.ts'
import type { Matrix } from '../../src/math/vectors.ts'
import { blobs } from './mixture.ts'
import { comparedRow } from './pairs.ts'
import { small, type BenchRow } from './row.ts'

const [rows, columns, dimensions] = [small ? 80 : 1000, small ? 16 : 384, 10]

/** Pairs, each with its own seed: the quality of a layout varies with the seed, with a standard deviation of .1. */
const seeds = small ? 2 : 20

/** UMAP beside umap-learn's, in time and in the quality of the layouts. */
export async function* umapBench(): AsyncGenerator<BenchRow> {
  const points = blobs({ blobs: 8, rows, columns, side: 1, seed: 3 })
  const [ours, theirs]: [Matrix[], Matrix[]] = [[], []]
  yield await comparedRow({
    name: `UMAP of ${rows} x ${columns} to ${dimensions}`,
    about: 'float64, 1 thread',
    work: (seed) => ours.push(umap(points, { dimensions, neighbours: 15, seed })),
    comparator: {
      script: 'clusters-reference.py',
      task: 'umap',
      given: { rows, columns },
      data: { points: points.data },
      result: z.array(z.number()).transform((layout) => {
        theirs.push({ data: Float32Array.from(layout), rows, columns: dimensions })
      }),
    },
    given: (seed) => ({ seed }),
    pairs: seeds,
  })
  const [quality, reference] = [ours, theirs].map((layouts) => qualityOf(points, layouts.slice(0, seeds))) as [
    Quality,
    Quality,
  ]
  const error = Math.hypot(quality.rand.error, reference.rand.error)
  yield {
    name: 'UMAP: trustworthiness of the layouts, and adjusted Rand index of our mixture on them',
    figure: `${textOf(quality.trust, 4)}, ${textOf(quality.rand, 3)}`,
    goal: 'within 0.02, or two standard errors, of umap-learn',
    met:
      theirs.length > 0
        ? quality.trust.mean >= reference.trust.mean - 0.02 &&
          quality.rand.mean >= reference.rand.mean - Math.max(0.02, 2 * error)
        : null,
    ...(theirs.length > 0 && {
      note: `umap-learn ${textOf(reference.trust, 4)}, ${textOf(reference.rand, 3)}; means and standard errors of ${seeds} seeds`,
    }),
  }
}

interface Mean {
  readonly mean: number
  /** Its standard error. */
  readonly error: number
}

interface Quality {
  readonly trust: Mean
  readonly rand: Mean
}

const textOf = ({ mean, error }: Mean, digits: number): string => `${mean.toFixed(digits)} ± ${error.toFixed(digits)}`

const qualityOf = (points: Matrix, layouts: readonly Matrix[]): Quality => ({
  trust: meanOf(layouts.map((layout) => trustworthiness(points, layout, 15, 'cosine'))),
  rand: meanOf(layouts.map((layout) => recovery(layout, 8))),
})

function meanOf(values: readonly number[]): Mean {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) }
}

/** The adjusted Rand index (Hubert and Arabie 1985) of the blobs and the likeliest components of a mixture. */
function recovery(layout: Matrix, count: number): number {
  const choice = chooseMixture(layout)
  if (!isFit(choice)) return 0
  const { components, posteriors } = choice.mixture
  const table = Array.from({ length: components }, () => new Float64Array(count))
  for (let row = 0; row < layout.rows; row++) {
    const part = posteriors.subarray(row * components, (row + 1) * components)
    table[part.indexOf(Math.max(...part))]![row % count]!++
  }
  const pairs = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + (n * (n - 1)) / 2, 0)
  const together = pairs(table.flatMap((line) => [...line]))
  const ours = pairs(table.map((line) => line.reduce((sum, n) => sum + n, 0)))
  const truth = pairs(Array.from({ length: count }, (_, b) => table.reduce((sum, line) => sum + line[b]!, 0)))
  const chance = (ours * truth) / pairs([layout.rows])
  return (together - chance) / ((ours + truth) / 2 - chance)
}
