import type { KeyedCalls, IndexLine, Manifest, MethodRecord, TrialLine } from '../../records.ts'
import { canonicalJson, sha256 } from '../../text/hash.ts'
import { runOfRow } from '../synthetic.ts'

const dropKey = 'dataset.drop'

/**
 * Completions, their tokens, and embedded tokens, each once. `seconds`: by the time of the index; absent if untimed.
 */
interface Spent {
  readonly calls: number
  readonly tokens: number
  readonly embeddedTokens: number
  readonly seconds?: number
}

/** Seconds that the calls of a row's index took when they were made, now or in an earlier run. */
export interface IndexTime {
  readonly completing: number
  readonly embedding: number
}

/** Trials of both runs that can be compared, and those of which something holds. */
interface Share {
  readonly count: number
  readonly of: number
}

/**
 * What a row's index asks again as documents come in: its set of calls against that of the run of a series over
 * `dataset.drop` with the next fewer documents, so order and cache change nothing. Single calls have no time: seconds
 * are shares of the index's time, by tokens of completions and of embeddings.
 */
export interface OneMore {
  /** Documents that the row's run has and the smaller one has not, all corpora together. */
  readonly documents: number
  /** What the index asked that the smaller run's did not; null where an index failed or its calls are unknown. */
  readonly again: Spent | null
  /** What it asked in all: what building it from nothing takes. */
  readonly whole: Spent | null
  /** Contexts and answers that differ, of trials that failed in neither run and whose evidence both corpora hold. */
  readonly contexts: Share
  /** Of these contexts, those that hold no text of a document that came in. */
  readonly withoutNew: Share
  readonly answers: Share
}

/** A row of such a series. `quoted`: contexts with a sentence of documents left out alone; absent where none is. */
export interface DroppedRow {
  readonly oneMore?: OneMore
  readonly quoted?: Share
}

/** By the rows of the manifest; undefined where no series varies `dataset.drop`. Reads the lines once. */
export async function oneMoreOf(
  manifest: Manifest,
  lines: () => AsyncIterable<IndexLine | TrialLine>,
  timeOf: (row: MethodRecord) => IndexTime | undefined = () => undefined,
): Promise<readonly DroppedRow[] | undefined> {
  if (!manifest.series?.varied.includes(dropKey)) return undefined
  const seen = new Map(manifest.methods.map((row) => [row.id, seenOf(droppedIn(manifest, row))]))
  for await (const line of lines()) {
    const own = seen.get(line.methodId)
    if (own && line.line === 'index') own.indexes.set(line.id, line)
    else if (own && line.line === 'trial') noteTrial(own, line)
  }
  return manifest.methods.map((row): DroppedRow => {
    const own = seen.get(row.id)
    const next = smallerRow(manifest, row)
    const smaller = next && seen.get(next.id)
    return {
      ...(own && own.dropped.size > 0 && { quoted: { count: own.quoted.size, of: own.contexts.size } }),
      ...(own && smaller && { oneMore: compared(own, smaller, timeOf(row)) }),
    }
  })
}

type Dropped = ReadonlyMap<string, ReadonlySet<string>>

/** The documents that a row's run leaves out, by corpus; no corpus where it leaves out none. */
function droppedIn(manifest: Manifest, row: MethodRecord): Dropped {
  const { dropped = {} } = runOfRow(manifest, row).dataset
  return new Map(Object.entries(dropped).flatMap(([corpus, ids]) => (ids.length > 0 ? [[corpus, new Set(ids)]] : [])))
}

const countOf = (dropped: Dropped): number => [...dropped.values()].reduce((sum, { size }) => sum + size, 0)

/** The same row in the run that leaves out the next larger number of documents, and is else the same. */
function smallerRow(manifest: Manifest, row: MethodRecord): MethodRecord | undefined {
  const others = ({ method, varied = [] }: MethodRecord): string =>
    canonicalJson([method, varied.filter(({ option }) => option !== dropKey)])
  const size = countOf(droppedIn(manifest, row))
  return manifest.methods
    .filter((one) => others(one) === others(row) && countOf(droppedIn(manifest, one)) > size)
    .sort((a, b) => countOf(droppedIn(manifest, a)) - countOf(droppedIn(manifest, b)))[0]
}

