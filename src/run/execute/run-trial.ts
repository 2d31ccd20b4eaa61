import { answer, type Asked, cannedAnswer, answerOfText, styleOf } from '../../answering/index.ts'
import { deepFreeze } from '../../basics/plain-data.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { ModelError } from '../../errors.ts'
import { reasoningAlone, withoutReasoning } from '../../text/reasoning.ts'
import { createUsageCounter, maxFailures, type UsageCounter, type WorkOutcome } from '../../models/index.ts'
import type { Failure, TrialLine } from '../../records.ts'
import type { Answer, Corpus, Index, Method, Models, Passage, Question, RankedPassage, Usage } from '../../types.ts'
import { failureOf } from '../calls/plug-in-errors.ts'
import type { OnUsage } from '../progress.ts'
import { buildIndex, type BuiltIndex, type IndexAt, type SharedParts } from './build-index.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import { withModels, type RunContext } from './run-context.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import type { Locator } from './evidence.ts'
import { queryOf, retrieve, searchQueryOf, type Retrieved } from './retrieve.ts'

/** Which trial: the id of its line, and the question in its repeat. */
export interface TrialAt {
  readonly id: string
  readonly question: Question
  readonly repeat: number
}

/** A corpus that indexes are built of, with the parts that several of them share. */
export interface IndexSource {
  readonly corpus: Corpus
  /** Chunks the corpus on the first call: where workers do, this process does not. */
  readonly chunkedCorpus: () => Promise<ChunkedCorpus>
  readonly parts: SharedParts
}

/** The line of a trial, and the usage of its calls. */
interface TrialOutcome {
  readonly line: TrialLine
  readonly usage: UsageCounter
}

/** Does the work of a run: this process, or workers. A failure is an outcome. */
export interface Executor {
  /** Trials in flight at most, and indexes built ahead. */
  readonly concurrency: number
  readonly indexesAhead: number
  readonly build: (at: IndexAt, entry: MethodEntry, source: IndexSource, onUsage: OnUsage) => Promise<BuiltIndex>
  readonly ask: (
    at: TrialAt,
    entry: MethodEntry,
    builtIndex: BuiltIndex,
    source: IndexSource,
    onUsage: OnUsage,
  ) => Promise<TrialOutcome>
}

/** Indexes that are built while questions of another one wait for a model. */
const indexesAhead = 3

/** This process. */
export const localExecutor = (context: RunContext, concurrency: number): Executor => ({
  concurrency,
  indexesAhead,
  build: async (at, entry, { chunkedCorpus, parts }, onUsage) =>
    buildIndex(at, entry, await chunkedCorpus(), { ...context, onUsage }, parts),
  ask: async (at, entry, builtIndex, { chunkedCorpus }, onUsage) =>
    runTrial(at, entry, builtIndex, await chunkedCorpus(), { ...context, onUsage }),
})

type ContextFields = Pick<TrialLine, 'context' | 'stopped' | 'asked' | 'beyond' | 'evidence'>

