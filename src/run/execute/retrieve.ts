import { z } from 'zod'
import { memoiseWeakly } from '../../basics/memoise.ts'
import { deepFreeze, isObject } from '../../basics/plain-data.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import type { Stop } from '../../records.ts'
import type { Budget, Evidence, Index, Method, Models, Passage, Query, Question, Chunk } from '../../types.ts'
import { exclusionOf } from '../../methods/shared/excluded-documents.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import { validationErrors } from '../../text/validation-errors.ts'

export interface Searchable {
  readonly method: Pick<Method, 'name' | 'sees' | 'context'>
  readonly index: Index
  readonly chunkedCorpus: ChunkedCorpus
}

export type Retrieved = Awaited<ReturnType<typeof retrieve>>

/**
 * The one way from a question to its context, or to a ranking of some depth that begins with it. Throws what the
 * method throws, and Error for a malformed ranking.
 */
export async function retrieve(
  query: Query,
  { method, index, chunkedCorpus }: Searchable,
  budget: Budget,
  models: Models,
  depth?: number,
) {
  const isOutside = method.context === 'unlimited' || index.isExemptFromBudget === true
  const limits = narrowBudget(isOutside ? unlimitedBudget : budget, index.limits)
  const requestedPassages =
    index.nested && depth === undefined ? Math.max(limits.passages, rankingDepth) : limits.passages
  const { withRoom, without } = exclusionOf(query, chunkedCorpus.chunks)
  const searchBudget = deepFreeze(withRoom({ ...limits, passages: requestedPassages }))
  const allPassages = await index.retrieve(deepFreeze(query), searchBudget, models)
  for (const fault of rankingFaults(allPassages, chunkedCorpus)) throw new Error(`${method.name} ${fault}`)
  const ranking = without(allPassages)
  // a nested method returned more than the budget: the context ignores the rest
  const first = index.nested ? ranking.slice(0, limits.passages) : ranking
  const { passages, stop } = fitToBudget(first, limits, models.countTokens)
  /** `requestedPassages`: how many the method was asked for; `rest`: those that are not in the context, in order. */
  return { passages, stop, rest: ranking.slice(passages.length), requestedPassages }
}

const unlimitedBudget: Budget = { passages: Infinity, tokens: Infinity }

const narrowBudget = (budget: Budget, { passages = Infinity, tokens = Infinity }: Partial<Budget> = {}) => ({
  passages: Math.min(budget.passages, passages),
  tokens: Math.min(budget.tokens, tokens),
})

/** What a method searches by: the question as it may know it, with the text to search by. */
export const searchQueryOf = (question: Question, method: Pick<Method, 'sees'>): Query => ({
  ...queryOf(question, method),
  text: question.searchText ?? question.text,
})

/** What a method may know of a question: never its reference, its evidence only where the method sees it. */
export function queryOf(question: Question, method: Pick<Method, 'sees'>): Query {
  const { id, text, reference, history, roles, excludedIds } = question
  const evidence = method.sees === 'evidence' ? evidenceFor(question) : undefined
  return {
    id,
    text,
    ...(reference.kind === 'choice' && { options: reference.options }),
    ...(history && { history }),
    ...(roles && { roles }),
    ...(evidence && { evidence }),
    ...(excludedIds && { excludedIds }),
  }
}

function evidenceFor({ evidence, reference, notInCorpus }: Question): readonly Evidence[] | undefined {
  if (evidence?.length === 0 && notInCorpus) return undefined
  if (evidence || reference.kind !== 'answer') return evidence
  const hasAnswer = reference.accepted.some(({ type }) => type !== 'unanswerable')
  return hasAnswer ? undefined : []
}

/** The chunks to retrieve from, and their places in the documents. */
type Source = Pick<ChunkedCorpus, 'chunks' | 'locate'>

const finite = z.number()
const span = z
  .object({ documentId: z.string(), start: z.int().min(0), end: z.int() })
  .refine(({ start, end }) => start <= end, 'must be UTF-16 offsets, the end after the start')
const passageSchema = z.object({
  text: z.string(),
  score: finite,
  from: z.array(z.string()),
  kind: z.enum(['chunk', 'summary', 'facts']),
  order: finite.optional(),
  spans: z.array(span).optional(),
  why: z.custom(isObject, 'must be an object').optional(),
})

/** All that is wrong with what a method returned, as sentences about the method. */
export function* rankingFaults(ranking: unknown, { chunks, locate }: Source) {
  if (!Array.isArray(ranking)) {
    yield 'returned no list of passages'
    return
  }
  const chunkIds = idsOf(chunks)
  let before = Infinity
  for (const [index, passage] of (ranking as readonly unknown[]).entries()) {
    const head = `returned a passage (number ${index + 1})`
    const [fault] = validationErrors(passageSchema, passage, {})
    if (fault) {
      yield `${head} of which ${fault.message}`
      continue
    }
    const { from, score } = passage as Passage
    const unknownId = from.find((id) => !chunkIds.has(id))
    if (unknownId !== undefined) yield `${head} made of an unknown chunk ${JSON.stringify(unknownId)}`
    else if (!locate.holds(passage as Passage)) yield `${head} whose words are not those of its "spans"`
    // the budget keeps the first passages, so these must be the best
    if (score > before)
      yield `returned passages out of order: number ${index} has the score ${before}, number ${index + 1} has ${score}; return them by score`
    before = score
  }
}

const idsOf = memoiseWeakly((chunks: readonly Chunk[]) => new Set(chunks.map(({ id }) => id)))

/** A passage with its cost in tokens of the run's tokenizer. */
type WithTokens<P extends Passage = Passage> = P & { readonly tokens: number }

/** Fits a ranking to the budget: the longest prefix within both limits; no passage is skipped or truncated. */
export function fitToBudget<P extends Passage>(
  ranking: readonly P[],
  budget: Budget,
  countTokens: (text: string) => number,
): { readonly passages: readonly WithTokens<P>[]; readonly stop: Stop } {
  const passages: WithTokens<P>[] = []
  let tokenCount = 0
  for (const passage of ranking) {
    if (passages.length >= budget.passages) return { passages, stop: 'passages' }
    const tokens = countTokens(passage.text)
    if (tokenCount + tokens > budget.tokens) return { passages, stop: 'tokens' }
    passages.push({ ...passage, tokens })
    tokenCount += tokens
  }
  return { passages, stop: 'end' }
}
