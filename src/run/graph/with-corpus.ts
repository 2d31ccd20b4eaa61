import type { Plan } from '../../config/index.ts'
import type { OpenedModels } from '../../models/index.ts'
import { UserError } from '../../errors.ts'
import type { AnswersWanted, Budget, Corpus, Question } from '../../types.ts'
import type { IndexContext } from '../execute/run-context.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import { refuseOtherDimensions } from '../prepare/check-models.ts'
import { prepare } from '../prepare/prepare.ts'
import type { Settings } from '../prepare/settings.ts'
import { rowName, unknownName } from '../../text/names.ts'

/** The method and corpus to index, by default the first; a question of the dataset names its corpus. */
export interface CorpusRequest {
  readonly method?: string
  readonly corpus?: string
  readonly question?: string
}

/** One corpus, the methods that may index it, in order, and the conditions of a run. */
export interface OpenedCorpus extends IndexContext {
  readonly models: OpenedModels
  readonly corpus: Corpus
  /** The requested question, where the dataset has it. */
  readonly question?: Question
  readonly methods: readonly MethodEntry[]
  readonly chunks: Plan['chunks']
  readonly budget: Budget
  readonly style: AnswersWanted
}

/** Opens one corpus of a plan, and closes its models when `then` is done. Throws UserError. */
export async function withPlanCorpus<T>(
  plan: Plan,
  request: CorpusRequest,
  settings: Settings,
  then: (context: OpenedCorpus) => Promise<T>,
): Promise<T> {
  const prepared = await prepare(plan, settings)
  try {
    const { methods: all, corpora, models, style } = prepared
    const methods = request.method === undefined ? all : [findMethod(request.method, all)]
    await refuseOtherDimensions(methods, models)
    const { chunks, seed, limits } = plan
    const budget = methods[0]?.budget ?? plan.budget
    const { signal } = settings
    const corpusAndQuestion = await findCorpus(request, corpora())
    return await then({ chunks, budget, seed, limits, models, style, signal, methods, ...corpusAndQuestion })
  } finally {
    await prepared.close()
  }
}

function findMethod(label: string, methods: readonly MethodEntry[]): MethodEntry {
  const [variant, ...more] = methods.filter(({ row }) => row.method === label)
  const names = methods.map(({ row }) => rowName(row))
  const entry = methods[names.indexOf(label)] ?? (more.length === 0 ? variant : undefined)
  if (!entry) throw new UserError(unknownName('method', label, names))
  return entry
}

async function findCorpus({ corpus: corpusId, question: questionId }: CorpusRequest, corpora: AsyncIterable<Corpus>) {
  let first: Corpus | undefined
  const corpusIds: string[] = []
  for await (const corpus of corpora) {
    corpusIds.push(corpus.id)
    if (corpusId !== undefined && corpus.id !== corpusId) continue
    const question = corpus.questions.find(({ id }) => id === questionId)
    if (question) return { corpus, question }
    first ??= corpus
    if (corpusId !== undefined || questionId === undefined) break
  }
  if (!first) throw new UserError(unknownName('corpus', corpusId ?? '', corpusIds))
  return { corpus: first }
}
