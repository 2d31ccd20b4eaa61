import { answer, type Asked, cannedAnswer, answerOfText, styleOf } from '../../answering/index.ts'
import { deepFreeze } from '../../basics/plain-data.ts'
import { rankingDepth } from '../../basics/metrics.ts'
import { ModelError } from '../../errors.ts'
import { reasoningAlone, withoutReasoning } from '../../text/reasoning.ts'
import { rowName } from '../../text/names.ts'
import { createMeter, type Meter } from '../../models/index.ts'
import type { TrialLine } from '../../records.ts'
import type { Answer, Index, Method, Models, Passage, Question, RankedPassage } from '../../types.ts'
import { failureOf } from '../calls/plain-error.ts'
import { profiled } from '../profile.ts'
import type { BuiltIndex } from './build-index.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import { withModels, type Conditions } from './conditions.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import type { Locator } from './evidence.ts'
import { queryOf, retrieve, searchQueryOf, type Retrieved } from './retrieve.ts'

/** Which trial: the id of its line, and the question in its repeat. */
export interface TrialAt {
  readonly id: string
  readonly question: Question
  readonly repeat: number
}

type Seen = Pick<TrialLine, 'context' | 'stopped' | 'asked' | 'beyond' | 'evidence'>

/** Asks one question of one index: retrieve, cut to the budget, answer. A failure is an outcome, not an exception. */
export async function ask(
  { id, question, repeat }: TrialAt,
  { id: methodId, method, row, budget: own }: MethodEntry,
  built: BuiltIndex,
  chunked: ChunkedCorpus,
  conditions: Conditions,
): Promise<{ readonly line: TrialLine; readonly meter: Meter }> {
  const { corpus, locate } = chunked
  const meter = createMeter()
  const caller = { method: method.name, corpus: corpus.id, repeat, question: question.id }
  const asking = <T>(of: 'retrieve' | 'answer', work: (models: Models) => Promise<T>): Promise<T> => {
    phase = of
    return profiled(conditions.profile, of, rowName(row), () => withModels(conditions, of, caller, meter, work))
  }
  let phase: 'index' | 'retrieve' | 'answer' = 'index'
  let seen: Seen = { context: [], stopped: 'end' }
  const finish = (outcome: Pick<TrialLine, 'answer' | 'failure'>): { line: TrialLine; meter: Meter } => {
    const relevant = question.evidence && locate.relevant(question.evidence)
    const asked = { corpus: corpus.id, repeat, question }
    const usage = { retrieve: meter.usage('retrieve'), answer: meter.usage('answer') }
    return {
      meter,
      line: { line: 'trial', id, ...row, methodId, ...asked, ...seen, ...relevant, ...outcome, usage },
    }
  }
  const { index } = built
  if (!index) return finish({ failure: built.line.failure ?? failureOf('index', new Error('there is no index')) })
  try {
    const { passages } = await asking('retrieve', async (models) => {
      const searched = searchQueryOf(question, method)
      const budget = own ?? conditions.budget
      const depth = conditions.style === 'none' ? budget.passages : undefined
      const found = await retrieve(searched, { method, index, chunked }, budget, models, depth)
      seen = seenOf(found, question, locate, depth)
      return found
    })
    const { reference } = question
    if (conditions.style === 'none') return finish({ answer: null })
    const style = styleOf(conditions.style, reference)
    const asked = { query: queryOf(question, method), kind: reference.kind, style }
    return finish({
      answer: await asking('answer', (models) => answerFrom(asked, passages, { method, index }, models)),
    })
  } catch (error) {
    return finish({ failure: failureOf(phase, error) })
  }
}

function seenOf(
  { passages, stopped, beyond: rest, asked }: Retrieved,
  { evidence }: Question,
  locate: Locator,
  depth = rankingDepth,
): Seen {
  const context = locate.annotate(passages, evidence)
  const after = locate.spans(rest.slice(0, Math.max(0, depth - context.length)), evidence)
  const beyond = after.map(({ from, score, kind, documents, derived, evidence: held, relevant }): RankedPassage => ({
    from,
    score,
    kind,
    ...(documents.length > 0 && { documents }),
    ...(derived && { derived }),
    ...(held?.length && { evidence: held }),
    ...(relevant?.length && { relevant }),
  }))
  return {
    context,
    stopped,
    ...(evidence && { evidence: locate.places(evidence, context, after) }),
    ...(Number.isFinite(asked) && { asked }),
    ...(beyond.length > 0 && { beyond }),
  }
}

/** The answer to a question: the method's own where it gives one, a fixed one where no context was found. */
export async function answerFrom(
  asked: Asked,
  passages: readonly Passage[],
  { method, index }: { readonly method: Pick<Method, 'context'>; readonly index: Pick<Index, 'answer'> },
  models: Models,
): Promise<Answer> {
  if (index.answer) {
    const reply = await index.answer(deepFreeze(asked.query), passages, models)
    return answerOfText(asked.query, answerIn(reply))
  }
  const found = passages.length > 0 || method.context === 'none'
  return (found ? undefined : cannedAnswer(asked.kind, asked.style)) ?? answer(asked, passages, models)
}

/** An answer of another system, which may have been recorded with its reasoning. Throws ModelError for that alone. */
function answerIn(reply: string): string {
  const answer = withoutReasoning(reply)
  if (answer === '' && reply.trim() !== '') throw new ModelError('reply', reasoningAlone, { raw: reply })
  return answer
}
