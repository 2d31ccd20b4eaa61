import { contextText, promptOf, styleOf } from '../answering/index.ts'
import { itemAt } from '../basics/collections.ts'
import type { Plan } from '../config/index.ts'
import { UserError } from '../errors.ts'
import { createUsageCounter } from '../models/index.ts'
import type { Answer, Models, Prompt, Question } from '../types.ts'
import { answerQuestion } from './execute/run-trial.ts'
import { indexOf } from './execute/build-index.ts'
import { chunkWithModels } from './execute/chunk-corpus.ts'
import { withModels } from './execute/run-context.ts'
import { queryOf, retrieve, searchQueryOf } from './execute/retrieve.ts'
import { withPlanCorpus } from './graph/with-corpus.ts'
import type { Settings } from './prepare/settings.ts'

interface QueryRequest {
  readonly method: string
  /** A question of the dataset by its id, or any other in words. */
  readonly question: string
  /** The corpus to search; default: the first. */
  readonly corpus?: string
}

/**
 * `question`: that of the dataset with that id; then the passages are marked with its evidence. `prompt`: absent for a
 * canned answer or the method's own. `answer`: absent where the plan generates none.
 */
export type QueryReply = Awaited<ReturnType<typeof query>>

/** Asks one question of one method over one corpus. Throws UserError, and ModelError when a call fails. */
export const query = (plan: Plan, request: QueryRequest, settings: Settings) =>
  withPlanCorpus(plan, request, settings, async (context) => {
    const { corpus, question: storedQuestion, methods, chunks, budget, style } = context
    const entry = itemAt(methods, 0)
    const { method } = entry
    if (method.sees === 'evidence' && !storedQuestion)
      throw new UserError(
        `"${request.method}" needs evidence: name another method, or a question of the dataset by its id`,
      )
    const reference = { kind: 'answer', accepted: [] } as const
    const question: Question = storedQuestion ?? { id: request.question, text: request.question, reference }
    const counter = createUsageCounter()
    const chunkedCorpus = await chunkWithModels(corpus, chunks, context, counter)
    const index = await indexOf(entry, chunkedCorpus, context, counter)
    const caller = { method: method.name, corpus: corpus.id, repeat: 0, question: question.id }
    const asking = <T>(phase: 'retrieve' | 'answer', work: (models: Models) => Promise<T>): Promise<T> =>
      withModels(context, phase, caller, counter, work)
    try {
      const { passages, stop } = await asking('retrieve', (models) =>
        retrieve(searchQueryOf(question, method), { method, index, chunkedCorpus }, budget, models),
      )
      const reply = (answer: { readonly answer?: Answer; readonly prompt?: Prompt }) => ({
        corpus: corpus.id,
        ...(storedQuestion && { question: storedQuestion }),
        passages: chunkedCorpus.locate.annotate(passages, question.evidence),
        stopped: stop,
        ...answer,
        usage: {
          index: counter.totals('index'),
          retrieve: counter.totals('retrieve'),
          answer: counter.totals('answer'),
        },
      })
      if (style === 'none') return reply({})
      const { kind } = question.reference
      const answerRequest = { query: queryOf(question, method), kind, style: styleOf(style, question.reference) }
      const answer = await asking('answer', (models) =>
        answerQuestion(answerRequest, passages, { method, index }, models),
      )
      const isFixed = answer.canned || index.answer !== undefined
      return reply({
        answer,
        ...(!isFixed && { prompt: promptOf(answerRequest, contextText(passages), plan.prompts) }),
      })
    } finally {
      await index.close?.()
    }
  })
