import type { PageData } from '../page-data.ts'
import type { Choice, Filter } from './choose.ts'
import { byId, element } from '../../client/dom.ts'

/** The tools above the list: what they say together, and `changed` is called when that changes. */
export function tools(
  data: PageData,
  changed: () => void,
): { readonly choice: () => Choice; readonly search: HTMLInputElement } {
  const form = document.querySelector<HTMLFormElement>('form.tools')
  const filter = byId('filter', HTMLSelectElement)
  const row = byId('row', HTMLSelectElement)
  const metric = byId('metric', HTMLSelectElement)
  const sort = byId('sort', HTMLSelectElement)
  const search = byId('search', HTMLInputElement)
  if (!form) throw new Error('the page has no tools')
  fill(filter, filtersOf(data))
  fill(
    metric,
    data.metrics.map(({ name }, index) => [String(index), name]),
  )
  fill(sort, [
    ['asked', 'the order of the run'],
    ['lowest', 'the lowest scores'],
    ['spread', 'the greatest difference'],
    ['text', 'the words'],
  ])
  const fillRows = (): void => {
    const ofChanges = !(filter.value in plainFilters)
    const names = (ofChanges ? data.changes : data.rows).map(({ name }) => name)
    const single = filter.value === 'failed' || filter.value === 'wrong' || ofChanges
    fill(row, [
      ['any', 'any method'],
      ['every', 'every method'],
      ...names.map((name, index): [string, string] => [String(index), name]),
    ])
    const label = row.closest('label')
    if (label) label.hidden = !single
  }
  fillRows()
  filter.addEventListener('change', fillRows)
  form.hidden = false
  form.addEventListener('input', changed)
  form.addEventListener('submit', (event) => event.preventDefault())
  return {
    search,
    choice: () => ({
      filter: filter.value as Filter,
      row: row.value === 'any' || row.value === 'every' ? row.value : Number(row.value),
      metric: Number(metric.value),
      sort: sort.value as Choice['sort'],
      search: search.value,
    }),
  }
}

const plainFilters = {
  all: 'all questions',
  different: 'different between methods',
  failed: 'failed',
  wrong: 'wrong',
  'closed-book': 'right without any context',
}

const changeFilters: readonly [Filter, string][] = [
  ['regressed', 'regressed'],
  ['failedNow', 'failed now'],
  ['fixed', 'fixed'],
  ['failedBefore', 'failed before'],
  ['stillFailing', 'still failing'],
  ['unchanged', 'unchanged'],
]

function filtersOf({ rows, changes }: PageData): readonly (readonly [string, string])[] {
  const plain = Object.entries(plainFilters).filter(
    ([name]) => name !== 'closed-book' || rows.some(({ closedBook }) => closedBook),
  )
  return [...plain, ...(changes.length > 0 ? changeFilters : [])]
}

const fill = (select: HTMLSelectElement, options: readonly (readonly [string, string])[]): void =>
  select.replaceChildren(...options.map(([value, text]) => element('option', { value }, text)))
