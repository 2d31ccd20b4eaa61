import { nearestShare, noRecord } from '../../basics/metrics.ts'
import { mean as meanOf, sum as sumOf } from '../../math/statistics/descriptive.ts'
import type { IndexLine, TrialLine } from '../../records.ts'
import type { ContextPassage, GraphHealth } from '../../types.ts'
import { counts } from './usage.ts'

type Counter = (trial: TrialLine) => number

/** Counts over the answered trials of a row, by their fields in table.json: to add one is to add a line. */
const counters = {
  /** Answered without a call, since nothing was retrieved or the first passage alone exceeded the budget. */
  canned: ({ answer }) => Number(answer?.canned ?? false),
  /** Multiple-choice replies that named no option. */
  unreadable: ({ answer }) => Number(!answer?.canned && answer?.choice === null),
  /** Multiple-choice replies as near to several options; the first of them was taken. */
  tied: ({ answer }) => Number(answer?.tied ?? false),
  /** Contexts cut at a token limit, of the budget or of the method. Without an answer the ranking is scored. */
  cutContexts: ({ answer, stopped }) => Number(answer !== undefined && stopped === 'tokens'),
} satisfies Record<string, Counter>

/** The same, absent where they are 0. */
const rareCounters = {
  /** Of `canned`, those where the first passage alone exceeded the budget. */
  unfitted: ({ answer, stopped }) => Number((answer?.canned ?? false) && stopped !== 'end'),
  /** Passages that call themselves chunks and carry words beside those that they quote. */
  around: ({ context }) => context.filter(carriesMore).length,
  /** Passages with characters that are not seen. */
  invisible: ({ context }) => context.filter(({ text }) => unseen.test(text)).length,
} satisfies Record<string, Counter>

type Counts = Readonly<Record<keyof typeof counters, number>> &
  Readonly<Partial<Record<keyof typeof rareCounters, number>>>

/** What a row's trials were like, whatever the scores. */
export interface RowSummary extends Counts {
  readonly trials: number
  readonly failed: number
  /** Means over the answered trials; null where there is none. */
  readonly passages: number | null
  readonly contextTokens: number | null
  /** What its indexes lost, by the method's words. */
  readonly warnings: Readonly<Record<string, number>>
  /** The first text that could not be embedded, with the reason; absent where there is none. */
  readonly unembedded?: string
  /** Trials that were answered otherwise than the method intends, by its reason. */
  readonly fallbacks: Readonly<Record<string, number>>
  /** Why trials failed. */
  readonly failures: Readonly<Record<string, number>>
  /** The same by the kind of the failure; absent where none failed. */
  readonly failureKinds?: Readonly<Record<string, number>>
  /** Calls at the index as the method's paper counts them; null where it counts as we do. */
  readonly paperCalls: number | null
  /** Names that a model extracted, and those that stand in their text; absent where none are checked. */
  readonly names?: { readonly checked: number; readonly grounded: number }
  /** What is counted in its graphs: summed over corpora, of each the mean of its indexes; absent where it has none. */
  readonly graph?: GraphHealth
  /** Indexes built and their corpora; absent where every corpus has one index. */
  readonly indexes?: { readonly built: number; readonly corpora: number }
  /** Pieces of evidence of its questions, and those that no chunk holds whole; absent where there is none. */
  readonly evidence?: { readonly pieces: number; readonly cut: number }
  /** Records of the row's file that are of no question of the run; absent where there are none. */
  readonly unusedRecords?: number
  /** Where its vectors lie and how they are searched, where that is no memory of the run. */
  readonly store?: StoreSummary
  /** How many answers begin with a tag, by tag, of those that several begin with; absent where there is none. */
  readonly firstTags?: Readonly<Record<string, number>>
  /** Of a row without a context: the share of questions with options that guessing answers right. */
  readonly chance?: number
}

/** A store with versions; of an approximate search, what it found of the nearest passages in a sample. */
interface StoreSummary {
  readonly engine: string
  readonly found: number
  readonly of: number
  readonly questions: number
  readonly asked: number
}

interface RowSum {
  add(line: IndexLine | TrialLine): void
  summary(): RowSummary
}

