import { button, element } from '../../client/dom.ts'
import { describeQuestion } from '../../show/messages.ts'
import type { PageData, PartQuestion } from '../page-data.ts'
import { nameOf } from './select-questions.ts'
import { rowCard } from './row-card.ts'

/** The position of a question in the list, and navigation. */
interface Position {
  readonly place: number
  readonly of: number
  readonly back: () => void
  readonly step: (by: number) => void
}

/** The view of a question with the trials of every row side by side. */
export function questionView(
  data: PageData,
  number: number,
  question: PartQuestion | undefined,
  shownMetric: number,
  { place, of, back, step }: Position,
): readonly HTMLElement[] {
  const { id = '' } = data.questions[number] ?? {}
  const metrics = [...data.metrics].sort(
    (a, b) => Number(b === data.metrics[shownMetric]) - Number(a === data.metrics[shownMetric]),
  )
  const lines = question?.question ? describeQuestion(question.question) : []
  const home = data.home === undefined ? '' : '../'
  return [
    element(
      'nav',
      { 'aria-label': 'Questions' },
      button({}, back, '← All questions'),
      button({ disabled: place <= 0 }, () => step(-1), 'Previous'),
      button({ disabled: place >= of - 1 }, () => step(1), 'Next'),
      element('span', { class: 'note' }, place >= 0 ? `${place + 1} of ${of} · ${id}` : id),
    ),
    element('h2', {}, nameOf(data, number)),
    element(
      'dl',
      { class: 'about' },
      lines
        .filter(([title]) => title !== 'question')
        .map(([title, texts]) => {
          const paragraphs = texts.map((text) => element('p', {}, text))
          return [element('dt', {}, title), element('dd', {}, paragraphs)]
        }),
    ),
    element(
      'div',
      { class: 'cards' },
      question && data.rows.map((row, index) => rowCard(row, question.rows[index] ?? [], metrics, question, home)),
    ),
  ]
}
