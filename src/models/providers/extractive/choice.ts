import { memoise, memoiseWeakly } from '../../../basics/memoise.ts'
import type { AnswerChoiceInput } from '../../../tasks/answers.ts'
import type { Language, Sentence } from './language.ts'
import { coverage, denies, negates, placesOf, proximity, rarity, stems, type Weight, windows } from './overlap.ts'

/** The number, from 1, of the option that the context supports best; without a context, of the longest option. */
export function choice(language: Language, asked: AnswerChoiceInput): string {
  const scores = scoresOf(language, asked, language.read(asked.context))
  return String(scores.indexOf(Math.max(...scores)) + 1)
}

function scoresOf(language: Language, asked: AnswerChoiceInput, sentences: readonly Sentence[]): readonly number[] {
  if (sentences.length === 0) return asked.options.map((option) => option.length)
  const found = supports(language, asked, sentences)
  return EXCEPT.test(asked.question) ? found.map(({ score }) => -score) : withTheAbove(found)
}

interface Support {
  readonly option: string
  readonly score: number
  /** The largest share of the option's words that stands in one run of sentences. */
  readonly share: number
}

/** Each option against every run of sentences; right answers are hinted at often, so the best few runs count. */
function supports(
  language: Language,
  { question, options }: AnswerChoiceInput,
  sentences: readonly Sentence[],
): readonly Support[] {
  const rare = rarity(sentences)
  const asked = stems(language.line(question).words)
  const lines = options.map((option) => ({ option, ...language.line(option) }))
  // a stem that several options share says little about any of them
  const weight = memoise((stem: string) => rare(stem) / lines.filter(({ words }) => stems(words).has(stem)).length)
  const runs = askedRuns(asked, sentences, rare)
  return lines.map((line) => ({ option: line.option, ...supportOf(line, runs, weight) }))
}

/** Sentences that follow one another: those that hold a negation, and the places of all. */
const runsOf = memoiseWeakly((sentences: readonly Sentence[]) =>
  windows(sentences, RUN).map((run) => ({ negative: run.filter(negates), places: placesOf(run) })),
)

/** The runs, each with its share of a question; `near`: the share, less for what stands far from an option's words. */
const askedRuns = (asked: ReadonlySet<string>, sentences: readonly Sentence[], rare: Weight) =>
  runsOf(sentences).map((run) => ({
    ...run,
    asked: coverage(asked, run.places, rare),
    near: (option: ReadonlySet<string>): number => proximity(asked, option, run.places, rare),
  }))

/** The weight of the option's words in a run near the question: window and distance of MCTest (2013), multiplied. */
function supportOf(option: Sentence, runs: ReturnType<typeof askedRuns>, weight: Weight): Omit<Support, 'option'> {
  const words = stems(option.words)
  const isDenied = denies(option, words)
  const whole = [...words].reduce((sum, stem) => sum + weight(stem), 0)
  const found = runs.map((run) => {
    const share = coverage(words, run.places, weight)
    if (share === 0) return { share, score: 0 }
    const agrees = run.negative.some((sentence) => denies(sentence, words)) === isDenied
    return { share, score: share * whole * (ASKED + run.asked + run.near(words)) * (agrees ? 1 : DENIED) }
  })
  const best = found.sort((a, b) => b.score - a.score).slice(0, BEST_RUNS)
  return { score: best.reduce((sum, { score }) => sum + score, 0), share: Math.max(...best.map(({ share }) => share)) }
}

/** "All of the above" wins where each other option is supported, "none of the above" where none is. */
function withTheAbove(supports: readonly Support[]): readonly number[] {
  const others = supports.filter(({ option }) => !ABOVE.test(option))
  const best = Math.max(...others.map(({ score }) => score))
  return supports.map(({ option, score }) => {
    const above = ABOVE.exec(option)?.[1]?.toLowerCase()
    if (above === undefined) return score
    const isNone = above === 'none' || above === 'neither'
    return others.every(({ share }) => (isNone ? share < HARDLY : share > LARGELY)) ? best + 1 : -1
  })
}

const ABOVE = /^\W*(all|both|none|neither) of (?:the above|these|them|the other)/i
const EXCEPT = /\b(?:except|EXCEPT|NOT)\b|\b[Ww]hich\b.{0,40}\bnot\b/

/** Sentences in a run, and runs that count. */
const RUN = 3
const BEST_RUNS = 3
/** What a run without the question's words is worth, against 1 more for all of them and 1 for their nearness. */
const ASKED = 0.5
/** What a run is worth that denies while the option does not, or the other way round. */
const DENIED = 0.8
/** Shares of an option's words below and above which it counts as not, or as surely, supported. */
const HARDLY = 0.3
const LARGELY = 0.6
