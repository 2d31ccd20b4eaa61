import { contextText, promptOf, styleOf } from '../answering/index.ts'
import { itemAt } from '../basics/collections.ts'
import type { Plan } from '../config/index.ts'
import { UserError } from '../errors.ts'
import { createUsageCounter, type PhaseUsage } from '../models/index.ts'
import type { Stop } from '../records.ts'
import type { Answer, ContextPassage, Models, Phase, Prompt, Question } from '../types.ts'
import { answerQuestion } from './execute/run-trial.ts'
import { indexOf } from './execute/build-index.ts'
import { chunkWithModels } from './execute/chunk-corpus.ts'
import { withModels } from './execute/run-context.ts'
import { type WithTokens, queryOf, retrieve, searchQueryOf, type Searchable } from './execute/retrieve.ts'
import { withPlanCorpus, type PlanCorpus } from './graph/with-corpus.ts'
import type { Settings } from './prepare/settings.ts'

interface QueryRequest {
  readonly method: string
  /** A question of the dataset by its id, or any other in words. */
  readonly question: string
  /** The corpus to search; default: the first. */
  readonly corpus?: string
}

export interface QueryReply {
  readonly corpus: string
  /** The question of the dataset with that id; then the passages are marked with its evidence. */
  readonly question?: Question
  readonly passages: readonly (WithTokens & Pick<ContextPassage, 'documents' | 'evidence' | 'relevant'>)[]
  /** What ended the context: the last passage, or a limit of the budget or of the method. */
  readonly stopped: Stop
  /** The prompt of the answerer; absent for a canned answer or the method's own. */
  readonly prompt?: Prompt
  /** Absent where the plan generates none. */
  readonly answer?: Answer
  readonly usage: Readonly<Record<Exclude<Phase, 'judge'>, PhaseUsage>>
}

/** Asks one question of one method over one corpus of a plan. Throws UserError, and ModelError when a call fails. */
export const query = (plan: Plan, request: QueryRequest, settings: Settings): Promise<QueryReply> =>
  withPlanCorpus(plan, request, settings, async (context) => {
    const { corpus, question, methods, chunks } = context
    const entry = itemAt(methods, 0)
    const { method } = entry
    if (method.sees === 'evidence' && !question)
      throw new UserError(
        `"${request.method}" needs the evidence of a question, which a question of your own does not have; name another method, or a question of the dataset by its id`,
      )
    const counter = createUsageCounter()
    const chunkedCorpus = await chunkWithModels(corpus, chunks, context, counter)
    const index = await indexOf(entry, chunkedCorpus, context, counter)
    const caller = { method: method.name, corpus: corpus.id, repeat: 0, question: question?.id ?? request.question }
    const asking: Asking = (phase, work) => withModels(context, phase, caller, counter, work)
    try {
      const searchable = { method, index, chunkedCorpus }
      const reply = await answerQuery(request.question, searchable, context, plan.prompts, asking)
      const usage = {
        index: counter.totals('index'),
        retrieve: counter.totals('retrieve'),
        answer: counter.totals('answer'),
      }
      return { corpus: corpus.id, ...(question && { question }), ...reply, usage }
    } finally {
      await index.close?.()
    }
  })

/** Gives the models to a phase. */
type Asking = <T>(phase: 'retrieve' | 'answer', work: (models: Models) => Promise<T>) => Promise<T>

/** `text`: of a question that is not of the dataset. */
async function answerQuery(
  text: string,
  searchable: Searchable,
  { question, budget, style }: PlanCorpus,
  prompts: Plan['prompts'],
  asking: Asking,
): Promise<Omit<QueryReply, 'corpus' | 'question' | 'usage'>> {
  const { method, index, chunkedCorpus } = searchable
  const free = { id: 'query', text }
  const searchQuery = question ? searchQueryOf(question, method) : free
  const { passages, stop } = await asking('retrieve', (models) => retrieve(searchQuery, searchable, budget, models))
  const retrieval = { passages: chunkedCorpus.locate.annotate(passages, question?.evidence), stopped: stop }
  if (style === 'none') return retrieval
  const request = {
    query: question ? queryOf(question, method) : free,
    kind: question?.reference.kind ?? 'answer',
    style: styleOf(style, question?.reference),
  } as const
  const answer = await asking('answer', (models) => answerQuestion(request, passages, searchable, models))
  const isFixed = answer.canned || index.answer !== undefined
  return { ...retrieval, answer, ...(!isFixed && { prompt: promptOf(request, contextText(passages), prompts) }) }
}
