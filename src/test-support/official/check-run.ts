import { join } from 'node:path'
import { chunk } from '../../chunking/index.ts'
import type { Plan } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import type { ScoreLine, TrialLine } from '../../records.ts'
import { openResults, prepare, type Results, type Settings } from '../../run/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import type { Answer, Corpus, Method } from '../../types.ts'
import { locatorOf } from './located.ts'
import { officialScores, type Evaluated } from './official-scores.ts'

/** A score that the official scripts do not give. */
interface Difference {
  readonly question: string
  readonly metric: string
  readonly ours: number | string
  readonly official: number | string
}

/** One row of a run against the official scripts. `trials`: those of which at least one score was compared. */
export interface CheckedRow {
  readonly row: string
  readonly trials: number
  readonly scores: number
  /** Scores that a scorer declined to give. */
  readonly skipped: number
  /** Trials that failed, which have no score. */
  readonly failed: number
  readonly differences: readonly Difference[]
}

interface Checked {
  readonly rows: readonly CheckedRow[]
  /** `scorer metric` of what the official scripts do not measure. */
  readonly notCompared: readonly string[]
}

/** Scores every trial of a run anew and compares with scores.jsonl. Throws UserError where the run is not there. */
export async function checkRun(plan: Plan, settings: Settings): Promise<Checked> {
  const preparation = await prepare(plan, settings)
  try {
    const results = await openResults(join(settings.results, `${plan.name}-${preparation.hash}`), settings.results)
    const scorers = preparation.scorers.filter(({ scorer }) => scorer.name in officialScores)
    if (scorers.length === 0)
      throw new UserError(
        `none of the run's scorers has an official script; these have: ${Object.keys(officialScores).join(', ')}`,
      )
    const trials = await trialsOf(results)
    const scores = await scoresOf(results)
    const corpora = new Map<string, Corpus>()
    for await (const corpus of preparation.corpora()) corpora.set(corpus.id, corpus)
    const evaluators = new Map(Array.from(corpora, ([id, corpus]) => [id, evaluatorOf(corpus, plan)]))
    const notCompared = new Set<string>()
    const rows = preparation.methods.map(({ id: methodId, row, method }): CheckedRow => {
      const differences: Difference[] = []
      const count = { trials: 0, scores: 0, skipped: 0, failed: 0 }
      for (const trial of trials.filter((one) => one.methodId === methodId)) {
        const evaluate = evaluators.get(trial.corpus)?.(trial)
        if (evaluate === 'not asked' || evaluate === undefined) continue
        if (evaluate === 'failed') {
          count.failed++
          continue
        }
        const before = count.scores
        for (const { id, label, scorer, options } of scorers) {
          if (!scorer.kinds.includes(evaluate.question.reference.kind)) continue
          const line = scores.get(`${trial.id} ${id}`)
          const question = evaluate.question.id
          if (!line?.metrics) {
            if (line?.skipped !== undefined) count.skipped++
            else differences.push({ question, metric: label, ours: 'no score', official: 'a score' })
            continue
          }
          const missing = isMissing(evaluate.answer, method, scorer.name, options)
          const official = officialScores[scorer.name]!({ ...evaluate, missing }, options)
          for (const [metric, expectedScore] of Object.entries(official))
            if (!(metric in line.metrics))
              differences.push({ question, metric: `${label} ${metric}`, ours: 'no score', official: expectedScore })
          for (const [metric, ourScore] of Object.entries(line.metrics)) {
            const expectedScore = official[metric]
            if (expectedScore === undefined) {
              notCompared.add(`${label} ${metric}`)
              continue
            }
            count.scores++
            if (!(Math.abs(ourScore - expectedScore) <= 1e-12))
              differences.push({ question, metric: `${label} ${metric}`, ours: ourScore, official: expectedScore })
          }
        }
        if (count.scores > before) count.trials++
      }
      return { row: [row.method, row.variant].filter(Boolean).join(' '), ...count, differences }
    })
    return { rows, notCompared: [...notCompared].sort() }
  } finally {
    await preparation.close()
  }
}

/** Whether it is the answer to an empty context, which earns nothing unless the scorer credits it. */
function isMissing({ canned }: Answer, method: Method, scorer: string, options: unknown): boolean {
  const { creditCanned = scorer === 'accuracy' } = options as { readonly creditCanned?: boolean }
  return canned === true && !creditCanned && method.ranks !== false
}

type Answered = Omit<Evaluated, 'missing'>

/** What the trials of one corpus are scored from: the questions of the dataset, and the documents cut again. */
function evaluatorOf(corpus: Corpus, { chunks: settings }: Plan) {
  const words = tokenizer(settings.tokenizer)
  const chunks = corpus.documents.flatMap((document, index) => chunk(document, index, settings, words))
  const questions = new Map(corpus.questions.map((question) => [question.id, question]))
  const common = { chunks: chunks.map(({ id }) => id), locate: locatorOf(corpus, chunks) }
  return ({ question: { id }, context, answer }: TrialLine): Answered | 'failed' | 'not asked' => {
    const question = questions.get(id)
    if (!question) return 'not asked'
    return answer ? { question, context, answer, ...common } : 'failed'
  }
}

/** The trials by their id: what failed and was asked again counts as it ended. */
async function trialsOf(results: Results): Promise<readonly TrialLine[]> {
  const byId = new Map<string, TrialLine>()
  for await (const line of results.trials()) if (line.line === 'trial') byId.set(line.id, line)
  return [...byId.values()]
}

async function scoresOf(results: Results): Promise<ReadonlyMap<string, ScoreLine>> {
  const byKey = new Map<string, ScoreLine>()
  for await (const line of results.scores()) byKey.set(`${line.trial} ${line.scorerId}`, line)
  return byKey
}

/** Python's string.punctuation. */
const punctuation = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~')

/** The code points at which Python's str.split() cuts, beside U+2000 to U+200A. */
const spaces = new Set(
  [9, 10, 11, 12, 13, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000].map(
    (code) => String.fromCharCode(code),
  ),
)

/** The tokens of normalize_answer of SQuAD, Qasper and MuSiQue: lower case, no punctuation, no articles. */
export function tokensOf(answer: string): string[] {
  const tokens: string[] = []
  let token = ''
  // Python's \b stands where a letter, digit or underscore meets another sign, also within a token: "the—end"
  let word = ''
  const endWord = (): void => {
    if (['a', 'an', 'the'].includes(word)) endToken()
    else token += word
    word = ''
  }
  const endToken = (): void => {
    if (token !== '') tokens.push(token)
    token = ''
  }
  for (const sign of answer.toLowerCase()) {
    if (punctuation.has(sign)) continue
    if (/[\p{L}\p{N}_]/u.test(sign)) {
      word += sign
      continue
    }
    endWord()
    if (isSpace(sign)) endToken()
    else token += sign
  }
  endWord()
  endToken()
  return tokens
}

/** normalize_answer. */
export const normaliseText = (answer: string): string => tokensOf(answer).join(' ')

/** How many tokens two lists share, each as often as both hold it (Counter & Counter). */
export function inCommon(one: readonly string[], right: readonly string[]): number {
  const remaining = [...right]
  return one.filter((token) => {
    const at = remaining.indexOf(token)
    if (at >= 0) remaining.splice(at, 1)
    return at >= 0
  }).length
}

const isSpace = (sign: string): boolean => spaces.has(sign) || (sign >= '\u2000' && sign <= '\u200a')
