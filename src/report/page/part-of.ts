import type { Manifest, TrialLine } from '../../records.ts'
import type { ContextPassage, Message, Question } from '../../types.ts'
import { plural } from '../render/plural.ts'
import { shownQuestions, type ShownQuestion, type ShownScore, type ShownTrial } from '../show/shown-question.ts'
import { passageWords, questionLines } from '../show/words.ts'
import type { PageRun } from './listed-questions.ts'
import { contextMark, type PagePart, type PartPassage, type PartQuestion, type PartTrial } from './page-data.ts'

/** What a question was asked with, given its context: the messages, or null where this version has other words than the run. */
export type PromptOf = (manifest: Manifest, question: Question, context: string) => readonly Message[] | null

/** How a part is made. `texts`: whether it holds what datasets and models wrote. */
export interface PartSettings {
  readonly texts: boolean
  readonly promptOf: PromptOf
}

/** Everything about some questions; `ids`: of each question its id in every run. Trials and scores are read once. */
export async function partsOf(
  runs: readonly PageRun[],
  ids: readonly (readonly (string | undefined)[])[],
  perPart: number,
  settings: PartSettings,
): Promise<readonly PagePart[]> {
  const shown: ReadonlyMap<string, ShownQuestion>[] = []
  for (const [index, run] of runs.entries()) {
    const own = ids.flatMap((one) => one[index] ?? [])
    const found = await shownQuestions(run, run.manifest.methods, own)
    shown.push(new Map(found.map((one) => [one.question.id, one])))
  }
  const parts: PagePart[] = []
  for (let from = 0; from < ids.length; from += perPart) {
    const texts = textNumbers()
    const questions = ids.slice(from, from + perPart).map((one) => {
      const inRuns = runs.map((run, index) => ({ run, shown: shown[index]?.get(one[index] ?? '') }))
      return partQuestion(inRuns, texts.numberOf, settings)
    })
    parts.push({ texts: texts.all(), questions })
  }
  return parts
}

interface InRun {
  readonly run: PageRun
  readonly shown: ShownQuestion | undefined
}

function partQuestion(
  inRuns: readonly InRun[],
  numberOf: (text: string) => number,
  { texts, promptOf }: PartSettings,
): PartQuestion {
  const first = inRuns.find(({ shown }) => shown)
  const question = first?.shown?.question
  const messages = (context: string) =>
    texts && first && question ? promptOf(first.run.manifest, question, context) : null
  const [filled, empty] = [messages(contextMark), messages('')]
  const { reference } = question ?? {}
  return {
    options: texts && reference?.kind === 'choice' ? reference.options : [],
    about: question && texts ? questionLines(question) : [],
    evidence: texts ? (question?.evidence ?? []).map(({ text = '' }) => text) : [],
    prompts: filled && empty ? { filled, empty } : null,
    rows: inRuns.flatMap(({ run, shown }) =>
      run.manifest.methods.map((method, index) =>
        (shown?.rows[index]?.trials ?? []).map((trial) =>
          partTrial(trial, texts, method.answers === undefined, run.manifest, numberOf),
        ),
      ),
    ),
  }
}

function partTrial(
  trial: ShownTrial,
  texts: boolean,
  asks: boolean,
  manifest: Manifest,
  numberOf: (text: string) => number,
): PartTrial {
  const { repeat, answer, failure, scores, context } = trial
  const bare = failure && { phase: failure.phase, kind: failure.kind, message: failure.kind }
  return {
    repeat,
    ...(answer && { answer: texts ? answer : { ...answer, text: '' } }),
    ...(failure && bare && { failure: texts ? failure : bare }),
    scores: texts ? scores : scores.map(withoutParts),
    context: context.map((passage) => partPassage(passage, texts ? numberOf : undefined)),
    ended: endedBy(trial, manifest),
    cost: costOf(trial.usage),
    prompted: asks && answer !== undefined && !answer.canned,
  }
}

const withoutParts = ({ scorer, run, metrics, skipped, failure }: ShownScore): ShownScore => ({
  ...{ scorer, run },
  ...(metrics && { metrics }),
  ...(skipped !== undefined && { skipped }),
  ...(failure && { failure: { phase: failure.phase, kind: failure.kind, message: failure.kind } }),
})

function partPassage(passage: ContextPassage, numberOf: ((text: string) => number) | undefined): PartPassage {
  const { text, evidence = [], order, why = {} } = passage
  return {
    ...{ text: numberOf ? numberOf(text) : null, head: passageWords(passage), evidence },
    ...(order !== undefined && { order }),
    why: numberOf
      ? Object.entries(why).map(
          ([name, value]) => `${name}: ${typeof value === 'object' && value ? value.join(', ') : String(value)}`,
        )
      : [],
  }
}

function endedBy({ context, stopped }: ShownTrial, { budget }: Manifest): string {
  const tokens = context.reduce((sum, passage) => sum + passage.tokens, 0)
  const size = `${plural(context.length, 'passage')}, ${plural(tokens, 'token')}`
  if (stopped === 'end') return `${size}; nothing was cut`
  if (stopped === 'passages')
    return `${size}; cut: later passages are beyond the limit of passages (budget ${budget.passages})`
  return `${size}; cut: the next passage is beyond the limit of tokens (budget ${budget.tokens})`
}

function costOf({ retrieve, answer }: TrialLine['usage']): string {
  const words = [
    ['search', retrieve],
    ['answer', answer],
  ] as const
  return words
    .map(([name, { calls, promptTokens, completionTokens, embeddedTokens }]) => {
      const embedded = embeddedTokens > 0 ? `, ${embeddedTokens} embedded` : ''
      return `${name}: ${plural(calls, 'call')}, ${promptTokens} prompt and ${completionTokens} completion tokens${embedded}`
    })
    .join('; ')
}

/** Numbers texts from 0, equal ones alike. */
function textNumbers() {
  const numbers = new Map<string, number>()
  return {
    numberOf: (text: string): number => {
      const number = numbers.get(text) ?? numbers.size
      numbers.set(text, number)
      return number
    },
    all: (): readonly string[] => [...numbers.keys()],
  }
}
