import { answer, answerable, cannedAnswer } from '../answering/index.ts'
import { createMeter, type Meter } from '../models/meter.ts'
import type { OpenedModels } from '../models/index.ts'
import type { IndexLine, Row, TrialLine } from '../records.ts'
import type { AnswerStyle, Budget, Chunk, Corpus, Index, Method, Models, Phase, Query, Question } from '../types.ts'
import { checkRanking } from './check-ranking.ts'
import type { Locator } from './evidence.ts'
import { failureOf } from './failure.ts'
import { pack } from './pack.ts'

/** A method as it stands in the plan: its row in the tables, identity and options. */
export interface Contestant {
  readonly row: Row
  readonly id: string
  readonly use: string
  readonly method: Method
  readonly options: unknown
  /** The options as they may be written to disk. */
  readonly record: unknown
}

/** What every trial of a run shares. */
export interface Conditions {
  readonly models: OpenedModels
  readonly budget: Budget
  readonly style: AnswerStyle
  readonly seed: number
}

/** A corpus, cut into chunks once for all methods. */
export interface Shelf {
  readonly corpus: Corpus
  readonly chunks: readonly Chunk[]
  readonly locate: Locator
}

/** What building an index gave: the index, or a failure that every trial on it inherits. */
export interface Built {
  readonly line: IndexLine
  readonly meter: Meter
  readonly index?: Index
}

/** Builds one contestant's index of one corpus. A failure is an outcome, not an exception. */
export async function buildIndex(
  id: string,
  contestant: Contestant,
  shelf: Shelf,
  conditions: Conditions,
): Promise<Built> {
  const { corpus, chunks } = shelf
  const { method, row, options } = contestant
  const meter = createMeter()
  const seed = [conditions.seed, 'index', method.name, corpus.id]
  const models = conditions.models.scope({ phase: 'index', sample: 0, seed, meter })
  const facts = {
    line: 'index',
    id,
    ...row,
    contestant: contestant.id,
    corpus: corpus.id,
    documents: corpus.documents.length,
    chunks: chunks.length,
  } as const
  try {
    const index = await method.index(chunks, models, options)
    const stats = index.stats?.()
    const losses = Object.entries(index.losses?.() ?? {}).filter(([, count]) => count > 0)
    const said = { ...(stats && { stats }), ...(losses.length > 0 && { losses: Object.fromEntries(losses) }) }
    return { index, meter, line: { ...facts, usage: meter.usage('index'), ...said } }
  } catch (error) {
    return { meter, line: { ...facts, usage: meter.usage('index'), failure: failureOf('index', error) } }
  }
}

/** Asks one question of one index: retrieve, cut to the budget, answer. A failure is an outcome, not an exception. */
export async function ask(
  trial: { readonly id: string; readonly question: Question; readonly repeat: number },
  contestant: Contestant,
  built: Built,
  shelf: Shelf,
  conditions: Conditions,
): Promise<{ readonly line: TrialLine; readonly meter: Meter }> {
  const { id, question, repeat } = trial
  const { method, row } = contestant
  const { corpus, locate } = shelf
  const meter = createMeter()
  const scope = (phase: Phase): Models => {
    const seed = [conditions.seed, phase, method.name, corpus.id, question.id, repeat]
    return conditions.models.scope({ phase, sample: repeat, seed, meter })
  }
  let phase: Phase = 'index'
  let seen: Pick<TrialLine, 'context' | 'stopped'> = { context: [], stopped: 'end' }
  const finish = (outcome: Pick<TrialLine, 'answer' | 'failure'>): { line: TrialLine; meter: Meter } => {
    const relevant = question.evidence && { relevant: locate.relevant(question.evidence) }
    const facts = { corpus: corpus.id, repeat, question }
    const usage = { retrieve: meter.usage('retrieve'), answer: meter.usage('answer') }
    return {
      meter,
      line: { line: 'trial', id, ...row, contestant: contestant.id, ...facts, ...seen, ...relevant, ...outcome, usage },
    }
  }
  if (!built.index) return finish({ failure: built.line.failure ?? failureOf('index', new Error('there is no index')) })
  try {
    phase = 'retrieve'
    const query = queryOf(question, method)
    const budget = method.context === 'unlimited' ? unlimited : conditions.budget
    const models = scope('retrieve')
    const ranking = checkRanking(await built.index.retrieve(query, budget, models), method.name, shelf.chunks)
    const { passages, stopped } = pack(ranking, budget, (text) => models.countTokens(text))
    seen = { context: locate.annotate(passages, question.evidence), stopped }
    phase = 'answer'
    const { kind } = question.reference
    if (!answerable(kind)) throw new Error(`no answerer takes a question of the kind "${kind}"`)
    if (passages.length === 0 && method.context !== 'none')
      return finish({ answer: cannedAnswer(kind, conditions.style) })
    return finish({ answer: await answer({ query, kind, style: conditions.style }, passages, scope('answer')) })
  } catch (error) {
    return finish({ failure: failureOf(phase, error) })
  }
}

const unlimited: Budget = { passages: Infinity, tokens: Infinity }

/** What a method may know of a question: never its reference, and its evidence only when the method says that it sees it. */
export function queryOf(question: Question, method: Pick<Method, 'sees'>): Query {
  const { id, text, reference, history, evidence } = question
  return {
    id,
    text,
    ...(reference.kind === 'choice' && { options: reference.options }),
    ...(history && { history }),
    ...(method.sees === 'evidence' && evidence && { evidence }),
  }
}
