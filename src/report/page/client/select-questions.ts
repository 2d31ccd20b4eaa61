import { byId, element } from '../../client/dom.ts'
import { changeNames, type Change } from '../../diff/question-changes.ts'
import type { ListedQuestion, NoScore, PageData, PageMetric } from '../page-data.ts'

/** Filter and order of questions. `row`: index of a row or a change, or any or every row. */
interface Choice {
  readonly filter: Filter
  readonly row: number | 'any' | 'every'
  readonly metric: number
  readonly sort: 'asked' | 'lowest' | 'spread' | 'text'
  readonly search: string
}

type Filter = 'all' | 'different' | 'failed' | 'wrong' | 'closed-book' | Change

/** Indices of the questions that match, in the chosen order. */
export function selectQuestions(data: PageData, choice: Choice): readonly number[] {
  const words = choice.search.toLowerCase().split(/\s+/)
  const comparedRows = data.rows.flatMap(({ reference }, row) => (reference ? [] : [row]))
  const consideredRows = comparedRows.length > 0 ? comparedRows : data.rows.map((_, row) => row)
  const matches = data.questions.flatMap((question, number) => {
    const text = `${question.id} ${question.text}`.toLowerCase()
    return words.every((word) => text.includes(word)) && isMatch(data, question, consideredRows, choice) ? [number] : []
  })
  const scoresOf = (question: number): readonly number[] => {
    const scores = data.questions[question]?.scores[choice.metric] ?? []
    return consideredRows.flatMap((row) => (typeof scores[row] === 'number' ? [scores[row]] : []))
  }
  const mean = (question: number): number => {
    const scores = scoresOf(question)
    return scores.length === 0 ? Infinity : scores.reduce((sum, score) => sum + score, 0) / scores.length
  }
  const orders: Readonly<Record<Choice['sort'], (a: number, b: number) => number>> = {
    asked: (a, b) => a - b,
    lowest: (a, b) => mean(a) - mean(b) || a - b,
    spread: (a, b) => spread(scoresOf(b)) - spread(scoresOf(a)) || a - b,
    text: (a, b) => nameOf(data, a).localeCompare(nameOf(data, b), 'en') || a - b,
  }
  return matches.sort(orders[choice.sort])
}

/** The text of a question, or its id if texts are omitted. */
export const nameOf = ({ questions }: PageData, question: number): string => {
  const { id = '', text = '' } = questions[question] ?? {}
  return text === '' ? id : text
}

/** Whether a score counts as right; undefined for a metric without a range. */
export const isRight = (score: number, { right }: Pick<PageMetric, 'right'>): boolean | undefined =>
  right === null ? undefined : score >= right

function isMatch(
  { metrics, rows }: PageData,
  { scores: all, changes }: ListedQuestion,
  consideredRows: readonly number[],
  { filter, row, metric: number }: Choice,
): boolean {
  const metric = metrics[number]
  const scores = all[number] ?? []
  const isTrue = <T>(values: readonly T[], test: (value: T | undefined) => boolean): boolean => {
    if (typeof row === 'number') return test(values[row])
    return row === 'any' ? values.some(test) : values.every(test)
  }
  const isScoredAs = (score: number | NoScore | undefined, right: boolean): boolean =>
    metric !== undefined && typeof score === 'number' && isRight(score, metric) === right
  const scoresOfRows = typeof row === 'number' ? scores : consideredRows.map((index) => scores[index])
  if (filter === 'all') return true
  if (filter === 'failed') return isTrue(scoresOfRows, (score) => score === 'failed')
  if (filter === 'wrong') return isTrue(scoresOfRows, (score) => isScoredAs(score, false))
  if (filter === 'closed-book')
    return rows.some(({ closedBook }, index) => closedBook === true && isScoredAs(scores[index], true))
  if (filter !== 'different') return isTrue(changes, (change) => change === filter)
  const requestedScores = consideredRows.map((index) => scores[index]).filter((score) => score !== 'not asked')
  const numbers = requestedScores.filter((score) => typeof score === 'number')
  return numbers.length > 0 && (numbers.length < requestedScores.length || spread(numbers) > 1e-9)
}

const spread = (scores: readonly number[]): number =>
  scores.length === 0 ? 0 : Math.max(...scores) - Math.min(...scores)

/** The controls above the list. Calls `onChange` after every change. */
export function filterControls(
  data: PageData,
  onChange: () => void,
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
    const isOfChanges = !(filter.value in plainFilters)
    const names = (isOfChanges ? data.changes : data.rows).map(({ name }) => name)
    const hasRowChoice = filter.value === 'failed' || filter.value === 'wrong' || isOfChanges
    fill(row, [
      ['any', 'any method'],
      ['every', 'every method'],
      ...names.map((name, index): [string, string] => [String(index), name]),
    ])
    const label = row.closest('label')
    if (label) label.hidden = !hasRowChoice
  }
  fillRows()
  filter.addEventListener('change', fillRows)
  form.hidden = false
  form.addEventListener('input', onChange)
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

function filtersOf({ rows, changes }: PageData): readonly (readonly [string, string])[] {
  const plain = Object.entries(plainFilters).filter(
    ([name]) => name !== 'closed-book' || rows.some(({ closedBook }) => closedBook),
  )
  const changeFilters = Object.entries(changeNames).filter(([name]) => name !== 'notScored')
  return [...plain, ...(changes.length > 0 ? changeFilters : [])]
}

const fill = (select: HTMLSelectElement, options: readonly (readonly [string, string])[]): void =>
  select.replaceChildren(...options.map(([value, text]) => element('option', { value }, text)))