/** Runs one trial: retrieve, fit to the budget, answer. A failure is an outcome. */
export async function runTrial(
  { id, question, repeat }: TrialAt,
  { id: methodId, method, row, budget: systemBudget }: MethodEntry,
  { index, line: indexLine }: BuiltIndex,
  chunkedCorpus: ChunkedCorpus,
  context: RunContext,
): Promise<TrialOutcome> {
  const { corpus, locate } = chunkedCorpus
  const counter = createUsageCounter()
  const head = { line: 'trial', id, ...row, methodId, corpus: corpus.id, repeat, question } as const
  const caller = { method: method.name, corpus: corpus.id, repeat, question: question.id }
  let phase: 'retrieve' | 'answer' = 'retrieve'
  let contextFields: ContextFields = { context: [], stopped: 'end' }
  const asking = <T>(work: (models: Models) => Promise<T>): Promise<T> =>
    withModels(context, phase, caller, counter, work)
  const finish = (outcome: Pick<TrialLine, 'answer' | 'failure'>): TrialOutcome => {
    const relevant = question.evidence && locate.relevant(question.evidence)
    const usage = { retrieve: counter.usage('retrieve'), answer: counter.usage('answer') }
    return { usage: counter, line: { ...head, ...contextFields, ...relevant, ...outcome, usage } }
  }
  if (!index) return finish({ failure: indexLine.failure ?? failureOf('index', new Error('there is no index')) })
  try {
    const budget = systemBudget ?? context.budget
    const depth = context.style === 'none' ? budget.passages : undefined
    const searchQuery = searchQueryOf(question, method)
    const retrieval = await asking(async (models) => {
      const result = await retrieve(searchQuery, { method, index, chunkedCorpus }, budget, models, depth)
      contextFields = contextFieldsOf(result, question, locate, depth)
      return result
    })
    if (context.style === 'none') return finish({ answer: null })
    phase = 'answer'
    const { reference } = question
    const style = styleOf(context.style, reference)
    const request = { query: queryOf(question, method), kind: reference.kind, style }
    const work = (models: Models) => answerQuestion(request, retrieval.passages, { method, index }, models)
    return finish({ answer: await asking(work) })
  } catch (error) {
    return finish({ failure: failureOf(phase, error) })
  }
}

function contextFieldsOf(
  { passages, stop, rest, requestedPassages }: Retrieved,
  { evidence }: Question,
  locate: Locator,
  depth = rankingDepth,
): ContextFields {
  const context = locate.annotate(passages, evidence)
  const after = locate.annotate(rest.slice(0, Math.max(0, depth - context.length)), evidence, false)
  const cutOff = after.map(({ from, score, kind, documents, derived, evidence: pieces, relevant }): RankedPassage => ({
    from,
    score,
    kind,
    ...(documents.length > 0 && { documents }),
    ...(derived && { derived }),
    ...(pieces?.length && { evidence: pieces }),
    ...(relevant?.length && { relevant }),
  }))
  return {
    context,
    stopped: stop,
    ...(evidence && { evidence: locate.places(evidence, context, after) }),
    ...(Number.isFinite(requestedPassages) && { asked: requestedPassages }),
    ...(cutOff.length > 0 && { beyond: cutOff }),
  }
}

/** The answer to a question: the method's own, or a canned one where the context is empty. */
export async function answerQuestion(
  request: Asked,
  passages: readonly Passage[],
  { method, index }: { readonly method: Pick<Method, 'context'>; readonly index: Pick<Index, 'answer'> },
  models: Models,
): Promise<Answer> {
  if (index.answer) {
    const reply = await index.answer(deepFreeze(request.query), passages, models)
    return answerOfText(request.query, answerIn(reply))
  }
  const hasContext = passages.length > 0 || method.context === 'none'
  return (hasContext ? undefined : cannedAnswer(request.kind, request.style)) ?? answer(request, passages, models)
}

/** An answer of another system without its reasoning. Throws ModelError for that alone. */
function answerIn(reply: string): string {
  const answer = withoutReasoning(reply)
  if (answer === '' && reply.trim() !== '') throw new ModelError('reply', reasoningAlone, { raw: reply })
  return answer
}

/** What a circuit breaker learns of a model from a failure, or from the usage of calls. */
export function outcomeOf(failure: Failure | undefined, usage: readonly Usage[]): WorkOutcome<Failure> {
  if (failure) return failure.kind === 'reply' || failure.kind === 'refused' ? failure : 'neutral'
  return usage.some(({ calls, embeddingCalls = 0 }) => calls > embeddingCalls) ? 'usable' : 'neutral'
}

/** The failure of what is not begun after the first failures of `subject`, a system or a scorer. */
export const skipFailure = ({ phase, kind, message }: Failure, subject: string): Failure => ({
  phase,
  kind,
  message: `not asked, since the first ${maxFailures} replies of ${subject} were refused or could not be read: ${message}`,
})
