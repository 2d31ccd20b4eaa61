import type { BeyondPassage, Manifest, MethodRecord, TrialLine } from '../../records.ts'
import type { ContextPassage, Message, Question } from '../../types.ts'
import { plural } from '../render/plural.ts'
import { shownQuestions, type ShownQuestion, type ShownScore, type ShownTrial } from '../show/shown-question.ts'
import { fixedAnswer, passageWords, questionLines } from '../show/words.ts'
import type { PageRun } from './listed-questions.ts'
import type { ChunkText } from './chunk-texts.ts'
import { numberOnce } from './number-once.ts'
import { endedBy } from './ended-by.ts'
import {
  contextMark,
  type PagePart,
  type PartPassage,
  type PartQuestion,
  type PartTrial,
  type RankedSource,
} from './page-data.ts'

/** What a question was asked with, given its context: the messages, or null where this version has other words than the run. */
export type PromptOf = (manifest: Manifest, question: Question, context: string) => readonly Message[] | null

/** How a part is made. `texts`: whether it holds what datasets and models wrote. */
export interface PartSettings {
  readonly texts: boolean
  readonly promptOf: PromptOf
}

/** A run, and what its contexts tell of its chunks. */
export interface PartRun extends PageRun {
  readonly textOf: ChunkText
}

/** Everything about some questions; `ids`: of each question its id in every run. Trials and scores are read once. */
export async function partsOf(
  runs: readonly PartRun[],
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
    const numbers = {
      texts: numberOnce((text: string) => text),
      ranked: numberOnce(({ head, text }: RankedSource) => JSON.stringify([head, text])),
    }
    const questions = ids.slice(from, from + perPart).map((one) => {
      const inRuns = runs.map((run, index) => ({ run, shown: shown[index]?.get(one[index] ?? '') }))
      return partQuestion(inRuns, numbers, settings)
    })
    parts.push({ texts: numbers.texts.all(), ranked: numbers.ranked.all(), questions })
  }
  return parts
}

interface InRun {
  readonly run: PartRun
  readonly shown: ShownQuestion | undefined
}

/** What a part holds once, and its trials name by a number. */
interface Numbers {
  readonly texts: { readonly numberOf: (text: string) => number }
  readonly ranked: { readonly numberOf: (source: RankedSource) => number }
}

function partQuestion(inRuns: readonly InRun[], numbers: Numbers, { texts, promptOf }: PartSettings): PartQuestion {
  const first = inRuns.find(({ shown }) => shown)
  const question = first?.shown?.question
  const messages = (context: string) =>
    texts && first && question ? promptOf(first.run.manifest, question, context) : null
  const [filled, empty] = [messages(contextMark), messages('')]
  const { reference } = question ?? {}
  return {
    corpus: first?.shown?.rows.flatMap(({ trials }) => trials)[0]?.corpus ?? '',
    options: texts && reference?.kind === 'choice' ? reference.options : [],
    about: question && texts ? questionLines(question) : [],
    evidence: texts ? (question?.evidence ?? []).map(({ text = '' }) => text) : [],
    prompts: filled && empty ? { filled, empty } : null,
    rows: inRuns.flatMap(({ run, shown }) =>
      run.manifest.methods.map((method, index) =>
        (shown?.rows[index]?.trials ?? []).map((trial) => partTrial(trial, { run, method, texts }, numbers)),
      ),
    ),
  }
}

function partTrial(
  trial: ShownTrial,
  { run, method, texts }: { readonly run: PartRun; readonly method: MethodRecord; readonly texts: boolean },
  numbers: Numbers,
): PartTrial {
  const { repeat, answer, failure, scores, context, beyond = [] } = trial
  const bare = failure && { phase: failure.phase, kind: failure.kind, message: failure.kind }
  return {
    repeat,
    ...(answer && { answer: texts ? answer : { ...answer, text: '' } }),
    ...(answer?.canned && { fixed: fixedAnswer(trial.stopped) }),
    ...(failure && bare && { failure: texts ? failure : bare }),
    scores: texts ? scores : scores.map(withoutParts),
    context: context.map((passage) => partPassage(passage, texts ? numbers.texts.numberOf : undefined)),
    beyond: beyond.map((passage) =>
      numbers.ranked.numberOf(rankedSource(passage, (chunk) => run.textOf(method, trial.corpus, chunk), numbers)),
    ),
    beyondEvidence: beyond.flatMap(({ evidence }, place) => (evidence ? [[place, evidence] as const] : [])),
    ended: endedBy(trial, run.manifest),
    cost: costOf(trial.usage),
    prompted: method.answers === undefined && answer !== undefined && !answer.canned,
  }
}

const withoutParts = ({ scorer, run, metrics, skipped, failure }: ShownScore): ShownScore => ({
  ...{ scorer, run },
  ...(metrics && { metrics }),
  ...(skipped !== undefined && { skipped }),
  ...(failure && { failure: { phase: failure.phase, kind: failure.kind, message: failure.kind } }),
})

/** The chunks are named with their kind; their words are those of a context that held the chunk. */
function rankedSource(
  { kind, from }: BeyondPassage,
  textOf: (chunk: string) => string | undefined,
  { texts }: Numbers,
): RankedSource {
  const [chunk] = from
  const text = kind === 'chunk' && chunk !== undefined && from.length === 1 ? textOf(chunk) : undefined
  const named = from.length > mostNamed ? `${from.slice(0, mostNamed).join(', ')}, …` : from.join(', ')
  const head = kind === 'chunk' ? named : `${kind} of ${plural(from.length, 'chunk')}: ${named}`
  return { head, text: text === undefined ? null : texts.numberOf(text) }
}

/** A summary may be of hundreds of chunks. */
const mostNamed = 5

function partPassage(passage: ContextPassage, numberOf: ((text: string) => number) | undefined): PartPassage {
  const { text, evidence = [], order, why = {} } = passage
  return {
    ...{ text: numberOf ? numberOf(text) : null, head: passageWords({ ...passage, evidence: [] }), evidence },
    ...(order !== undefined && { order }),
    why: numberOf
      ? Object.entries(why).map(
          ([name, value]) => `${name}: ${typeof value === 'object' && value ? value.join(', ') : String(value)}`,
        )
      : [],
  }
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
