import { nearestFound, noRecord } from '../../basics/metrics.ts'
import { mean as meanOf } from '../../math/statistics/descriptive.ts'
import type { IndexLine, Manifest, TrialLine } from '../../records.ts'
import type { ContextPassage, GraphHealth, Kind, Phase, Usage } from '../../types.ts'
import { graphSum, type SampledNames } from './graph-figures.ts'
import { counts, addUsage } from './usage.ts'

/** What a row's trials were like, whatever the scores. */
export interface RowSummary {
  readonly trials: number
  readonly failed: number
  /** Answered without a call, since nothing was retrieved or the first passage alone exceeded the budget. */
  readonly canned: number
  /** Of these, those where the first passage alone exceeded the budget; absent where there is none. */
  readonly unfitted?: number
  /** Multiple-choice replies that named no option. */
  readonly unreadable: number
  /** Multiple-choice replies as near to several options; the first of them was taken. */
  readonly tied: number
  /** Contexts cut at a token limit, of the budget or of the method. */
  readonly cutContexts: number
  /** Passages that call themselves chunks and carry words beside those that they quote; absent where there is none. */
  readonly around?: number
  /** Passages with characters that are not seen; absent where there is none. */
  readonly invisible?: number
  /** Means over the answered trials; null where there is none. */
  readonly passages: number | null
  readonly contextTokens: number | null
  /** What its indexes lost, by the method's words. */
  readonly warnings: Readonly<Record<string, number>>
  /** Trials that were answered otherwise than the method intends, by its reason. */
  readonly fallbacks: Readonly<Record<string, number>>
  /** Why trials failed. */
  readonly failures: Readonly<Record<string, number>>
  /** The same by the kind of the failure; absent where none failed. */
  readonly failureKinds?: Readonly<Record<string, number>>
  /** Calls at the index as the method's paper counts them; null where it counts as we do. */
  readonly paperCalls: number | null
  /**
   * Names that a model extracted for the index, and those that stand in the text they were taken from; absent where
   * none are checked.
   */
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
  /** Of a row without a context: the share of the questions with options that guessing answers right; absent without them. */
  readonly chance?: number
}

/** A store with versions; of an approximate search, what it found of the nearest passages, over the questions of a sample. */
export interface StoreSummary {
  readonly engine: string
  readonly found: number
  readonly of: number
  readonly questions: number
  readonly asked: number
}

/** A trial that failed and was not made good later. */
export interface FailedTrial {
  readonly methodId: string
  readonly question: string
  readonly cluster: string | undefined
  readonly kind: Kind
  readonly tags: readonly string[]
}

export interface Trials {
  /** By method id. */
  readonly rows: ReadonlyMap<string, RowSummary>
  readonly failures: readonly FailedTrial[]
  /** By method id and phase. */
  readonly usage: ReadonlyMap<string, Usage>
  /** Questions with evidence of which none stood in the context, in any repeat, with their clusters: by method id. */
  readonly blind: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>
  /** Pairs of rows that gave the same contexts to nearly all questions. */
  readonly sameContexts: readonly SameContexts[]
  /** The names that each row read in a sample of texts: by method id. */
  readonly names: (methodId: string) => readonly SampledNames[]
}

/** Two rows, by method id, that gave `same` of `of` questions the same passages, in the same order. */
export interface SameContexts {
  readonly rows: readonly [string, string]
  readonly same: number
  readonly of: number
}

/** Adds up the lines of trials.jsonl of the rows. A failure counts unless a later line made it good. */
export async function gatherTrials(manifest: Manifest, lines: AsyncIterable<IndexLine | TrialLine>): Promise<Trials> {
  const usage = new Map<string, Usage>()
  const spend = (methodId: string, phase: Phase, used: Usage): void => {
    const key = `${methodId} ${phase}`
    usage.set(key, addUsage(usage.get(key), used))
  }
  const sums = new Map(manifest.methods.map(({ id, context }) => [id, rowSum(context === 'none')]))
  const seeing = seeingOf(manifest)
  const contexts = contextsOf(manifest)
  const failed = new Map<string, IndexLine | TrialLine>()
  const settle = (line: IndexLine | TrialLine): void => {
    if (line.line === 'index') spend(line.methodId, 'index', line.usage)
    else {
      spend(line.methodId, 'retrieve', line.usage.retrieve)
      spend(line.methodId, 'answer', line.usage.answer)
    }
    sums.get(line.methodId)?.add(line)
  }
  for await (const line of lines) {
    if (!sums.has(line.methodId)) continue
    if (line.failure) failed.set(line.id, line)
    else {
      failed.delete(line.id)
      settle(line)
      if (line.line === 'trial') {
        seeing.add(line)
        contexts.add(line)
      }
    }
  }
  const remaining = [...failed.values()]
  remaining.forEach(settle)
  const failures = remaining.flatMap((line): FailedTrial[] => {
    if (line.line === 'index') return []
    const { id: question, cluster, reference, tags = [] } = line.question
    return [{ methodId: line.methodId, question, cluster, kind: reference.kind, tags }]
  })
  const rows = new Map([...sums].map(([id, sum]) => [id, sum.summary()]))
  return {
    rows,
    failures,
    usage,
    blind: seeing.blind(),
    sameContexts: contexts.same(),
    names: (id) => sums.get(id)?.names ?? [],
  }
}

