import { groupBy } from '../../basics/collections.ts'
import { nearestShare } from '../../basics/metrics.ts'
import { mean as meanOf, sum as sumOf } from '../../math/statistics/descriptive.ts'
import type { IndexLine, TrialLine } from '../../records.ts'
import type { ContextPassage, GraphHealth } from '../../types.ts'
import { counts } from './usage.ts'

type Counter = (trial: TrialLine) => number

/** Counters over answered trials, by their field in table.json. To add one, add a line. */
const counters = {
  /** Answered without a model call: nothing was retrieved, or the first passage exceeds the budget. */
  canned: ({ answer }) => Number(answer?.canned ?? false),
  /** Multiple-choice replies without an option. */
  unreadable: ({ answer }) => Number(!answer?.canned && answer?.choice === null),
  /** Multiple-choice replies equally close to several options; the first one counts. */
  tied: ({ answer }) => Number(answer?.tied ?? false),
  /** Contexts cut off at a token limit of the budget or the method. */
  cutContexts: ({ answer, stopped }) => Number(answer !== undefined && stopped === 'tokens'),
  /** Of `canned`: the first passage exceeds the budget. */
  unfitted: ({ answer, stopped }) => Number((answer?.canned ?? false) && stopped !== 'end'),
  /** Passages of kind chunk with text beyond their quotes. */
  around: ({ context }) => context.filter(carriesMore).length,
  /** Passages with invisible characters. */
  invisible: ({ context }) => context.filter(({ text }) => unseen.test(text)).length,
} satisfies Record<string, Counter>

/** Trials of a row, independent of scores. */
export type RowSummary = ReturnType<ReturnType<typeof rowSum>['summary']>

/** Sums the lines of a row. */
export function rowSum() {
  const totals = counts()
  const warnings = counts()
  const fallbacks = counts()
  const failures = counts()
  const stats = counts()
  const agent = agentSum()
  const sum = { trials: 0, failed: 0, passages: 0, tokens: 0, built: 0, corpora: 0 }
  const nearest = { found: 0, of: 0, questions: 0, asked: 0 }
  const chances: number[] = []
  const graphs: (readonly [corpus: string, graph: GraphHealth])[] = []
  let engine: string | undefined
  let unembedded: string | undefined
  const addIndex = (line: IndexLine): void => {
    if (line.graph) graphs.push([line.corpus, line.graph])
    sum.built++
    if (line.repeat === undefined) sum.corpora++
    for (const [words, count] of Object.entries(line.warnings ?? {})) warnings.add(words, count)
    unembedded ??= line.unembedded?.[0]
    for (const [key, value] of Object.entries(line.stats ?? {})) {
      if (typeof value === 'number') stats.add(key, value)
      // the key has a prefix where one method wraps another
      if (typeof value === 'string' && /(^|: )store$/.test(key)) engine = value
    }
  }
  const addFirstRepeat = ({ context, failure }: TrialLine): void => {
    if (failure) return
    nearest.asked++
    const shares = context.map(({ why }) => why?.[nearestShare])
    const [matches, of] = shares.find((value) => typeof value === 'object') ?? []
    if (typeof matches !== 'number' || typeof of !== 'number') return
    nearest.questions++
    nearest.found += matches
    nearest.of += of
  }
  const addTrial = (line: TrialLine): void => {
    const { context, failure, repeat, question } = line
    sum.trials++
    if (repeat === 0) addFirstRepeat(line)
    if (question.reference.kind === 'choice') chances.push(1 / question.reference.options.length)
    const fallback = context[0]?.why?.['fallback']
    if (typeof fallback === 'string') fallbacks.add(fallback)
    if (failure) {
      sum.failed++
      failures.add(failure.message)
      return
    }
    agent.add(line)
    for (const [field, of] of Object.entries(counters)) totals.add(field, of(line))
    sum.passages += context.length
    sum.tokens += sumOf(context.map(({ tokens }) => tokens))
  }
  return {
    add: (line: IndexLine | TrialLine): void => (line.line === 'index' ? addIndex(line) : addTrial(line)),
    summary() {
      const { trials, failed, passages, tokens, built, corpora } = sum
      const mean = (total: number) => (trials === failed ? null : total / (trials - failed))
      const agentSummary = agent.summary()
      const { namesChecked: checked, namesGrounded: grounded } = stats.all()
      return {
        trials,
        failed,
        ...countsOf(totals.all()),
        // means over answered trials
        passages: mean(passages),
        contextTokens: mean(tokens),
        warnings: warnings.all(),
        // the first text that could not be embedded, and why
        ...(unembedded !== undefined && { unembedded }),
        // trials that used a fallback of the method, and failed ones, by reason
        fallbacks: fallbacks.all(),
        failures: failures.all(),
        // extracted names, and those that occur in the source text
        ...(checked !== undefined && grounded !== undefined && { names: { checked, grounded } }),
        ...(agentSummary && { agent: agentSummary }),
        ...(graphs.length > 0 && { graph: graphTotal(graphs) }),
        // where a corpus has several indexes
        ...(built > corpora && { indexes: { built, corpora } }),
        // an external vector store, and the sampled recall of its search
        ...(engine !== undefined && { store: { engine, ...nearest } }),
        // accuracy of guessing
        ...(chances.length > 0 && { chance: meanOf(chances) }),
      }
    },
  }
}

