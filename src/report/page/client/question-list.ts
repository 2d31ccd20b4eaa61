import { button, byId, element, fill } from '../../client/dom.ts'
import { changeNames } from '../../diff/question-changes.ts'
import type { PageData } from '../page-data.ts'
import { filterNames, isRight, nameOf, sortNames, type Choice } from './select-questions.ts'

/** The controls above the list. Calls `onChange` after every change. */
export function filterControls(data: PageData, onChange: () => void): () => Choice {
  const form = document.querySelector<HTMLFormElement>('form.tools')
  if (!form) throw new Error('the page has no tools')
  const selectOf = (id: string, options: readonly (readonly [string, string])[]) => {
    const select = byId(id, HTMLSelectElement)
    const items = options.map(([value, text]) => element('option', { value }, text))
    fill(select, items)
    return select
  }
  const optionsOf = (items: readonly { readonly name: string }[]): readonly [string, string][] =>
    items.map(({ name }, index) => [String(index), name])
  const hasClosedBook = data.rows.some(({ isClosedBook }) => isClosedBook)
  const filter = selectOf('filter', [
    ...Object.entries(filterNames).filter(([name]) => name !== 'closed-book' || hasClosedBook),
    ...Object.entries(changeNames).filter(([name]) => name !== 'notScored' && data.changes.length > 0),
  ])
  const metric = selectOf('metric', optionsOf(data.metrics))
  const sort = selectOf('sort', Object.entries(sortNames))
  const row = byId('row', HTMLSelectElement)
  const fillRows = () => {
    const isOfChanges = filter.value in changeNames
    const rows = optionsOf(isOfChanges ? data.changes : data.rows)
    selectOf('row', [['any', 'any method'], ['every', 'every method'], ...rows])
    const label = row.closest('label')
    if (label) label.hidden = !isOfChanges && filter.value !== 'failed' && filter.value !== 'wrong'
  }
  fillRows()
  filter.addEventListener('change', fillRows)
  form.hidden = false
  form.addEventListener('input', onChange)
  form.addEventListener('submit', (event) => event.preventDefault())
  return () => ({
    filter: filter.value as Choice['filter'],
    row: row.value === 'any' || row.value === 'every' ? row.value : Number(row.value),
    metric: Number(metric.value),
    sort: sort.value as Choice['sort'],
    search: byId('search', HTMLInputElement).value,
  })
}

/** The names of the rows above the squares. */
export function listHead({ rows }: PageData): HTMLElement {
  const names = rows.map(({ name }) => element('i', { title: name }, element('span', {}, name)))
  return element('li', { class: 'names', 'aria-hidden': 'true' }, element('span', { class: 'strip' }, names))
}

/** A question with one square per row, darker for higher scores. Calls `open` on selection. */
export function listItem(data: PageData, question: number, metricNumber: number, open: () => void): HTMLElement {
  const metric = data.metrics[metricNumber]
  const scores = data.questions[question]?.scores[metricNumber] ?? []
  const [least, greatest] = metric?.range ?? [0, 1]
  // 0 to 4, by fifths of the range
  const levelOf = (score: number) =>
    Math.max(0, Math.min(4, Math.floor((5 * (score - least)) / (greatest - least || 1))))
  const squares = scores.map((score, row) =>
    element('i', {
      title: `${data.rows[row]?.name ?? ''}: ${score}`,
      class: typeof score === 'number' ? `level-${levelOf(score)}` : score.replace(' ', '-'),
    }),
  )
  const numbers = scores.filter((score) => typeof score === 'number')
  const right = numbers.filter((score) => metric && isRight(score, metric))
  const rightText = metric?.right === null ? '' : ` right in ${right.length} of ${numbers.length} rows,`
  const failed = scores.filter((score) => score === 'failed').length
  const inside = [
    element('span', { class: 'strip', 'aria-hidden': 'true' }, squares),
    element('span', { class: 'name' }, nameOf(data, question)),
    element('span', { class: 'hidden' }, `${rightText} failed in ${failed}`),
  ]
  return element('li', {}, button({}, open, inside))
}
