import { spectrumStats } from '../../math/spectrum/spectrum-stats.ts'
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
function spectra(memories: readonly Memory[], { themeMinBeta: minBeta, themeGap: c }: GemOptions): IndexStats {
  const stats = memories.map(({ operator, pairs }) => spectrumStats(operator, pairs.values, { minBeta, c }))
  return {
    trace: stats.map(({ trace }) => trace),
    Lambda: stats.map(({ Lambda }) => Lambda),
    themeEstimate: stats.map((one) => one.themeEstimate ?? 'none'),
    largestGapIndex: stats.map(({ largestGapIndex }) => largestGapIndex ?? 'none'),
    asymmetryMax: stats.map(({ asymmetryMax }) => asymmetryMax ?? 'not computed'),
    negativeShare: stats.map(({ negativeShare }) => negativeShare ?? 'not computed'),
    eigenvalues: memories.flatMap(({ pairs }) => [...pairs.values]),
  }
}