/** Which questions a row answers with evidence in its context; reference rows without a context are left out. */
function seeingOf({ methods }: Pick<Manifest, 'methods'>): {
  add(line: TrialLine): void
  blind(): Trials['blind']
} {
  const asked = new Map(methods.flatMap(({ id, context }) => (context === 'none' ? [] : [[id, new Map()] as const])))
  const seen = new Map(methods.map(({ id }) => [id, new Set<string>()]))
  return {
    add({ methodId, question: { id, cluster }, evidence = [] }) {
      const places = evidence.flatMap((place) => ('absent' in place ? [] : [place.context]))
      if (places.some((held) => held !== 'none')) seen.get(methodId)?.add(id)
      else if (places.length > 0) asked.get(methodId)?.set(id, cluster)
    },
    blind: () =>
      new Map(
        Array.from(asked, ([row, questions]: readonly [string, Map<string, string | undefined>]) => [
          row,
          new Map([...questions].filter(([id]) => !seen.get(row)?.has(id))),
        ]),
      ),
  }
}

/**
 * Share of questions from which on two rows count as giving the same contexts, and the fewest questions that say so.
 */
const nearlyAll = 0.95
const fewest = 5

/** Compares the contexts of rows within the budget, of which a number a question is kept. */
function contextsOf({ methods }: Pick<Manifest, 'methods'>): {
  add(line: TrialLine): void
  same(): readonly SameContexts[]
} {
  const questions = new Map<string, number>()
  const rows = new Map(
    methods.flatMap(({ id, context }) => (context === undefined ? [[id, [] as number[]] as const] : [])),
  )
  return {
    add({ methodId, corpus, repeat, question, context }) {
      const row = rows.get(methodId)
      if (!row || context.length === 0) return
      const key = `${corpus}\n${repeat}\n${question.id}`
      const at = questions.get(key) ?? questions.size
      questions.set(key, at)
      row[at] = hash32(context.map(({ from, text }) => `${from.join(' ')} ${text.length}`).join('\n'))
    },
    same() {
      const ids = [...rows.keys()]
      return ids.flatMap((a, index) =>
        ids.slice(index + 1).flatMap((b) => {
          const [first = [], second = []] = [rows.get(a), rows.get(b)]
          const both = first.flatMap((hash, at) => (second[at] === undefined ? [] : [hash === second[at]]))
          const same = both.filter(Boolean).length
          return both.length >= fewest && same >= nearlyAll * both.length
            ? [{ rows: [a, b], same, of: both.length }]
            : []
        }),
      )
    },
  }
}

/** FNV-1a. */
function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

interface RowSum {
  readonly names: readonly SampledNames[]
  add(line: IndexLine | TrialLine): void
  summary(): RowSummary
}

