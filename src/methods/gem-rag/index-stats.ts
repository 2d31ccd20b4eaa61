import type { IndexStats } from '../../types.ts'
import type { Memory } from './memory.ts'
import { nodesPerTheme, type GemOptions } from './options.ts'
import { remarksOn } from './themes.ts'

/** What the manifest and the page say of the memories: sums over documents, and the spectra (remarks 1 to 3). */
export function statsOf(memories: readonly Memory[], options: GemOptions): IndexStats {
  const {
    chunks,
    summaries,
    questions,
    echoesDropped,
    nodesWithoutEdges: isolated,
    smallGraphs: _,
    summariesOfOne: _one,
    ...lost
  } = countsOf(memories, options)
  const nodes = memories.flatMap((memory) => memory.nodes)
  const spectra = memories.flatMap(({ spectrum }) => spectrum ?? [])
  const kept = negativesKept(memories)
  return {
    graphs: memories.length,
    chunks,
    summaries,
    questions,
    ...lost,
    ...(echoesDropped > 0 && { echoesDropped }),
    nodesWithoutEdges: spectra.length < memories.length ? 'not computed' : isolated,
    nodesPerTheme,
    themesWithFewerNodes: nodes.filter(({ theme }) => theme && theme.members.length < nodesPerTheme).length,
    questionsEmbeddedAs: nodes.some((node) => node.questions.some(({ raw, asDocument }) => raw !== asDocument))
      ? ['query', 'document']
      : ['query'],
    form: [...new Set(spectra.map(({ graph }) => graph.form))],
    ...(kept > 0 && { negatives: 'keep (fast path)', graphsWithNegativesKept: kept }),
    solver: [...new Set(spectra.map(({ pairs }) => pairs.solver))],
    ...spectraOf(memories),
  }
}

/** What is not as the options ask for, in words. */
export function warningsOf(memories: readonly Memory[], options: GemOptions): Readonly<Record<string, number>> {
  const lost = countsOf(memories, options)
  return {
    [`graphs of fewer than 3 nodes${remedy}`]: lost.smallGraphs,
    [`nodes without an edge${remedy}`]: lost.nodesWithoutEdges,
    [`summaries of one chunk${remedy}`]: lost.summariesOfOne,
    'extractions dropped, because they repeat the example in the prompt': lost.echoesDropped,
    'nodes without questions': lost.nodesWithoutQuestions,
    'nodes with fewer questions than the option asks for': lost.nodesWithFewerQuestions,
    'summaries that could not be read or were refused': lost.summariesUnread,
    'summaries cut at 100 tokens': lost.summariesCut,
    'themes fewer than asked for': lost.componentsCut,
    'graphs whose eigenvectors did not converge': lost.unconverged,
    'graphs with negative weights kept, because clamping them takes too much memory': negativesKept(memories),
  }
}

const remedy = ' (set scope: corpus, or a smaller chunks.size)'

const negativesKept = (memories: readonly Memory[]): number =>
  memories.filter(({ spectrum }) => spectrum?.graph.form === 'unclamped').length

function countsOf(memories: readonly Memory[], options: GemOptions) {
  const { questions: m } = options
  const nodes = memories.flatMap((memory) => memory.nodes)
  const chunks = nodes.filter(({ kind }) => kind === 'chunk').length
  return {
    chunks,
    summaries: nodes.length - chunks,
    questions: sum(nodes, ({ questions }) => questions.length),
    nodesWithoutQuestions: m === 0 ? 0 : nodes.filter(({ questions }) => questions.length === 0).length,
    nodesWithFewerQuestions: nodes.filter(({ questions }) => questions.length > 0 && questions.length < m).length,
    echoesDropped: sum(nodes, ({ echoes = 0 }) => echoes),
    smallGraphs: memories.filter(({ nodes: own }) => own.filter(({ kind }) => kind === 'chunk').length < 3).length,
    nodesWithoutEdges: sum(memories, ({ spectrum }) =>
      spectrum ? spectrum.graph.degrees.filter((degree) => degree <= 0).length : 0,
    ),
    summariesOfOne: nodes.filter(({ theme }) => theme?.members.length === 1).length,
    summariesUnread: sum(memories, ({ unreadSummaries }) => unreadSummaries),
    summariesCut: sum(memories, ({ cutSummaries }) => cutSummaries),
    componentsCut: sum(memories, (memory) => options.components - memory.components),
    unconverged: memories.filter(({ spectrum }) => spectrum?.pairs.converged === false).length,
  }
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0)

const fewGraphs = 16

/** The spectra of the graphs, a value a graph; of the largest alone where there are very many. */
function spectraOf(memories: readonly Memory[]): IndexStats {
  const shown = memories.length <= fewGraphs ? memories : largestOf(memories)
  const stats = shown.map(({ spectrum }) => spectrum && remarksOn(spectrum))
  const eigenvalues = shown.map(({ spectrum }) => [...(spectrum?.pairs.values ?? [])])
  return {
    spectraOf: shown.length < memories.length ? 'the largest graph' : 'every graph',
    trace: stats.map((one) => one?.trace ?? 'not computed'),
    Lambda: stats.map((one) => one?.Lambda ?? 'not computed'),
    themeEstimate: stats.map((one) => (one ? told(one.themeEstimate) : 'not computed')),
    largestGapIndex: stats.map((one) => (one ? told(one.largestGapIndex) : 'not computed')),
    asymmetryMax: stats.map((one) => one?.asymmetryMax ?? 'not computed'),
    negativeShare: stats.map((one) => one?.negativeShare ?? 'not computed'),
    // one graph after the other
    eigenvaluesPerGraph: eigenvalues.map((values) => values.length),
    eigenvalues: eigenvalues.flat(),
  }
}

const largestOf = (memories: readonly Memory[]): readonly Memory[] =>
  [...memories].sort((a, b) => b.nodes.length - a.nodes.length).slice(0, 1)

const told = (count: number | null | undefined): number | string =>
  count === undefined ? 'not certain' : (count ?? 'none')
