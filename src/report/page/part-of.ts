import { memoise } from '../../basics/memoise.ts'
import type { Manifest, MethodRecord, TrialLine } from '../../records.ts'
import type { Budget, ContextPassage, Message, Question, RankedPassage } from '../../types.ts'
import { plural } from '../../text/amounts.ts'
import { shownQuestions, type ShownQuestion, type ShownScore, type ShownTrial } from '../show/shown-question.ts'
import { fixedAnswer, passageWords, questionLines, whyWords } from '../show/words.ts'
import type { PageRun } from './listed-questions.ts'
import {
  contextMark,
  type PagePart,
  type PartPassage,
  type PartQuestion,
  type PartTrial,
  type RankedSource,
} from './page-data.ts'

/** The messages of a question with its context; null where this version has other words than the run. */
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
    ended: endedBy(trial, method.budget ?? run.manifest.budget),
    cost: costOf(trial.usage),
    prompted: method.answers === undefined && Boolean(answer && !answer.canned),
  }
}

const withoutParts = ({ scorer, run, metrics, skipped, failure }: ShownScore): ShownScore => ({
  scorer,
  run,
  ...(metrics && { metrics }),
  ...(skipped !== undefined && { skipped }),
  ...(failure && { failure: { phase: failure.phase, kind: failure.kind, message: failure.kind } }),
})

/** The chunks are named with their kind; their words are those of a context that held the chunk. */
function rankedSource(
  { kind, from }: RankedPassage,
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
    text: numberOf ? numberOf(text) : null,
    head: passageWords({ ...passage, evidence: [] }),
    evidence,
    ...(order !== undefined && { order }),
    why: numberOf ? whyWords(why) : [],
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

function endedBy({ context, stopped, asked, beyond = [] }: ShownTrial, budget: Budget): string {
  const tokens = context.reduce((sum, passage) => sum + passage.tokens, 0)
  const size = `${plural(context.length, 'passage')}, ${plural(tokens, 'token')}`
  if (stopped === 'tokens')
    return `${size}; cut: the next passage is beyond the limit of tokens (budget ${budget.tokens})`
  // a ranking that was asked for beyond the budget ends, too
  if (stopped === 'passages' || beyond.length > 0)
    return `${size}; cut: later passages are beyond the limit of passages (budget ${budget.passages})`
  if (asked !== undefined && context.length >= asked) return `${size}; the method was asked for no more`
  return `${size}; nothing was cut`
}

/** Numbers things from 0 in the order in which they are met, those of one key alike. */
function numberOnce<T>(keyOf: (one: T) => string): {
  readonly numberOf: (one: T) => number
  readonly all: () => readonly T[]
} {
  const numbers = new Map<string, number>()
  const all: T[] = []
  return {
    numberOf(one) {
      const key = keyOf(one)
      const number = numbers.get(key) ?? all.length
      if (number === all.length) all.push(one)
      numbers.set(key, number)
      return number
    },
    all: () => all,
  }
}

/** The text of a chunk of a corpus as the row was given it; undefined where no context of the run tells it. */
type ChunkText = (row: Pick<MethodRecord, 'id' | 'run'>, corpus: string, chunk: string) => string | undefined

/** Learns the texts of chunks from contexts that hold them alone and whole; one that is told differently has none. */
export function chunkTexts({ methods }: Pick<Manifest, 'methods'>): {
  readonly read: (trial: TrialLine) => void
  readonly textOf: ChunkText
} {
  const within = new Map(methods.flatMap((row) => (row.context === undefined ? [[row.id, row] as const] : [])))
  const known = memoise((_place: string) => new Map<string, string | undefined>())
  // runs of a series may cut one document differently, under the same ids
  const inCorpus = ({ run = '' }: Pick<MethodRecord, 'run'>, corpus: string) => known(JSON.stringify([run, corpus]))
  return {
    read({ methodId, corpus, context }) {
      const row = within.get(methodId)
      if (!row) return
      const texts = inCorpus(row, corpus)
      for (const passage of context) {
        const chunk = chunkOf(passage)
        if (chunk !== undefined)
          texts.set(chunk, !texts.has(chunk) || texts.get(chunk) === passage.text ? passage.text : undefined)
      }
    },
    textOf: (row, corpus, chunk) => inCorpus(row, corpus).get(chunk),
  }
}

const chunkOf = ({ kind, from, derived }: ContextPassage): string | undefined =>
  kind === 'chunk' && !derived && from.length === 1 ? from[0] : undefined
