import type { IndexStats } from '../../types.ts'
import type { Memory } from './memory.ts'
import type { GemOptions } from './options.ts'

/** What the manifest and the page say of the memories: sums over documents, and the spectra (remarks 1 to 3). */
export function factsOf(memories: readonly Memory[], options: GemOptions): IndexStats {
  const nodes = memories.flatMap((memory) => memory.nodes)
  const chunks = nodes.filter(({ kind }) => kind === 'chunk')
  const few = (test: (questions: number) => boolean): number =>
    nodes.filter(({ questions }) => test(questions.length)).length
  const m = options.questions
  return {
    graphs: memories.length,
    chunks: chunks.length,
    summaries: nodes.length - chunks.length,
    questions: nodes.reduce((sum, { questions }) => sum + questions.length, 0),
    nodesWithoutQuestions: m === 0 ? 0 : few((count) => count === 0),
    nodesWithFewerQuestions: few((count) => count > 0 && count < m),
    nodesWithoutEdges: memories.reduce(
      (sum, { operator }) => sum + operator.degrees.filter((degree) => degree <= 0).length,
      0,
    ),
    nodesPerTheme: options.nodesPerTheme,
    form: [...new Set(memories.map(({ operator }) => operator.form))],
    solver: [...new Set(memories.map(({ pairs }) => pairs.solver))],
    unconverged: memories.filter(({ pairs }) => !pairs.converged).length,
    // one graph after the other, those of the largest alone where there are very many
    ...spectra(memories.length <= fewGraphs ? memories : largestOf(memories), options),
  }
}

const fewGraphs = 16

const largestOf = (memories: readonly Memory[]): readonly Memory[] =>
  [...memories].sort((a, b) => b.nodes.length - a.nodes.length).slice(0, 1)

/** The spectra of graphs, a value a graph. */
const spectra = (memories: readonly Memory[], options: GemOptions): IndexStats => ({
  trace: memories.map(({ operator }) => operator.trace),
  lambda: memories.map(({ operator }) => operator.squares()),
  themeEstimate: memories.map(({ pairs }) => themeEstimate(pairs.values, options) ?? 'none'),
  largestGap: memories.map(({ pairs }) => largestGap(pairs.values) ?? 'none'),
  asymmetryMax: memories.map(({ operator }) => operator.facts.asymmetryMax ?? 'not computed'),
  negativeShare: memories.map(({ operator }) => operator.facts.negativeShare ?? 'not computed'),
  eigenvalues: memories.flatMap(({ pairs }) => [...pairs.values]),
})

/** Remark 2: the first d >= 2 with beta_d near 1 and beta_d - beta_(d+1) > c, beta_i = lambda_i / lambda_1; null where there is none. */
export function themeEstimate(
  values: ArrayLike<number>,
  { themeMinBeta, themeGap }: Pick<GemOptions, 'themeMinBeta' | 'themeGap'>,
): number | null {
  const first = values[0] ?? 0
  const beta = (d: number): number => (values[d - 1] ?? 0) / first
  for (let d = 2; d < values.length; d++) {
    if (beta(d) >= themeMinBeta && beta(d) - beta(d + 1) > themeGap) return d
  }
  return null
}

/** The number of eigenvalues before the largest drop, the first pair (always 1) left out; null for fewer than three. */
export function largestGap(values: ArrayLike<number>): number | null {
  let found: number | null = null
  let largest = -Infinity
  for (let d = 2; d < values.length; d++) {
    const gap = (values[d - 1] ?? 0) - (values[d] ?? 0)
    if (gap > largest) {
      largest = gap
      found = d
    }
  }
  return found
}