/** `isBare`: of a row without a context. */
export function rowSum(isBare = false): RowSum {
  const [totals, warnings, fallbacks, failures] = [counts(), counts(), counts(), counts()]
  const [failureKinds, tags] = [counts(), counts()]
  const sum = { trials: 0, failed: 0, passages: 0, tokens: 0 }
  const indexes = { built: 0, corpora: 0 }
  const pieces = { pieces: 0, cut: 0 }
  const records = { held: 0, used: 0 }
  const nearest = { found: 0, of: 0, questions: 0, asked: 0 }
  const chances: number[] = []
  const graphs = new Map<string, GraphHealth[]>()
  let paperCalls: number | null = null
  let names: RowSummary['names']
  let engine: string | undefined
  let unembedded: string | undefined
  const addIndex = (line: IndexLine): void => {
    const { warnings: lost = {}, stats = {}, repeat, corpus, graph } = line
    if (graph) graphs.set(corpus, [...(graphs.get(corpus) ?? []), graph])
    indexes.built++
    if (repeat === undefined) indexes.corpora++
    for (const [words, count] of Object.entries(lost)) warnings.add(words, count)
    unembedded ??= line.unembedded?.[0]
    const { namesChecked: checked, namesGrounded: grounded, paperCalls: calls, records: held } = stats
    if (typeof checked === 'number' && typeof grounded === 'number')
      names = { checked: checked + (names?.checked ?? 0), grounded: grounded + (names?.grounded ?? 0) }
    // a method that asks others says whose it is
    for (const [key, value] of Object.entries(stats))
      if (/(^|: )store$/.test(key) && typeof value === 'string') engine = value
    // the file is the same for every corpus
    if (typeof held === 'number') records.held = held
    if (typeof calls === 'number') paperCalls = (paperCalls ?? 0) + calls
  }
  const addFirstRepeat = ({ context, failure, evidence = [] }: TrialLine): void => {
    for (const place of evidence) {
      if ('absent' in place) continue
      pieces.pieces++
      pieces.cut += Number(place.cut ?? false)
    }
    if (failure?.message.includes(noRecord) !== true) records.used++
    if (failure) return
    const [found, of] = context.map(({ why }) => why?.[nearestShare]).find((value) => typeof value === 'object') ?? []
    nearest.asked++
    if (typeof found !== 'number' || typeof of !== 'number') return
    nearest.questions++
    nearest.found += found
    nearest.of += of
  }
  const addTrial = (line: TrialLine): void => {
    const { context, answer, failure, repeat, question } = line
    sum.trials++
    if (repeat === 0) addFirstRepeat(line)
    if (isBare && question.reference.kind === 'choice') chances.push(1 / question.reference.options.length)
    const fallback = context[0]?.why?.['fallback']
    if (typeof fallback === 'string') fallbacks.add(fallback)
    if (failure) {
      sum.failed++
      failures.add(failure.message)
      failureKinds.add(failure.kind)
      return
    }
    for (const [field, of] of [...Object.entries(counters), ...Object.entries(rareCounters)])
      totals.add(field, of(line))
    const tag = firstTag.exec(answer?.text ?? '')?.[0]
    if (tag !== undefined) tags.add(tag.trim())
    sum.passages += context.length
    sum.tokens += context.reduce((total, passage) => total + passage.tokens, 0)
  }
  return {
    add: (line) => (line.line === 'index' ? addIndex(line) : addTrial(line)),
    summary() {
      const { trials, failed, passages, tokens } = sum
      const answered = trials - failed
      const mean = (total: number): number | null => (answered === 0 ? null : total / answered)
      const alike = Object.entries(tags.all()).filter(([, count]) => count > 1 && count >= leastAlike * answered)
      return {
        trials,
        failed,
        ...countsOf(totals.all()),
        passages: mean(passages),
        contextTokens: mean(tokens),
        warnings: warnings.all(),
        ...(unembedded !== undefined && { unembedded }),
        fallbacks: fallbacks.all(),
        failures: failures.all(),
        ...(failed > 0 && { failureKinds: failureKinds.all() }),
        paperCalls,
        ...(names && { names }),
        ...(graphs.size > 0 && { graph: graphTotal([...graphs.values()]) }),
        ...(indexes.built > indexes.corpora && { indexes }),
        ...(pieces.pieces > 0 && { evidence: pieces }),
        ...(records.held > records.used && { unusedRecords: records.held - records.used }),
        ...(engine !== undefined && { store: { engine, ...nearest } }),
        ...(alike.length > 0 && { firstTags: Object.fromEntries(alike) }),
        ...(chances.length > 0 && { chance: meanOf(chances) }),
      }
    },
  }
}

/** The counts in their order, rare ones where they are above 0. */
function countsOf(totals: Readonly<Record<string, number>>): Counts {
  const common = Object.keys(counters).map((field) => [field, totals[field] ?? 0])
  const rare = Object.keys(rareCounters).flatMap((field) => (totals[field] ? [[field, totals[field]]] : []))
  return Object.fromEntries([...common, ...rare]) as Counts
}

/** Adds up graphs over corpora, for each the mean of its repeats. */
function graphTotal(corpora: readonly (readonly GraphHealth[])[]): GraphHealth {
  const total = (field: keyof GraphHealth): number =>
    sumOf(corpora.map((graphs) => meanOf(graphs.map((graph) => graph[field] ?? NaN))))
  const isWhole = corpora.flat().every(({ components }) => components !== null)
  return {
    nodes: total('nodes'),
    edges: total('edges'),
    components: isWhole ? total('components') : null,
    largest: isWhole ? total('largest') : null,
  }
}

/** Share of the answers of a row from which on a tag that they begin with is reported. */
const leastAlike = 0.1

/** A tag of any model at the beginning of an answer: `<a>`, `<|a|>`, `[A_B]`, `◁a▷`. */
const firstTag = /^\s*(?:<[^\s<>][^<>]{0,60}>|\[[A-Z_]{3,40}\]|◁[^◁▷]{1,40}▷)/u

/** Whether a chunk is longer than its quotes, as with a title before it: more than line breaks between chunks make. */
function carriesMore({ kind, text, spans, from, derived }: ContextPassage): boolean {
  if (kind !== 'chunk') return false
  const quoted = derived ? 0 : spans.reduce((sum, { start, end }) => sum + end - start, 0)
  return text.length > quoted + 4 * from.length
}

/** Characters without width, marks of direction and tags, but for joiners and soft hyphens, which scripts need. */
const unseen = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Of a row without lines. */
export const emptyRow: RowSummary = rowSum().summary()
