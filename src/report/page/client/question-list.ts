import { button, element } from '../../client/dom.ts'
import type { PageData } from '../page-data.ts'
import { isRight, nameOf } from './select-questions.ts'

export const listHead = ({ rows }: PageData): HTMLElement =>
  element(
    'li',
    { class: 'names', 'aria-hidden': 'true' },
    element(
      'span',
      { class: 'strip' },
      rows.map(({ name }) => element('i', { title: name }, element('span', {}, name))),
    ),
  )

/** A question with one square per row, darker for higher scores. Calls `open` on selection. */
export function listItem(data: PageData, question: number, metricNumber: number, open: () => void): HTMLElement {
  const metric = data.metrics[metricNumber]
  const scores = data.questions[question]?.scores[metricNumber] ?? []
  const [least, greatest] = metric?.range ?? [0, 1]
  // 0 to 4, by fifths of the range
  const levelOf = (score: number): number =>
    Math.max(0, Math.min(4, Math.floor((5 * (score - least)) / (greatest - least || 1))))
  const squares = scores.map((score, row) =>
    element('i', {
      title: `${data.rows[row]?.name ?? ''}: ${score}`,
      class: typeof score === 'number' ? `level-${levelOf(score)}` : score.replace(' ', '-'),
    }),
  )
  const numbers = scores.filter((score) => typeof score === 'number')
  const right = numbers.filter((score) => metric && isRight(score, metric) === true).length
  const failed = scores.filter((score) => score === 'failed').length
  const spokenText = `${metric?.right === null ? '' : `right in ${right} of ${numbers.length} rows`}${failed > 0 ? `, failed in ${failed}` : ''}`
  const inside = [
    element('span', { class: 'strip', 'aria-hidden': 'true' }, squares),
    element('span', { class: 'name' }, nameOf(data, question)),
    element('span', { class: 'hidden' }, ` ${spokenText}`),
  ]
  return element('li', {}, button({}, open, inside))
}
