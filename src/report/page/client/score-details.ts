import type { ShownScore } from '../../show/shown-question.ts'
import { element } from '../../client/dom.ts'

/** How a score came about: the claims of a judge with their verdicts, and everything else that a scorer keeps. */
export function scoreDetails({ scorer, run, metrics = {}, parts, skipped, failure }: ShownScore): HTMLElement {
  const numbers = Object.entries(metrics).map(([metric, value]) => `${metric} ${shownNumber(value)}`)
  const words = failure
    ? `failed: ${failure.message}`
    : skipped !== undefined
      ? `not scored: ${skipped}`
      : numbers.join(', ')
  return element(
    'div',
    { class: 'score' },
    element('p', {}, element('b', {}, run === 0 ? scorer : `${scorer}, run ${run + 1}`), ` ${words}`),
    ...(parts ? [tree(withClaims(parts))] : []),
  )
}

/** At most four digits behind the point. */
export const shownNumber = (value: number): string => String(Number(value.toFixed(4)))

/** Claims and verdicts of the same length, side by side, wherever they stand in the parts of a score. */
function withClaims(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { claims, verdicts, ...rest } = value
  const inner = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, withClaims(one)]))
  if (!Array.isArray(claims) || !Array.isArray(verdicts) || claims.length !== verdicts.length)
    return { ...(claims !== undefined && { claims }), ...(verdicts !== undefined && { verdicts }), ...inner }
  const judged = claims.map((claim: unknown, index) => {
    const verdict: unknown = verdicts[index]
    return isRecord(verdict) ? { claim, ...verdict } : { claim, verdict }
  })
  return { claims: judged, ...inner }
}

/** Any value as lists of texts. */
function tree(value: unknown): HTMLElement {
  if (Array.isArray(value)) return element('ol', {}, ...value.map((one: unknown) => element('li', {}, tree(one))))
  if (isRecord(value))
    return element(
      'ul',
      {},
      ...Object.entries(value).map(([key, one]) => element('li', {}, element('b', {}, `${key} `), tree(one))),
    )
  return element('span', {}, typeof value === 'number' ? shownNumber(value) : String(value))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
