import { type Asked, contextText, promptOf, styleOf } from '../answering/index.ts'
import type { Plan } from '../config/index.ts'
import { UserError } from '../errors.ts'
import { createUsageCounter, type UsageCounter, type PhaseUsage } from '../models/index.ts'
import type { Stop } from '../records.ts'
import { unknownName } from '../text/names.ts'
import type { Answer, ContextPassage, Corpus, Models, Passage, Phase, Prompt, Question } from '../types.ts'
import { answerQuestion } from './execute/run-trial.ts'
import { indexOf } from './execute/build-index.ts'
import { chunkWithModels } from './execute/chunk-corpus.ts'
import { withModels, type RunContext } from './execute/run-context.ts'
import { type WithTokens, queryOf, retrieve, searchQueryOf, type Searchable } from './execute/retrieve.ts'
import { findMethod } from './graph/with-corpus.ts'
import { refuseOtherDimensions } from './prepare/check-models.ts'
import { prepare } from './prepare/prepare.ts'
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
export async function query(plan: Plan, request: QueryRequest, settings: Settings): Promise<QueryReply> {
  const prepared = await prepare(plan, settings)
  try {
    const entry = findMethod(request.method, prepared.methods)
    await refuseOtherDimensions([entry], prepared.models)
    const { method } = entry
    const { corpus, question } = await corpusOf(request, prepared.corpora())
    if (method.sees === 'evidence' && !question) {
      throw new UserError(
        `"${request.method}" needs the evidence of a question, which a question of your own does not have; name another method, or a question of the dataset by its id`,
      )
    }
    const budget = entry.budget ?? plan.budget
    const context = { ...plan, budget, models: prepared.models, style: prepared.style, signal: settings.signal }
    const counter = createUsageCounter()
    const chunkedCorpus = await chunkWithModels(corpus, plan.chunks, context, counter)
    const index = await indexOf(entry, chunkedCorpus, context, counter)
    try {
      return await answerQuery(question ?? request.question, { method, index, chunkedCorpus }, context, counter)
    } finally {
      await index.close?.()
    }
  } finally {
    await prepared.close()
  }
}

/** The question of that id with its corpus, or the corpus to search. Reads the corpora once. */
async function corpusOf(
  { question: id, corpus: corpusId }: QueryRequest,
  corpora: AsyncIterable<Corpus>,
): Promise<{ readonly corpus: Corpus; readonly question?: Question }> {
  let first: Corpus | undefined
  const corpusIds: string[] = []
  for await (const corpus of corpora) {
    corpusIds.push(corpus.id)
    if (corpusId !== undefined && corpus.id !== corpusId) continue
    const question = corpus.questions.find((entry) => entry.id === id)
    if (question) return { corpus, question }
    first ??= corpus
    if (corpusId !== undefined) break
  }
  if (!first) throw new UserError(unknownName('corpus', corpusId ?? '', corpusIds))
  return { corpus: first }
}

async function answerQuery(
  question: Question | string,
  searchable: Searchable,
  context: Omit<RunContext, 'limits' | 'signal'> & Pick<Plan, 'prompts'>,
  counter: UsageCounter,
): Promise<QueryReply> {
  const { method, chunkedCorpus } = searchable
  const isFree = typeof question === 'string'
  const knownPart = isFree ? { id: 'query', text: question } : queryOf(question, method)
  const kind = isFree ? 'answer' : question.reference.kind
  const caller = {
    method: method.name,
    corpus: chunkedCorpus.corpus.id,
    repeat: 0,
    question: isFree ? question : question.id,
  }
  const asking = <T>(phase: 'retrieve' | 'answer', work: (models: Models) => Promise<T>): Promise<T> =>
    withModels(context, phase, caller, counter, work)
  const searchQuery = isFree ? knownPart : searchQueryOf(question, method)
  const { passages, stop } = await asking('retrieve', (models) =>
    retrieve(searchQuery, searchable, context.budget, models),
  )
  const { style: wantedStyle } = context
  const reply =
    wantedStyle === 'none'
      ? {}
      : await asking('answer', (models) => {
          const style = styleOf(wantedStyle, isFree ? undefined : question.reference)
          return answerWithPrompt({ query: knownPart, kind, style }, passages, searchable, context.prompts, models)
        })
  const usage = {
    index: counter.totals('index'),
    retrieve: counter.totals('retrieve'),
    answer: counter.totals('answer'),
  }
  const { corpus, locate } = chunkedCorpus
  const rest = { stopped: stop, ...reply, usage }
  return isFree
    ? { corpus: corpus.id, passages: locate.annotate(passages, undefined), ...rest }
    : { corpus: corpus.id, question, passages: locate.annotate(passages, question.evidence), ...rest }
}

/** The answer, and the prompt if the run's answerer was used. */
async function answerWithPrompt(
  request: Asked,
  passages: readonly Passage[],
  searchable: Searchable,
  prompts: Plan['prompts'],
  models: Models,
): Promise<Pick<QueryReply, 'answer' | 'prompt'>> {
  const answer = await answerQuestion(request, passages, searchable, models)
  const isFixed = answer.canned || searchable.index.answer !== undefined
  return { answer, ...(!isFixed && { prompt: promptOf(request, contextText(passages), prompts) }) }
}
