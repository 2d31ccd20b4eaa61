import { z } from 'zod'
import { blobs } from './blobs.ts'
import { comparedRow, ourThreads } from './pairs.ts'
import type { BenchRow } from './row.ts'
import { kmeans } from '../../src/math/kmeans.ts'

const [rows, columns, clusters] = [5000, 384, 20]

/** k-means of one start beside scikit-learn's, from the same kind of start. */
export async function* kmeansBench(): AsyncGenerator<BenchRow> {
  const points = blobs({ blobs: 40, rows, columns, side: 0.6, seed: 2 })
  let found = kmeans(points, clusters)
  yield await comparedRow({
    name: `k-means of ${rows} x ${columns} into ${clusters}`,
    about: `float64, ${ourThreads}`,
    work: () => (found = kmeans(points, clusters)),
    comparator: {
      ...{ script: 'clusters-reference.py', task: 'kmeans', given: { rows, columns, clusters } },
      data: { points: points.data },
      result: z.object({ inertia: z.number(), iterations: z.number() }),
    },
    check: ({ inertia, iterations }) => ({
      right: true,
      said: `${found.iterations} iterations, theirs ${iterations}; inertia ${(found.inertia / inertia).toFixed(4)}x`,
    }),
  })
}
