import { alpha } from '../compare/compare-pair.ts'
import type { Trend } from '../compare/trends.ts'
import { questionsIn } from '../../text/amounts.ts'
import { pText } from './notes-on-runs.ts'

/** The trend of a score over an option in one sentence, with the saturation value. */
export function trendText(trend: Trend): string {
  const { option, curve, metric, values, rises, falls, margin, saturation } = trend
  const sentence = (outcome: string, tests: string): string =>
    `${metric} by ${option} of ${curve} (${values.join(', ')}): ${outcome} (${tests}, p <= ${alpha}, ${questionsIn(trend)})`
  if (falls <= alpha) return sentence(`falls (p ${pText(falls)})`, 'sign flips of contrasts')
  const moves =
    rises <= alpha ? `rises (p ${pText(rises)})` : `no trend (rise p ${pText(rises)}, fall p ${pText(falls)})`
  const points = `${Number((100 * margin).toFixed(3))} points`
  const stops =
    saturation === null
      ? `no value is shown after which it rises by less than ${points}`
      : `after ${saturation} it rises by less than ${points}`
  return sentence(`${moves}; ${stops}`, 'sign flips of contrasts, one-sided t tests')
}
