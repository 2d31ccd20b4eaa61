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

/** Pairs, each of another seed; quality is the mean of the first layouts: one alone is a matter of luck. */
const [seeds, judged] = small ? [1, 1] : [5, 5]

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
  const [own, other] = [ours, theirs].map((layouts) => qualityOf(points, layouts.slice(0, judged))) as [
    Quality,
    Quality,
  ]
  yield {
    name: 'UMAP: trustworthiness of the layouts, and adjusted Rand index of our mixture on them',
    figure: `${own.trust.toFixed(4)}, ${own.rand.toFixed(3)}`,
    goal: 'within 0.02 of umap-learn',
    met: theirs.length > 0 ? own.trust >= other.trust - 0.02 && own.rand >= other.rand - 0.02 : null,
    ...(theirs.length > 0 && {
      note: `umap-learn ${other.trust.toFixed(4)}, ${other.rand.toFixed(3)}; means of ${judged} seeds`,
    }),
  }
}

interface Quality {
  readonly trust: number
  readonly rand: number
}

function qualityOf(points: Matrix, layouts: readonly Matrix[]): Quality {
  const mean = (of: (layout: Matrix) => number) => layouts.reduce((sum, layout) => sum + of(layout), 0) / layouts.length
  return {
    trust: mean((layout) => trustworthiness(points, layout, 15, 'cosine')),
    rand: mean((layout) => recovery(layout, 8)),
  }
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