export const emptyRow = rowSum().summary()

/** In declaration order. */
function countsOf(totals: Readonly<Record<string, number>>) {
  const entries = Object.keys(counters).map((field) => [field, totals[field] ?? 0])
  return Object.fromEntries(entries) as Readonly<Record<keyof typeof counters, number>>
}

/** Sum over corpora of the mean over repeats. */
function graphTotal(graphs: readonly (readonly [corpus: string, graph: GraphHealth])[]): GraphHealth {
  const corpora = [...groupBy(graphs, ([corpus]) => corpus).values()]
  const total = (field: keyof GraphHealth) => {
    const countsOfRepeats = corpora.map((ofCorpus) => ofCorpus.map(([, graph]) => graph[field] ?? NaN))
    return sumOf(countsOfRepeats.map(meanOf))
  }
  const isWhole = graphs.every(([, { components }]) => components !== null)
  return {
    nodes: total('nodes'),
    edges: total('edges'),
    components: isWhole ? total('components') : null,
    largest: isWhole ? total('largest') : null,
  }
}

/** Whether a chunk is longer than its quotes by more than the separators between chunks. */
function carriesMore({ kind, text, spans, from, derived }: ContextPassage) {
  if (kind !== 'chunk') return false
  const quotedLength = derived ? 0 : spans.reduce((sum, { start, end }) => sum + end - start, 0)
  return text.length > quotedLength + 4 * from.length
}

/** Zero-width characters, direction marks and tags; joiners and soft hyphens are legitimate. */
const unseen = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/**
 * Means over the questions for which an agent saw a passage, by the trace of the first passage; undefined for other
 * methods.
 */
function agentSum() {
  const totals = counts()
  const stops = counts()
  const recalls: { readonly byTurn: readonly number[]; readonly inContext: number }[] = []
  return {
    add({ context, beyond = [], question: { evidence = [] } }: TrialLine): void {
      const { stopped, queries, 'turns of passages': turns, ...why } = context[0]?.why ?? {}
      if (typeof stopped !== 'string' || !Array.isArray(turns) || !Array.isArray(queries)) return
      stops.add(stopped)
      totals.add('questions')
      totals.add('searches', queries.length)
      totals.add('passages', turns.length)
      for (const field of tracedCounts) totals.add(field, Number(why[field]))
      if (evidence.length === 0) return
      const places = [...context, ...beyond]
      const recallOf = (isCounted: (rank: number) => boolean) => {
        const passages = places.filter((_, rank) => isCounted(rank))
        const pieces = new Set(passages.flatMap((passage) => passage.evidence ?? []))
        return pieces.size / evidence.length
      }
      recalls.push({
        byTurn: queries.map((_, at) => recallOf((rank) => Number(turns[rank]) <= at + 1)),
        inContext: recallOf((rank) => rank < context.length),
      })
    },
    summary() {
      const { questions, searches = 0, passages = 0, ...sums } = totals.all()
      if (questions === undefined) return undefined
      const perQuestion = (total = 0) => total / questions
      const turns = Math.max(0, ...recalls.map(({ byTurn }) => byTurn.length))
      return {
        questions,
        calls: perQuestion(sums['calls']),
        searches: perQuestion(searches),
        repeated: perQuestion(sums['repeated']),
        malformed: perQuestion(sums['malformed']),
        observedTokens: perQuestion(sums['observedTokens']),
        newPassagesPerSearch: passages / Math.max(1, searches),
        // questions by the reason why the agent stopped
        stops: stops.all(),
        // recall of the evidence among all passages seen after turn 1, 2, …; it stays after the last search
        recallByTurn: Array.from({ length: turns }, (_, at) =>
          meanOf(recalls.map(({ byTurn }) => byTurn[Math.min(at, byTurn.length - 1)] ?? 0)),
        ),
        // less, where the budget cut passages
        contextRecall: recalls.length > 0 ? meanOf(recalls.map(({ inContext }) => inContext)) : null,
      }
    },
  }
}

const tracedCounts = ['calls', 'repeated', 'malformed', 'observedTokens']