/** What is kept of a row's lines; of two lines of one id the last counts. Trials by question and repeat. */
interface Seen {
  readonly dropped: Dropped
  readonly indexes: Map<string, IndexLine>
  readonly contexts: Map<string, SeenTrial>
  readonly quoted: Set<string>
}

interface SeenTrial {
  readonly corpus: string
  readonly context: string
  /** Undefined where no answer is asked for. */
  readonly answer: string | undefined
  readonly evidence: readonly string[]
  readonly sources: ReadonlySet<string>
}

const seenOf = (dropped: Dropped): Seen => ({ dropped, indexes: new Map(), contexts: new Map(), quoted: new Set() })

function noteTrial({ contexts, quoted }: Seen, { question, repeat, failure, ...line }: TrialLine): void {
  const key = `${repeat} ${question.id}`
  contexts.delete(key)
  quoted.delete(key)
  if (failure) return
  if (line.deleted) quoted.add(key)
  contexts.set(key, {
    corpus: line.corpus,
    context: sha256(canonicalJson(line.context.map(({ text }) => text))),
    answer: line.answer?.text,
    evidence: (question.evidence ?? []).map(({ documentId }) => documentId),
    sources: new Set(
      line.context.flatMap(({ spans, documents }) => [...documents, ...spans.map((one) => one.documentId)]),
    ),
  })
}

function compared(larger: Seen, smaller: Seen, time: IndexTime | undefined): OneMore {
  const isNew = (corpus: string, id: string): boolean =>
    smaller.dropped.get(corpus)?.has(id) === true && larger.dropped.get(corpus)?.has(id) !== true
  const isGone = (corpus: string, id: string): boolean => smaller.dropped.get(corpus)?.has(id) === true
  const pairs = [...larger.contexts].flatMap(([key, own]) => {
    const other = smaller.contexts.get(key)
    const isKept = own.evidence.length > 0 && !own.evidence.some((id) => isGone(own.corpus, id))
    return other && isKept ? [{ own, other }] : []
  })
  const changed = pairs.filter(({ own, other }) => own.context !== other.context)
  const answered = pairs.filter(({ own, other }) => own.answer !== undefined && other.answer !== undefined)
  const share = (found: readonly unknown[]): Share => ({ count: found.length, of: pairs.length })
  const asked = callsOf(larger, smaller)
  const before = callsOf(smaller, larger)
  const whole = asked && sumOf(Object.values(asked))
  const again = before && asked && sumOf(Object.entries(asked).flatMap(([key, one]) => (key in before ? [] : [one])))
  return {
    documents: countOf(smaller.dropped) - countOf(larger.dropped),
    again: again && whole ? timed(again, whole, time) : null,
    whole: whole ? timed(whole, whole, time) : null,
    contexts: share(changed),
    withoutNew: share(changed.filter(({ own }) => ![...own.sources].some((id) => isNew(own.corpus, id)))),
    answers: { count: answered.filter(({ own, other }) => own.answer !== other.answer).length, of: answered.length },
  }
}

/** The calls of all indexes of a row; undefined where one failed or does not say, or a corpus of the other has none. */
function callsOf({ indexes }: Seen, other: Seen): KeyedCalls | undefined {
  const all = [...indexes.values()]
  const corpora = new Set(all.map(({ corpus }) => corpus))
  if ([...other.indexes.values()].some(({ corpus }) => !corpora.has(corpus))) return undefined
  if (all.length === 0 || all.some(({ failure, calls }) => failure ?? !calls)) return undefined
  return Object.assign({}, ...all.map(({ calls }) => calls)) as KeyedCalls
}

function sumOf(calls: readonly KeyedCalls[string][]): Spent {
  const sum = (place: 0 | 1 | 2): number => calls.reduce((total, spent) => total + spent[place], 0)
  return { calls: sum(0), tokens: sum(1), embeddedTokens: sum(2) }
}

/** The same with its seconds: of the whole time, completions by their tokens and embeddings by theirs. */
function timed(part: Spent, whole: Spent, time: IndexTime | undefined): Spent {
  if (!time || time.completing + time.embedding === 0) return part
  const share = (field: 'tokens' | 'embeddedTokens'): number => (whole[field] === 0 ? 0 : part[field] / whole[field])
  return { ...part, seconds: time.completing * share('tokens') + time.embedding * share('embeddedTokens') }
}
