import { frozen } from '../../basics/plain-data.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import type { Stop } from '../../records.ts'
import type { Budget, Index, Method, Models, Passage, Query, Question } from '../../types.ts'
import { checkRanking } from './check-ranking.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import { fitToBudget, type WithTokens } from './fit-to-budget.ts'

/** A method's index of a corpus, ready for questions. */
export interface Searchable {
  readonly method: Pick<Method, 'name' | 'sees' | 'context'>
  readonly index: Index
  readonly chunked: ChunkedCorpus
}

/** The context of a question: what the method retrieves, checked and cut to the budget. `asked`: how many passages the method was asked for. */
export interface Retrieved {
  readonly passages: readonly WithTokens[]
  readonly stopped: Stop
  /** The passages of the ranking that are not in the context, in order. */
  readonly beyond: readonly Passage[]
  readonly asked: number
}

/** The one way from a question to its context, in a run, a query and a drawing. Throws what the method throws, and Error for a malformed ranking. */
export async function retrieve(
  query: Query,
  { method, index, chunked }: Searchable,
  budget: Budget,
  models: Models,
): Promise<Retrieved> {
  const limits = narrowed(method.context === 'unlimited' ? unlimited : budget, index.limits)
  const asked = index.nested ? Math.max(limits.passages, rankingDepth) : limits.passages
  const wanted = frozen({ ...limits, passages: asked })
  const ranking = checkRanking(await index.retrieve(frozen(query), wanted, models), method.name, chunked)
  // a nested method was asked for more than the budget: the context ends as if it had not been
  const first = index.nested ? ranking.slice(0, limits.passages) : ranking
  const { passages, stopped } = fitToBudget(first, limits, (text) => models.countTokens(text))
  return { passages, stopped, beyond: ranking.slice(passages.length), asked }
}

const unlimited: Budget = { passages: Infinity, tokens: Infinity }

const narrowed = (budget: Budget, { passages = Infinity, tokens = Infinity }: Partial<Budget> = {}): Budget => ({
  passages: Math.min(budget.passages, passages),
  tokens: Math.min(budget.tokens, tokens),
})

/** What a method searches by: the question as it may know it, with the text to search by where that is another. */
export const searchQueryOf = (question: Question, method: Pick<Method, 'sees'>): Query => ({
  ...queryOf(question, method),
  text: question.searchText ?? question.text,
})

/** What a method may know of a question: never its reference, and its evidence only when the method says that it sees it. */
export function queryOf(question: Question, method: Pick<Method, 'sees'>): Query {
  const { id, text, reference, history, roles, evidence } = question
  return {
    id,
    text,
    ...(reference.kind === 'choice' && { options: reference.options }),
    ...(history && { history }),
    ...(roles && { roles }),
    ...(method.sees === 'evidence' && evidence && { evidence }),
  }
}
