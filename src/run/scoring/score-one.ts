import { UserError } from '../../errors.ts'
import { checkScore } from './score-lines.ts'
import { scorers } from '../../scorers/index.ts'
import { languageOf } from '../../text/language.ts'
import { unknownName } from '../../text/names.ts'
import type { Score, Scorer, Answer, ContextPassage, Opponent, Question, Reference, ScorerInput } from '../../types.ts'
import { createUsageCounter, inMemoryCache, openModels, type ModelRequest } from '../../models/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { ModelSetting } from '../run-config.ts'

export interface ScoreSettings {
  /** Options of the scorer, as a config has them. */
  readonly options?: unknown
  /** The models that it asks, opened for this call alone. */
  readonly models?: JudgeSettings
}

export async function score<O>(
  scorer: string | Scorer<O>,
  answeredQuestion: Asked,
  { options = {}, models = {} }: ScoreSettings = {},
): Promise<Score> {
  // the schema of the scorer returns its own option type
  const plugIn = typeof scorer === 'string' ? await findScorer(scorer) : scorer
  const parsing = plugIn.options.safeParse(options)
  if (!parsing.success) {
    const [issue] = parsing.error.issues
    throw new UserError(
      `${plugIn.name}: ${['options', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'not valid'}`,
    )
  }
  const judge = await openJudge(models)
  try {
    const input = scorerInputOf(answeredQuestion, plugIn, judge.models.countTokens)
    const language = await languageOf([input.question.text])
    const scorerOptions = (language && plugIn.forLanguage?.(parsing.data, language)) ?? parsing.data
    const score = await plugIn.score(input, judge.models, scorerOptions)
    checkScore(score, { label: plugIn.name, scorer: plugIn })
    return score
  } finally {
    await judge.close()
  }
}

async function findScorer(name: string): Promise<Scorer> {
  const scorer = await scorers.load(name)
  if (scorer) return scorer
  throw new UserError(unknownName('scorer', name, scorers.names))
}

/** An answered question: what is not given is filled in. */
export interface Asked {
  /** The question; a text is joined by `reference`. */
  readonly question: string | Question
  /** What is right, for a question that is a text: accepted texts, or a whole reference. */
  readonly reference?: string | readonly string[] | Reference
  readonly answer: string | Answer
  /** What the answer was made from, best first. */
  readonly context?: readonly (string | (Partial<ContextPassage> & Pick<ContextPassage, 'text'>))[]
  /** Ids of all chunks that overlap the evidence, for scorers of retrieval; passages name theirs in `from`. */
  readonly relevant?: readonly string[]
  /** Reference texts of all questions, for a scorer that weighs words by them. */
  readonly references?: readonly string[]
  /** Other answers to the question, for a scorer that compares answers. */
  readonly opponents?: readonly Opponent[]
}

function scorerInputOf(
  { question: questionOrText, reference, answer, context = [], relevant, references, opponents }: Asked,
  { name, kinds }: Pick<Scorer, 'name' | 'kinds'>,
  countTokens: (text: string) => number,
): ScorerInput {
  if (typeof questionOrText !== 'string' && reference !== undefined)
    throw new UserError(`${name}: a question that is no text has its own reference; leave the other out`)
  const question: Question =
    typeof questionOrText === 'string'
      ? { id: 'question', text: questionOrText, reference: referenceOf(reference, name, kinds) }
      : questionOrText
  const { kind } = question.reference
  if (!kinds.includes(kind))
    throw new UserError(`${name} scores questions of the kind ${kinds.join(', ')}, not of the kind ${kind}`)
  return {
    question,
    answer: typeof answer === 'string' ? { text: answer } : answer,
    context: context.map((passage, rank): ContextPassage => {
      const { text, ...fields } = typeof passage === 'string' ? { text: passage } : passage
      const score = context.length - rank
      return { text, score, from: [], kind: 'chunk', tokens: countTokens(text), documents: [], spans: [], ...fields }
    }),
    ...(relevant && { relevant }),
    ...(references && { references }),
    ...(opponents && { opponents }),
  }
}

/** Texts are accepted answers, or of the first other kind that the scorer scores. */
function referenceOf(reference: Asked['reference'], name: string, kinds: Scorer['kinds']): Reference {
  if (typeof reference === 'object' && 'kind' in reference) return reference
  const texts = [reference ?? []].flat()
  if (kinds.includes('answer')) return { kind: 'answer', accepted: texts.map((text) => ({ text })) }
  if (kinds.includes('summary')) return { kind: 'summary', accepted: texts }
  if (kinds.includes('turn')) return { kind: 'turn', accepted: texts[0] ?? '' }
  throw new UserError(
    `${name} scores choices: give reference: { kind: 'choice', options: ['…', '…'], correct: 0 } and answer: { text, choice }`,
  )
}

/** The models that scorers ask: `judge` runs tasks, `embed` embeds texts. */
export interface JudgeSettings {
  readonly judge?: ModelSetting
  readonly embed?: ModelSetting
  /** Where built models may be kept (default: `.cache`). */
  readonly cacheFolder?: string
  readonly signal?: AbortSignal
}

async function openJudge({ judge, embed, cacheFolder = '.cache', signal }: JudgeSettings) {
  const model = requestOf(judge)
  const openedModels = await openModels(
    { complete: model, judge: model, embed: requestOf(embed) },
    {
      cache: inMemoryCache(),
      tokenizer: tokenizer('o200k_base'),
      cacheFolder,
      signal: signal ?? new AbortController().signal,
    },
  )
  const models = openedModels.scope({ phase: 'judge', sample: 0, seed: ['score'], counter: createUsageCounter() })
  const embedding = refusalOf('embed', 'minilm')
  const judging = refusalOf('judge', 'extractive')
  return {
    models: {
      ...models,
      ...(judge === undefined && { run: judging }),
      ...(embed === undefined && { embed: embedding, embedTokens: embedding, tokenIds: embedding }),
    },
    close: () => openedModels.close(),
  }
}

/** Of a role without a model, calls of which are refused, the provider that needs nothing. */
function requestOf(setting: ModelSetting = 'fake'): ModelRequest {
  if (typeof setting === 'string' || !('use' in setting)) return { use: setting, options: {} }
  const { use, ...options } = setting
  return { use, options }
}

const refusalOf = (role: 'judge' | 'embed', example: string) => (): never => {
  throw new UserError(`the scorer needs a model: give models.${role}, such as { models: { ${role}: '${example}' } }`)
}
