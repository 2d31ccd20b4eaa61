import { answer, type Asked, cannedAnswer, answerOfText, styleOf } from '../../answering/index.ts'
import { deepFreeze } from '../../basics/plain-data.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { ModelError } from '../../errors.ts'
import { reasoningAlone, withoutReasoning } from '../../text/reasoning.ts'
import { rowName } from '../../text/names.ts'
import { createUsageCounter, type UsageCounter } from '../../models/index.ts'
import type { TrialLine } from '../../records.ts'
import type { Answer, Index, Method, Models, Passage, Question, RankedPassage } from '../../types.ts'
import { failureOf } from '../calls/plain-error.ts'
import { measure } from '../profile.ts'
import type { BuiltIndex } from './build-index.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import { withModels, type RunContext } from './conditions.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import type { Locator } from './evidence.ts'
import { queryOf, retrieve, searchQueryOf, type Retrieved } from './retrieve.ts'

/** Which trial: the id of its line, and the question in its repeat. */
export interface TrialAt {
  readonly id: string
  readonly question: Question
  readonly repeat: number
}

type ContextFields = Pick<TrialLine, 'context' | 'stopped' | 'asked' | 'beyond' | 'evidence'>

/** Runs one trial: retrieve, fit to the budget, answer. A failure is an outcome, not an exception. */
export async function runTrial(
  { id, question, repeat }: TrialAt,
  { id: methodId, method, row, budget: systemBudget }: MethodEntry,
  builtIndex: BuiltIndex,
  chunkedCorpus: ChunkedCorpus,
  context: RunContext,
): Promise<{ readonly line: TrialLine; readonly usage: UsageCounter }> {
  const { corpus, locate } = chunkedCorpus
  const counter = createUsageCounter()
  const head = { line: 'trial', id, ...row, methodId, corpus: corpus.id, repeat, question } as const
  const caller = { method: method.name, corpus: corpus.id, repeat, question: question.id }
  const asking = <T>(of: 'retrieve' | 'answer', work: (models: Models) => Promise<T>): Promise<T> => {
    phase = of
    return measure(context.profile, of, rowName(row), () => withModels(context, of, caller, counter, work))
  }
  let phase: 'index' | 'retrieve' | 'answer' = 'index'
  let contextFields: ContextFields = { context: [], stopped: 'end' }
  const finish = (outcome: Pick<TrialLine, 'answer' | 'failure'>): { line: TrialLine; usage: UsageCounter } => {
    const relevant = question.evidence && locate.relevant(question.evidence)
    const usage = { retrieve: counter.usage('retrieve'), answer: counter.usage('answer') }
    return {
      usage: counter,
      line: { ...head, ...contextFields, ...relevant, ...outcome, usage },
    }
  }
  const { index } = builtIndex
  if (!index) return finish({ failure: builtIndex.line.failure ?? failureOf('index', new Error('there is no index')) })
  try {
    const { passages } = await asking('retrieve', async (models) => {
      const searchQuery = searchQueryOf(question, method)
      const budget = systemBudget ?? context.budget
      const depth = context.style === 'none' ? budget.passages : undefined
      const retrieval = await retrieve(searchQuery, { method, index, chunkedCorpus }, budget, models, depth)
      contextFields = contextFieldsOf(retrieval, question, locate, depth)
      return retrieval
    })
    const { reference } = question
    if (context.style === 'none') return finish({ answer: null })
    const style = styleOf(context.style, reference)
    const request = { query: queryOf(question, method), kind: reference.kind, style }
    return finish({
      answer: await asking('answer', (models) => answerQuestion(request, passages, { method, index }, models)),
    })
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
  const after = locate.spans(rest.slice(0, Math.max(0, depth - context.length)), evidence)
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

/** An answer of another system, which may have been recorded with its reasoning. Throws ModelError for that alone. */
function answerIn(reply: string): string {
  const answer = withoutReasoning(reply)
  if (answer === '' && reply.trim() !== '') throw new ModelError('reply', reasoningAlone, { raw: reply })
  return answer
}
