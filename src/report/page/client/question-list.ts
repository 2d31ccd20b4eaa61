import { itemAt } from '../../../basics/collections.ts'
import { button, element } from '../../client/dom.ts'
import type { PageData, PagePart } from '../page-data.ts'
import { isRight, nameOf } from './choose.ts'
import { rowCard } from './row-card.ts'

/** The names of the rows above their scores. */
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
  const inside = [
    element('span', { class: 'strip', 'aria-hidden': 'true' }, fields),
    element('span', { class: 'name' }, nameOf(data, question)),
    element('span', { class: 'hidden' }, ` ${said}`),
  ]
  return element('li', {}, button({}, open, inside))
}

/** From 0 to 4, by fifths of the range. */
function levelOf(score: number, [least, greatest]: readonly [number, number] = [0, 1]): number {
  const share = (score - least) / (greatest - least || 1)
  return Math.max(0, Math.min(4, Math.floor(share * 5)))
}

/** Where a question stands among those that are listed, and what leads elsewhere. */
interface Position {
  readonly place: number
  readonly of: number
  readonly back: () => void
  readonly step: (by: number) => void
  readonly metric: number
}

/** A question with what every row made of it, side by side. */
export function questionView(
  data: PageData,
  question: number,
  part: PagePart,
  { place, of, back, step, metric }: Position,
): readonly HTMLElement[] {
  const shown = part.questions[question % data.perPart]
  const lines = (shown?.about ?? []).filter(([title]) => title !== 'question')
  const metrics = [...data.metrics.slice(metric, metric + 1), ...data.metrics.filter((_, index) => index !== metric)]
  const { id = '' } = data.questions[question] ?? {}
  return [
    element(
      'nav',
      { 'aria-label': 'Questions' },
      button({}, back, '← All questions'),
      button({ disabled: place <= 0 }, () => step(-1), 'Previous'),
      button({ disabled: place >= of - 1 }, () => step(1), 'Next'),
      element('span', { class: 'note' }, place >= 0 ? `${place + 1} of ${of}` : '', ` ${id}`),
    ),
    element('h2', {}, nameOf(data, question)),
    element(
      'dl',
      { class: 'about' },
      lines.map(([title, texts]) => [
        element('dt', {}, title),
        element(
          'dd',
          {},
          texts.map((text) => element('p', {}, text)),
        ),
      ]),
    ),
    shown
      ? element(
          'div',
          { class: 'cards' },
          data.rows.map((row, index) => rowCard(row, itemAt(shown.rows, index), metrics, shown, part)),
        )
      : element('p', {}, 'This question is not in this page.'),
  ]
}
