import type { PageData, PagePart } from '../page-data.ts'
import { nameOf } from './choose.ts'
import { element } from '../../client/dom.ts'
import { rowCard } from './row-card.ts'

/** Where a question stands among those that are listed, and what leads elsewhere. */
export interface Position {
  readonly place: number
  readonly of: number
  readonly back: () => void
  readonly step: (by: number) => void
  /** Number of the metric that says what is right. */
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
  const button = (text: string, press: () => void, off = false): HTMLElement => {
    const made = element('button', { type: 'button', disabled: off }, text)
    made.addEventListener('click', press)
    return made
  }
  const lines = (shown?.about ?? []).filter(([title]) => title !== 'question')
  const metrics = [...data.metrics.slice(metric, metric + 1), ...data.metrics.filter((_, index) => index !== metric)]
  const { id = '' } = data.questions[question] ?? {}
  return [
    element(
      'nav',
      { 'aria-label': 'Questions' },
      button('← All questions', back),
      button('Previous', () => step(-1), place <= 0),
      button('Next', () => step(1), place >= of - 1),
      element('span', { class: 'note' }, place >= 0 ? `${place + 1} of ${of}` : '', ` ${id}`),
    ),
    element('h2', {}, nameOf(data, question)),
    element(
      'dl',
      { class: 'about' },
      ...lines.flatMap(([title, texts]) => [
        element('dt', {}, title),
        element('dd', {}, ...texts.map((text) => element('p', {}, text))),
      ]),
    ),
    ...(shown
      ? [
          element(
            'div',
            { class: 'cards' },
            ...data.rows.map((row, index) => rowCard(row, shown.rows[index] ?? [], metrics, shown, part)),
          ),
        ]
      : [element('p', {}, 'This question is not in this page.')]),
  ]
}