/** The lines of one row, added up as they come. */
function rowSum(isBare = false): RowSum {
  const sum = { trials: 0, failed: 0, canned: 0, unreadable: 0, tied: 0, cutContexts: 0, passages: 0, tokens: 0 }
  let [unfitted, around, invisible] = [0, 0, 0]
  const found = { pieces: 0, cut: 0 }
  const chances: number[] = []
  const warnings = counts()
  const fallbacks = counts()
  const failures = counts()
  const failureKinds = counts()
  const indexes = { built: 0, corpora: 0 }
  let paperCalls: number | null = null
  let names: RowSummary['names']
  let engine: string | undefined
  const records = { held: 0, used: 0 }
  const nearest = { found: 0, of: 0, questions: 0, asked: 0 }
  const graphs = graphSum()
  const addIndex = (line: IndexLine): void => {
    const { warnings: lost = {}, stats, repeat } = line
    graphs.add(line)
    indexes.built++
    if (repeat === undefined) indexes.corpora++
    for (const [words, count] of Object.entries(lost)) warnings.add(words, count)
    const { namesChecked: checked, namesGrounded: grounded } = stats ?? {}
    if (typeof checked === 'number' && typeof grounded === 'number')
      names = { checked: checked + (names?.checked ?? 0), grounded: grounded + (names?.grounded ?? 0) }
    // a method that asks others says whose it is
    for (const [key, value] of Object.entries(stats ?? {}))
      if (/(^|: )store$/.test(key) && typeof value === 'string') engine = value
    // the file is the same for every corpus
    if (typeof stats?.['records'] === 'number') records.held = stats['records']
    const calls = stats?.['paperCalls']
    if (typeof calls === 'number') paperCalls = (paperCalls ?? 0) + calls
  }
  const addTrial = ({
    context,
    stopped,
    answer,
    failure,
    repeat,
    evidence = [],
    question: { reference },
  }: TrialLine): void => {
    sum.trials++
    for (const place of repeat === 0 ? evidence : []) {
      if ('absent' in place) continue
      found.pieces++
      found.cut += Number(place.cut ?? false)
    }
    if (isBare && reference.kind === 'choice') chances.push(1 / reference.options.length)
    const fallback = context[0]?.why?.['fallback']
    if (typeof fallback === 'string') fallbacks.add(fallback)
    if (repeat === 0 && failure?.message.includes(noRecord) !== true) records.used++
    if (repeat === 0 && !failure) {
      const said = context.map(({ why }) => why?.[nearestFound]).find((one) => typeof one === 'object')
      const [found, of] = said ?? []
      nearest.asked++
      if (typeof found === 'number' && typeof of === 'number') {
        nearest.questions++
        nearest.found += found
        nearest.of += of
      }
    }
    if (failure) {
      sum.failed++
      failures.add(failure.message)
      failureKinds.add(failure.kind)
      return
    }
    if (answer?.canned) {
      sum.canned++
      if (stopped !== 'end') unfitted++
    } else if (answer?.choice === null) sum.unreadable++
    if (answer?.tied) sum.tied++
    // without an answer the ranking is scored, wherever the context ends
    if (stopped === 'tokens' && answer) sum.cutContexts++
    around += context.filter(carriesMore).length
    invisible += context.filter(({ text }) => unseen.test(text)).length
    sum.passages += context.length
    sum.tokens += context.reduce((total, passage) => total + passage.tokens, 0)
  }
  return {
    names: graphs.sampled,
    add: (line) => (line.line === 'index' ? addIndex(line) : addTrial(line)),
    summary() {
      const { passages, tokens, ...kept } = sum
      const answered = sum.trials - sum.failed
      const mean = (total: number): number | null => (answered === 0 ? null : total / answered)
      const graph = graphs.summary()
      return {
        ...kept,
        ...(unfitted > 0 && { unfitted }),
        ...(around > 0 && { around }),
        ...(invisible > 0 && { invisible }),
        passages: mean(passages),
        contextTokens: mean(tokens),
        warnings: warnings.all(),
        fallbacks: fallbacks.all(),
        failures: failures.all(),
        ...(sum.failed > 0 && { failureKinds: failureKinds.all() }),
        paperCalls,
        ...(names && { names }),
        ...(graph && { graph }),
        ...(indexes.built > indexes.corpora && { indexes }),
        ...(found.pieces > 0 && { evidence: found }),
        ...(records.held > records.used && { unusedRecords: records.held - records.used }),
        ...(engine !== undefined && { store: { engine, ...nearest } }),
        ...(chances.length > 0 && { chance: meanOf(chances) }),
      }
    },
  }
}

/**
 * Whether a passage that calls itself a chunk is longer than what it quotes of documents, as with a title before it:
 * more than line breaks between its chunks make.
 */
function carriesMore({ kind, text, spans, from, derived }: ContextPassage): boolean {
  if (kind !== 'chunk') return false
  const quoted = derived ? 0 : spans.reduce((sum, { start, end }) => sum + end - start, 0)
  return text.length > quoted + 4 * from.length
}

/** Characters without width, marks of direction and tags, but for joiners and soft hyphens, which scripts need. */
const unseen = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Of a row without lines. */
export const emptyRow: RowSummary = rowSum().summary()
