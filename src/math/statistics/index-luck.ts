import { cr2Mean, type Cr2Mean } from './cr2.ts'
import { mean, sum, variance } from './descriptive.ts'

/** A question's values by repeat, in the mean over judge runs, and its cluster. */
export interface RepeatedValues {
  readonly cluster: string | number
  readonly values: ReadonlyMap<number, number>
}

/** What repeats with an index of their own say of the luck of an index. */
export interface IndexLuck {
  readonly indexes: number
  /**
   * Variance of a mean over all questions between indexes, without what questions and answers add; below 0 where these
   * alone vary more: read as 0. Null for fewer than three indexes, which say too little of it.
   */
  readonly variance: number | null
  /** Of the mean, with the luck of so many indexes; undefined where that is not known. */
  readonly error?: number
  readonly degrees?: number
}

/** Fewest repeats with an index of their own whose luck is in an error. */
export const fewestIndexes = 3

/**
 * The error of a mean over questions whose every repeat r asked an index of its own: y_qr = μ + question + index +
 * question × index, crossed and random (Searle, Casella and McCulloch 1992; specification of statistics, section 7).
 * With A = CR2² of the means over repeats (`found`), B = the variance of the repeats' means / R, and C what question ×
 * index gives to B (CR2² of the deviations of each repeat from these means), error² = max(A, C) + max(0, B − C), for R
 * repeats. Of independent questions A = MS_q / QR, B = MS_i / QR and C = MS_qi / QR. Degrees of freedom by
 * Satterthwaite, never more than those of A. Judge runs of an answer are its own: their mean is a value. B and C are of
 * the questions that have all repeats. Simulated with three indexes, 95 % intervals hold 94 to 97 %, and 92 % where
 * nearly all variance is of the index.
 */
export function indexLuck(found: Pick<Cr2Mean, 'error' | 'degrees'>, questions: readonly RepeatedValues[]): IndexLuck {
  const repeats = [...new Set(questions.flatMap(({ values }) => [...values.keys()]))]
  const indexes = repeats.length
  const whole = questions.filter(({ values }) => values.size === indexes)
  const clusters = whole.map(({ cluster }) => cluster)
  if (indexes < fewestIndexes || new Set(clusters).size < 2) return { indexes, variance: null }
  const centres = whole.map(({ values }) => mean([...values.values()]))
  const ofRepeat = repeats.map((repeat) => whole.map(({ values }) => values.get(repeat) ?? NaN))
  const between = variance(ofRepeat.map((values) => mean(values)))
  const deviations = ofRepeat.map((values) => values.map((value, q) => value - (centres[q] ?? NaN)))
  const within = sum(deviations.map((values) => cr2Mean(values, clusters).error ** 2)) / (indexes - 1)
  const [a, b, c] = [found.error ** 2, between / indexes, within / indexes]
  const square = Math.max(a, c) + Math.max(0, b - c)
  const uncertain = a ** 2 / found.degrees + b ** 2 / (indexes - 1) + c ** 2 / (found.degrees * (indexes - 1))
  const degrees = b > c ? Math.min(found.degrees, square ** 2 / uncertain) : found.degrees
  return { indexes, variance: between - within, error: Math.sqrt(square), degrees }
}
