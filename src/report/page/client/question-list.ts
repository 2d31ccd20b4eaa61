import type { PageData } from '../page-data.ts'
import { isRight, nameOf } from './choose.ts'
import { element } from '../../client/dom.ts'

/** The names of the rows above their scores. */
export const listHead = ({ rows }: PageData): HTMLElement =>
  element(
    'li',
    { class: 'names', 'aria-hidden': 'true' },
    element(
      'span',
      { class: 'strip' },
      ...rows.map(({ name }) => element('i', { title: name }, element('span', {}, name))),
    ),
  )

/** A question with a field a row, darker where its score is higher; `open` is called where it is chosen. */
export function listItem(data: PageData, question: number, metric: number, open: () => void): HTMLElement {
  const shown = data.metrics[metric]
  const scores = shown?.scores[question] ?? []
  const fields = data.rows.map(({ name }, row) => {
    const score = scores[row] ?? 'not asked'
    return element('i', {
      title: `${name}: ${score}`,
      class: typeof score === 'number' ? `level-${levelOf(score, shown?.range)}` : score.replace(' ', '-'),
    })
  })
  const right = scores.filter((score) => typeof score === 'number' && shown && isRight(score, shown) === true).length
  const scored = scores.filter((score) => typeof score === 'number').length
  const failed = scores.filter((score) => score === 'failed').length
  const said = `${shown?.right === null ? '' : `right in ${right} of ${scored} rows`}${failed > 0 ? `, failed in ${failed}` : ''}`
  const button = element(
    'button',
    { type: 'button' },
    element('span', { class: 'strip', 'aria-hidden': 'true' }, ...fields),
    element('span', { class: 'name' }, nameOf(data, question)),
    element('span', { class: 'hidden' }, ` ${said}`),
  )
  button.addEventListener('click', open)
  return element('li', {}, button)
}

/** From 0 to 4, by fifths of the range. */
function levelOf(score: number, [least, greatest]: readonly [number, number] = [0, 1]): number {
  const share = (score - least) / (greatest - least || 1)
  return Math.max(0, Math.min(4, Math.floor(share * 5)))
}
