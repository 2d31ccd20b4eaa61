import type { Plan } from '../config/index.ts'
import { UserError } from '../errors.ts'
import { answerable, type AnswerableKind, contextText, promptOf } from '../answering/index.ts'
import { createMeter, type Meter, type PhaseUsage } from '../models/index.ts'
import type { Answer, Corpus, Method, Models, Phase, Prompt, Query } from '../types.ts'
import { answerFrom } from './asking/ask.ts'
import { indexOf } from './asking/build-index.ts'
import { chunkCorpus } from './asking/chunk-corpus.ts'
import { modelsFor, type Conditions } from './asking/conditions.ts'
import type { WithTokens } from './asking/fit-to-budget.ts'
import { queryOf, retrieve, type Searchable } from './asking/retrieve.ts'
import { corpusNamed, corpusOfQuestion, methodNamed } from './find-by-name.ts'
import { openPlanModels } from './prepare/open-plan-models.ts'
import { prepare, type Prepared } from './prepare/prepare.ts'
import { refuseOtherEmbedder } from './saved/embedder.ts'
import { loadIndex } from './saved/load.ts'
import type { Settings } from './settings.ts'

/** A question asked outside a run. */
export interface QueryRequest {
  readonly method: string
  /** A question of one's own, or with `isId` the id of one of the dataset. */
  readonly question: string
  readonly isId?: boolean
  /** The corpus to ask; the first one where none is named. */
  readonly corpus?: string
}

export interface QueryReply {
  readonly corpus: string
  readonly passages: readonly WithTokens[]
  /** What the answerer was asked; absent where the answer is a fixed one. */
  readonly prompt?: Prompt
  readonly answer: Answer
  readonly usage: Readonly<Record<Exclude<Phase, 'judge'>, PhaseUsage>>
}

/** Asks one question, free or of the dataset, of one method over one corpus of a plan. Throws UserError, and ModelError when a call fails. */
export async function query(plan: Plan, request: QueryRequest, settings: Settings): Promise<QueryReply> {
  const prepared = await prepare(plan, settings)
  try {
    const entry = methodNamed(request.method, prepared.methods)
    const { method } = entry
    if (method.sees === 'evidence' && request.isId !== true) {
      throw new UserError(
        `"${request.method}" needs the evidence of a question, which a question of your own does not have; name another method, or give the id of a question of the dataset with --id`,
      )
    }
    const conditions = { ...plan, models: prepared.models, style: prepared.style }
    const { corpus, asked } = await askedIn(request, method, prepared)
    const chunked = chunkCorpus(corpus, plan.chunks)
    const meter = createMeter()
    const index = await indexOf(entry, chunked, conditions, meter)
    return await answered(asked, { method, index, chunked }, conditions, meter)
  } finally {
    await prepared.close()
  }
}

/** A question as a method and the answerer get it. */
interface AskedQuery {
  readonly query: Query
  readonly kind: AnswerableKind
}

/** The question of a request, and the corpus that it is asked of. */
async function askedIn(
  { question, isId, corpus: id }: QueryRequest,
  method: Pick<Method, 'sees'>,
  prepared: Pick<Prepared, 'corpora'>,
): Promise<{ readonly corpus: Corpus; readonly asked: AskedQuery }> {
  if (isId !== true) return { corpus: await corpusNamed(id, prepared.corpora()), asked: freeQuery(question) }
  const { corpus, question: found } = await corpusOfQuestion(question, prepared.corpora())
  const { kind } = found.reference
  if (!answerable(kind))
    throw new UserError(`question "${question}" is of the kind "${kind}", which no answerer takes yet`)
  return { corpus, asked: { query: queryOf(found, method), kind } }
}

const freeQuery = (text: string): AskedQuery => ({ query: { id: 'query', text }, kind: 'answer' })

/** As much of a plan as a question to an exported index needs; what is absent is as in the file. */
export type QueryPlan = Pick<Plan, 'models' | 'budget' | 'seed'> & Partial<Pick<Plan, 'chunks' | 'answers'>>

/**
 * Asks one free question of an index in a file. Nothing is asked for the index itself: one call embeds the question, one answers it. The
 * budget, the tokenizer and the language model are the plan's, the method's options the file's. Throws as `query` does.
 */
export async function queryFile(
  file: string,
  question: string,
  plan: QueryPlan,
  settings: Settings,
): Promise<QueryReply> {
  const { embedder, answers, chunking, ...searchable } = await loadIndex(file)
  const { models, close } = await openPlanModels({ chunks: chunking, ...plan }, settings)
  try {
    refuseOtherEmbedder(file, embedder, models)
    const { budget, seed, answers: style = answers } = plan
    return await answered(freeQuery(question), searchable, { budget, seed, style, models }, createMeter())
  } finally {
    await close()
  }
}

/** The way of a question from an index to its answer. */
async function answered(
  { query, kind }: AskedQuery,
  searchable: Searchable,
  conditions: Omit<Conditions, 'limits'>,
  meter: Meter,
): Promise<QueryReply> {
  const { method, chunked } = searchable
  const { id, text } = query
  const caller = { method: method.name, corpus: chunked.corpus.id, repeat: 0, question: id === 'query' ? text : id }
  const models = (phase: Phase): Models => modelsFor(conditions, phase, caller, meter)
  const { passages } = await retrieve(query, searchable, conditions.budget, models('retrieve'))
  const asked = { query, kind, style: conditions.style }
  const answer = await answerFrom(asked, passages, method, models('answer'))
  const usage = { index: meter.spent('index'), retrieve: meter.spent('retrieve'), answer: meter.spent('answer') }
  const prompt = answer.canned ? {} : { prompt: promptOf(asked, contextText(passages)) }
  return { corpus: chunked.corpus.id, passages, ...prompt, answer, usage }
}
