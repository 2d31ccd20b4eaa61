import { cpus, platform, totalmem } from 'node:os'
import { z } from 'zod'
import { small, type BenchRow } from '../row.ts'

/** Chunks of the indexes that are measured. */
export const sizes: readonly number[] = small ? [12] : [100, 1000, 10_000]
/** What a process printed. */
export const measurement = z.object({
  seconds: z.number(),
  own: z.number(),
  question: z.number(),
  base: z.number(),
  peak: z.number(),
  calls: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
})

/** Processor seconds of the index, of the method's own part and of the first question, megabytes, and calls. */
export type Measured = z.infer<typeof measurement> | { readonly failed: string }

/** A method at every size. */
export interface Growth {
  readonly method: string
  readonly bySize: readonly Measured[]
}

/** What a process may hold at most, in megabytes. */
const most = 2000
/** Above this exponent the page says why. */
const steep = 1.3

type Done = Exclude<Measured, { readonly failed: string }>

/** Columns that grow: their values, and the least that can be told from noise. */
const columns: Readonly<Record<string, { readonly of: (item: Done) => number; readonly least: number }>> = {
  'index, s': { of: ({ seconds }) => seconds, least: 0.02 },
  'its own part, s': { of: ({ own: part }) => part, least: 0.02 },
  'first question, s': { of: ({ question }) => question, least: 0.02 },
  'memory beyond the base, MB': { of: ({ base, peak }) => peak - base, least: 5 },
  calls: { of: ({ calls }) => calls, least: 1 },
}

const isDone = (item: Measured | undefined): item is Done => item !== undefined && !('failed' in item)
const formatValue = (value: number): string =>
  value > 0 && value < 0.005
    ? '< 0.01'
    : value.toLocaleString('en-US', { maximumFractionDigits: value < 1 ? 2 : value < 20 ? 1 : 0 })

function exponentsOf({ bySize }: Growth, { of, least }: (typeof columns)[string]) {
  const points = bySize.flatMap((item, place) => (isDone(item) ? [{ size: sizes[place] ?? 0, value: of(item) }] : []))
  return exponents(
    points.map(({ size }) => size),
    points.map(({ value }) => value),
    least,
  )
}

/** The columns in which a method grows faster than n^1.3, over all sizes or from the last but one to the last. */
const steepColumns = (growth: Growth): readonly string[] =>
  Object.entries(columns).flatMap(([name, column]) => {
    const exponentPair = exponentsOf(growth, column)
    return exponentPair && Math.max(exponentPair.all, exponentPair.last) > steep ? [name] : []
  })

/** The row of a method: met where every size was done, the last within the memory, and what is steep has its reason. */
export function growthRow(growth: Growth): BenchRow {
  const last = growth.bySize.at(-1)
  const failures = growth.bySize.flatMap((item) => (isDone(item) ? [] : [item.failed]))
  const unexplainedColumns = growsFaster[growth.method] === undefined ? steepColumns(growth) : []
  const exponent = exponentsOf(growth, columns['index, s']!)
  const notes = [
    ...failures,
    ...unexplainedColumns.map((name) => `${name}: grows faster than n^${steep}, and nothing says why`),
  ]
  const size = (sizes.at(-1) ?? 0).toLocaleString('en-US')
  return {
    name: `growth ${growth.method}, ${size} chunks`,
    figure: isDone(last)
      ? `${formatValue(last.seconds)} s${exponent ? ` (n^${exponent.all.toFixed(2)})` : ''}, ${formatValue(last.peak)} MB, ${formatValue(last.calls)} calls`
      : (last?.failed ?? 'not measured'),
    goal: `< ${most} MB`,
    met: isDone(last) && last.peak < most && notes.length === 0,
    ...(notes.length > 0 && { note: notes.join('; ') }),
  }
}

