import type { Change } from '../../diff/question-changes.ts'
import type { NoScore, PageData, PageMetric } from '../page-data.ts'

/** Which questions are listed, and in which order. `row`: the number of a row or a change, or any or every row within the budget. */
export interface Choice {
  readonly filter: Filter
  readonly row: number | 'any' | 'every'
  readonly metric: number
  readonly sort: 'asked' | 'lowest' | 'spread' | 'text'
  readonly search: string
}

export type Filter = 'all' | 'different' | 'failed' | 'wrong' | 'closed-book' | Change

/** Numbers of the questions that a choice lists, in its order. */
export function chosen(data: PageData, choice: Choice): readonly number[] {
  const metric = data.metrics[choice.metric]
  const compared = data.rows.flatMap(({ reference }, row) => (reference ? [] : [row]))
  const within = compared.length > 0 ? compared : data.rows.map((_, row) => row)
  const words = choice.search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = data.questions.flatMap(({ id, text }, question) => {
    const hay = `${id} ${text}`.toLowerCase()
    return words.every((word) => hay.includes(word)) && passes(data, metric, within, question, choice) ? [question] : []
  })
  const scoresOf = (question: number): readonly number[] =>
    within.flatMap((row) => {
      const score = metric?.scores[question]?.[row]
      return typeof score === 'number' ? [score] : []
    })
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
  return found.sort(orders[choice.sort])
}

/** The words of a question, or its id where texts are left out. */
export const nameOf = ({ questions }: PageData, question: number): string => {
  const { id = '', text = '' } = questions[question] ?? {}
  return text === '' ? id : text
}

/** Whether a score counts as right: half of the range or more; undefined for a metric without a range. */
export const isRight = (score: number, { right }: Pick<PageMetric, 'right'>): boolean | undefined =>
  right === null ? undefined : score >= right

function passes(
  data: PageData,
  metric: PageMetric | undefined,
  within: readonly number[],
  question: number,
  { filter, row }: Choice,
): boolean {
  const scores: readonly (number | NoScore)[] = metric?.scores[question] ?? []
  const of = (fits: (score: number | NoScore | undefined) => boolean): boolean => {
    if (typeof row === 'number') return fits(scores[row])
    return row === 'any' ? within.some((one) => fits(scores[one])) : within.every((one) => fits(scores[one]))
  }
  if (filter === 'all') return true
  if (filter === 'failed') return of((score) => score === 'failed')
  if (filter === 'wrong')
    return of((score) => typeof score === 'number' && metric !== undefined && isRight(score, metric) === false)
  if (filter === 'different') {
    const asked = within.map((one) => scores[one]).filter((score) => score !== 'not asked')
    const numbers = asked.filter((score) => typeof score === 'number')
    return numbers.length > 0 && (numbers.length < asked.length || spread(numbers) > 1e-9)
  }
  if (filter === 'closed-book')
    return data.rows.some(({ closedBook }, one) => {
      const score = scores[one]
      return closedBook === true && typeof score === 'number' && metric !== undefined && isRight(score, metric) === true
    })
  const changes = data.changes.map((one) => one.changes[question])
  if (typeof row === 'number') return changes[row] === filter
  return row === 'any' ? changes.includes(filter) : changes.every((change) => change === filter)
}

const spread = (scores: readonly number[]): number =>
  scores.length === 0 ? 0 : Math.max(...scores) - Math.min(...scores)
