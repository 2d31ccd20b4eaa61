import { groupBy, itemAt } from '../../basics/collections.ts'
import { around, cr2Mean, errorOrNull, type Cr2Mean } from '../../math/statistics/cr2.ts'
import { mean, variance } from '../../math/statistics/descriptive.ts'
import { betweenIndexVariance, type RepeatedValues } from '../../math/statistics/between-index-variance.ts'
import { wilson } from '../../math/statistics/proportions.ts'
import type { Row } from '../../records.ts'

/** A mean over questions, and how sure it is. What cannot be known from the scores is null. */
export interface Estimate {
  /** Mean over questions of their means over repeats and judge runs; null where nothing was scored. */
  readonly mean: number | null
  /** Questions scored, and clusters of questions that share a text. */
  readonly n: number
  readonly clusters: number
  /** Share of the questions that the largest cluster holds. */
  readonly largest: number
  /** Cluster-robust standard error (CR2), with the luck of three indexes or more; null for fewer than two clusters. */
  readonly error: number | null
  /**
   * 95 % interval: Wilson's for a share of independent questions or of clusters that are all right or all wrong, else
   * by Student's t with Bell and McCaffrey's degrees of freedom.
   */
  readonly low: number | null
  readonly high: number | null
  /** Repeats, and the sample variance of their means over the questions that all have; null for fewer than two. */
  readonly repeats: number
  readonly repeatVariance: number | null
  /** Judge runs, and the sample variance of their means, averaged over repeats; null for fewer than two. */
  readonly judgeRuns: number
  readonly judgeVariance: number | null
  /** Of a row whose repeats have indexes of their own. */
  readonly luck?: Luck
}

/** Indexes, and the standard deviation between them of a mean over all questions; null where the error lacks it. */
export interface Luck {
  readonly indexes: number
  readonly deviation: number | null
}

/** Judge runs nest in repeats, and repeats in questions, unless `ownIndexes`: then repeats share an index's luck. */
export function estimate(
  scores: readonly QuestionScores[],
  clusterOf: (question: number) => string | number,
  ownIndexes = false,
): Estimate {
  const runs = runsOf(scores)
  if (scores.length === 0) return { ...nothing, ...runs }
  const values = scores.map((one) => one.mean)
  const questions = cr2Mean(
    values,
    scores.map(({ question }) => clusterOf(question)),
  )
  const { found, luck } =
    ownIndexes && runs.repeats > 1
      ? withLuck(
          questions,
          scores.map((one) => ({ cluster: clusterOf(one.question), values: valuesByRepeat(one) })),
        )
      : { found: questions, luck: undefined }
  const { mean: centre, n, clusters, largest } = found
  const known = errorOrNull(found)
  const isYesOrNo = values.every((value) => value === 0 || value === 1)
  const isEqual = known.error === null && clusters > 1
  const { low, high } =
    isYesOrNo && (clusters === n || isEqual) ? wilson(Math.round(centre * clusters), clusters) : known
  return { mean: centre, n, clusters, largest, error: known.error, low, high, ...runs, ...(luck && { luck }) }
}

/** A mean with the luck of indexes in its error, where three or more tell it. */
export function withLuck<T extends Cr2Mean>(
  found: T,
  questions: readonly RepeatedValues[],
): { readonly found: T; readonly luck: Luck } {
  const { indexes, variance: between, error, degrees } = betweenIndexVariance(found, questions)
  if (between === null || error === undefined || degrees === undefined)
    return { found, luck: { indexes, deviation: null } }
  const luck = { indexes, deviation: Math.sqrt(Math.max(0, between)) }
  return { found: { ...found, error, degrees, ...around(found.mean, { error, degrees }) }, luck }
}

/** The mean over judge runs of every repeat. */
export const valuesByRepeat = ({ repeats }: Pick<QuestionScores, 'repeats'>): ReadonlyMap<number, number> =>
  new Map(repeats.map(({ repeat, values }) => [repeat, mean(values.map(({ value }) => value))]))

const nothing = { mean: null, n: 0, clusters: 0, largest: 0, error: null, low: null, high: null } as const

function runsOf(
  scores: readonly QuestionScores[],
): Pick<Estimate, 'repeats' | 'repeatVariance' | 'judgeRuns' | 'judgeVariance'> {
  const runMeans = runMeansOf(scores)
  const repeats = runMeans.length
  const inAll = scores.filter((one) => one.repeats.length === repeats)
  // means of other questions would differ without any repeat
  const shared = inAll.length === scores.length ? runMeans : runMeansOf(inAll)
  const judgeRuns = Math.max(0, ...runMeans.map((means) => means.length))
  return {
    repeats,
    repeatVariance: known(spread(shared.map((means) => mean(means)))),
    judgeRuns,
    judgeVariance: judgeRuns > 1 ? known(mean(runMeans.filter(({ length }) => length > 1).map(spread))) : null,
  }
}