/** GROWTH.md. */
export function growthPage(all: readonly Growth[]): string {
  const [first, ...rest] = sizes.map((size) => size.toLocaleString('en-US'))
  const head = ['method', ...Object.keys(columns), 'most resident memory, MB']
  const rows = all.map((growth) => [
    `\`${growth.method}\``,
    ...Object.values(columns).map((column) => cellOf(growth, column)),
    growth.bySize.map((item) => (isDone(item) ? formatValue(item.peak) : item.failed)).join(' / '),
  ])
  const steepMethods = all.filter((growth) => steepColumns(growth).length > 0)
  const reasons = steepMethods.map(
    (growth) =>
      `- \`${growth.method}\` (${steepColumns(growth).join('; ')}): ${growsFaster[growth.method] ?? 'not known.'}`,
  )
  return `# How the cost of an index grows

Written by \`npm run bench growth\`, which takes about ten minutes on a quiet machine; \`npm run bench\` leaves it out.

One made-up document of ${first}, ${rest.join(' and ')} chunks of 100 tokens in which names recur as words do in a language, every method with the
options that hold by default, each size in a process of its own, from the compiled package. Replies are those of the offline provider;
embeddings are sums of a random direction for each word (384 dimensions) in place of an embedder's. Seconds are the processor's, all threads
together: of the whole index with the provider's replies and the embeddings, and without them (its own part: also the rendering, counting and
reading of calls). The first question is asked of the finished index. Memory is the most that was resident, base and all; the base is what the
process had after an index of 20 chunks. Calls are to a language model.

In each cell the sizes in order; n^e is fitted by least squares to the logarithms of all sizes, in brackets from the last but one to the last.
What is too small to tell has none. \`command\` is not here: its index is a program of the user's.

Machine: ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'not known'}), ${Math.round(totalmem() / 1024 ** 3)} GB, ${platform()}, Node ${process.version}.

<!-- prettier-ignore -->
${[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')}

## Steeper than n^${steep}

${reasons.length > 0 ? reasons.join('\n') : 'None.'}
`
}

function cellOf(growth: Growth, column: (typeof columns)[string]): string {
  const values = growth.bySize.map((item) => (isDone(item) ? formatValue(column.of(item)) : '–')).join(' / ')
  const results = exponentsOf(growth, column)
  return results ? `${values}; n^${results.all.toFixed(2)} (${results.last.toFixed(2)})` : values
}

/**
 * The exponent e of y = c · n^e by least squares of log y on log n, of all sizes and of the last two alone; undefined
 * where fewer than two measurements reach `least`, below which they are noise.
 */
export function exponents(
  sizes: readonly number[],
  values: readonly number[],
  least: number,
): { readonly all: number; readonly last: number } | undefined {
  const points = sizes.flatMap((size, place) => {
    const value = values[place] ?? 0
    return value >= least ? [{ x: Math.log(size), y: Math.log(value) }] : []
  })
  return points.length < 2 ? undefined : { all: slope(points), last: slope(points.slice(-2)) }
}

function slope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const mean = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2)
}

const synonyms =
  'Synonyms are exact, as in the paper: every two phrases are compared once, in 8 bits and, where these cannot tell, in 64, in memory that grows with the phrases alone. There is no size from which on they are not.'

const descriptions =
  'Names that recur gather descriptions: of 1,000 chunks 38 are long enough to be rewritten, of 10,000 chunks 642, each shown to the model whole. From `maxDescriptionTokens` (31,129) on a description is cut, and its prompt grows no more.'

/** Why the cost of a method grows faster than its chunks, and from which size on it does what does not. */
const growsFaster: Readonly<Record<string, string>> = {
  'gem-rag':
    'The graph of similarities is complete: every two chunks are compared, for the negative weights that are clamped. Up to 300 chunks all weights are stored and solved densely, up to 4,000 where one is negative they are stored; above, eigenvectors come from the factors of the matrix, whose memory grows with the chunks, and a list of the negative weights of at most 1 GB.',
  raptor:
    "UMAP's nearest neighbours are exact: every two nodes of a layer are compared, 64 rows at a time; and of n nodes each has sqrt(n - 1) neighbours, as in the reference, up to 10,001 nodes: from there on it has 100, and the graph grows with the nodes. `reducer: pca` compares no pairs.",
  unweaver: descriptions,
  'unweaver-ppr': descriptions,
  hipporag: synonyms,
  hipporag2: synonyms,
}
