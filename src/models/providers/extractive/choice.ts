import { memoise, memoiseWeakly } from '../../../basics/memoise.ts'
import type { AnswerChoiceInput } from '../../../tasks/answers.ts'
import type { Language, Sentence } from './language.ts'
import {
  coverage,
  denies,
  negates,
  type Places,
  placesOf,
  proximity,
  rarity,
  stems,
  type Weight,
  windows,
} from './overlap.ts'

/** The number, from 1, of the option that the context supports best; without a context, of the longest option. */
export function choice(language: Language, { question, options, context }: AnswerChoiceInput): string {
  const sentences = language.read(context)
  const found = sentences.length > 0 ? supports(language, question, options, sentences) : []
  const scores =
    sentences.length === 0
      ? options.map((option) => option.length)
      : EXCEPT.test(question)
        ? found.map(({ score }) => -score)
        : withTheAbove(found)
  return String(scores.indexOf(Math.max(...scores)) + 1)
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
  question: string,
  options: readonly string[],
  sentences: readonly Sentence[],
): readonly Support[] {
  const rare = rarity(sentences)
  const asked = stems(language.line(question).words)
  const lines = options.map((option) => ({ option, ...language.line(option) }))
  // a stem that several options share says little about any of them
  const weight = memoise((stem: string) => rare(stem) / lines.filter(({ words }) => stems(words).has(stem)).length)
  const runs = runsOf(sentences).map((run): AskedRun => ({
    ...run,
    asked: coverage(asked, run.places, rare),
    near: (option) => proximity(asked, option, run.places, rare),
  }))
  return lines.map((line) => ({ option: line.option, ...supportOf(line, runs, weight) }))
}

/** Sentences that follow one another. */
interface Run {
  /** Its sentences that hold a negation. */
  readonly negative: readonly Sentence[]
  readonly places: Places
}

const runsOf = memoiseWeakly((sentences: readonly Sentence[]): readonly Run[] =>
  windows(sentences, RUN).map((run) => ({ negative: run.filter(negates), places: placesOf(run) })),
)

interface AskedRun extends Run {
  readonly asked: number
  /** The same share, less for what stands far from the option's words. */
  near(option: ReadonlySet<string>): number
}

/** The weight of the option's words in a run near the question: window and distance of MCTest (2013), multiplied. */
function supportOf(option: Sentence, runs: readonly AskedRun[], weight: Weight): Omit<Support, 'option'> {
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