/** Of every repeat the means of its judge runs over the questions. */
function runMeansOf(scores: readonly QuestionScores[]): readonly (readonly number[])[] {
  const repeats = scores.flatMap((one) => one.repeats)
  return Array.from(groupBy(repeats, ({ repeat }) => repeat).values(), (own) => {
    const values = own.flatMap((one) => one.values)
    const byRun = groupBy(values, ({ run }) => run).values()
    return Array.from(byRun, (ofRun) => mean(ofRun.map(({ value }) => value)))
  })
}

/** Seen from the first, so that means that agree do not vary by rounding. */
const spread = (means: readonly number[]): number => variance(means.map((one) => one - (means[0] ?? 0)))

const known = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** A mean over questions as people would score them. */
export interface HumanMean {
  /** Questions with a human label. */
  readonly labelled: number
  /** The mean of the human labels; null without any. */
  readonly human: number | null
  /** PPI++: from the labels and the judge's scores of all questions; null for too few labelled questions. */
  readonly corrected: Corrected | null
}

interface Corrected {
  readonly mean: number
  /** Standard error, its degrees of freedom and 95 % interval; null where the labels do not tell. */
  readonly error: number | null
  readonly degrees: number | null
  readonly low: number | null
  readonly high: number | null
  /** Weight of the judge, 0 to 1. */
  readonly lambda: number
}

/** A number of a table. Scores are fractions; null where nothing could be scored. */
export interface Cell extends Row, Estimate {
  readonly dataset: string
  readonly scorer: string
  readonly metric: string
  /** `all`, a tag of the questions, or a subset that the scorer found. */
  readonly subset: string
  /** Scores that failed, those of failed trials among them. */
  readonly failed: number
  /** The mean if every question that failed had the least score, and if the greatest; null without such an end. */
  readonly least: number | null
  readonly greatest: number | null
  /** Answers that the scorer declined, in the run in which it declined most. */
  readonly skipped: number
  /** What human labels say of the mean of a judge, where such labels were given. */
  readonly people?: HumanMean
}

/** Scores of one metric: values by question, repeat and judge run. */
export interface Observations {
  /** `question`, `repeat` and `run` are numbered from 0. */
  add(question: number, repeat: number, run: number, value: number): void
  /** The values of every question that has one, a list a repeat, by judge run. */
  byQuestion(): readonly QuestionScores[]
}

export interface QuestionScores {
  readonly question: number
  /** s_iA: the mean over repeats of the means over judge runs. */
  readonly mean: number
  /** A repeat's values by judge run. */
  readonly repeats: readonly Repeat[]
}

interface Repeat {
  readonly repeat: number
  readonly values: readonly { readonly run: number; readonly value: number }[]
}

/**
 * No scores yet. Kept as lists of numbers, which take less memory than objects: these are made when they are read, and
 * go when memory is needed.
 */
export function observations(): Observations {
  const [questions, repeats, runs, values]: [number[], number[], number[], number[]] = [[], [], [], []]
  const at = (list: readonly number[]) => (entry: number) => itemAt(list, entry)
  let read: WeakRef<readonly QuestionScores[]> | undefined
  const readAll = (): readonly QuestionScores[] => {
    const order = [...questions.keys()].sort(
      (a, b) => at(questions)(a) - at(questions)(b) || at(repeats)(a) - at(repeats)(b) || at(runs)(a) - at(runs)(b),
    )
    return Array.from(groupBy(order, at(questions)), ([question, ofQuestion]) => {
      const byRepeat = Array.from(groupBy(ofQuestion, at(repeats)), ([repeat, ofRepeat]) => ({
        repeat,
        values: ofRepeat.map((entry) => ({ run: at(runs)(entry), value: at(values)(entry) })),
      }))
      return { question, repeats: byRepeat, mean: mean([...valuesByRepeat({ repeats: byRepeat }).values()]) }
    })
  }
  return {
    add(question, repeat, run, value) {
      read = undefined
      questions.push(question)
      repeats.push(repeat)
      runs.push(run)
      values.push(value)
    },
    byQuestion() {
      const scores = read?.deref() ?? readAll()
      read = new WeakRef(scores)
      return scores
    },
  }
}

/** Questions of a run, numbered from 0 in the order in which they are met. */
export interface QuestionNumbers {
  readonly numberOf: (id: string, cluster: string | undefined) => number
  readonly idOf: (number: number) => string
  /** The cluster of a question, by its number; one that has none is a cluster of its own. */
  readonly clusterOf: (number: number) => string | number
}

export function questionNumbers(): QuestionNumbers {
  const numbers = new Map<string, number>()
  const questions: { readonly id: string; readonly cluster: string | undefined }[] = []
  return {
    numberOf(id, cluster) {
      const number = numbers.get(id) ?? questions.push({ id, cluster }) - 1
      numbers.set(id, number)
      return number
    },
    idOf: (number) => itemAt(questions, number).id,
    clusterOf: (number) => questions[number]?.cluster ?? number,
  }
}
