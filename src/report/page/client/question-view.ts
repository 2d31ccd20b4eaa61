import { button, element } from '../../client/dom.ts'
import { questionLines } from '../../show/words.ts'
import type { PageData, PartQuestion } from '../page-data.ts'
import { nameOf } from './choose.ts'
import { chunkTexts, cutPassages } from './passages.ts'
import { rowCard } from './row-card.ts'

/** Where a question is among those that are listed, and what leads elsewhere. */
interface Position {
  readonly place: number
  readonly of: number
  readonly back: () => void
  readonly step: (by: number) => void
}

/** Makes the view of a question with what every row made of it, side by side. */
export function questionViews(data: PageData) {
  const textsOf = chunkTexts(data.rows)
  return (
    number: number,
    part: readonly PartQuestion[],
    shownMetric: number,
    { place, of, back, step }: Position,
  ): readonly HTMLElement[] => {
    const shown = part[number % data.perPart]
    const { id = '' } = data.questions[number] ?? {}
    const metrics = [...data.metrics].sort(
      (a, b) => Number(b === data.metrics[shownMetric]) - Number(a === data.metrics[shownMetric]),
    )
    const lines = shown?.question ? questionLines(shown.question) : []
    return [
      element(
        'nav',
        { 'aria-label': 'Questions' },
        button({}, back, '← All questions'),
        button({ disabled: place <= 0 }, () => step(-1), 'Previous'),
        button({ disabled: place >= of - 1 }, () => step(1), 'Next'),
        element('span', { class: 'note' }, place >= 0 ? `${place + 1} of ${of}` : '', ` ${id}`),
      ),
      element('h2', {}, nameOf(data, number)),
      element(
        'dl',
        { class: 'about' },
        lines
          .filter(([title]) => title !== 'question')
          .map(([title, texts]) => [
            element('dt', {}, title),
            element(
              'dd',
              {},
              texts.map((text) => element('p', {}, text)),
            ),
          ]),
      ),
      element(
        'div',
        { class: 'cards' },
        shown &&
          data.rows.map((row, index) =>
            rowCard(row, shown.rows[index] ?? [], metrics, shown, {
              home: data.home === undefined ? '' : '../',
              cut: (trial) => cutPassages(trial, shown, row, textsOf(part)),
            }),
          ),
      ),
    ]
  }
}
