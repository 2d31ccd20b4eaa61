import type { Change } from '../../diff/question-changes.ts'
import type { ListedQuestion, NoScore, PageData, PageMetric } from '../page-data.ts'

/** Filter and order of questions. `row`: index of a row or a change, or any or every row. */
export interface Choice {
  readonly filter: keyof typeof filterNames | Change
  readonly row: number | 'any' | 'every'
  readonly metric: number
  readonly sort: keyof typeof sortNames
  readonly search: string
}

export const filterNames = {
  all: 'all questions',
  different: 'different between methods',
  failed: 'failed',
  wrong: 'wrong',
  'closed-book': 'right without any context',
}

export const sortNames = {
  asked: 'the order of the run',
  lowest: 'the lowest scores',
  spread: 'the greatest difference',
}

/** Indices of the questions that match, in the chosen order. */
export function selectQuestions(data: PageData, { search, sort, ...choice }: Choice): readonly number[] {
  const words = search.toLowerCase().split(/\s+/)
  const numbersOf = (question: number) =>
    comparedScores(data, data.questions[question], choice.metric).filter((score) => typeof score === 'number')
  const matches = data.questions.flatMap((question, number) => {
    const text = `${question.id} ${question.text}`.toLowerCase()
    return words.every((word) => text.includes(word)) && isMatch(data, question, choice) ? [number] : []
  })
  const orders: Readonly<Record<Choice['sort'], (a: number, b: number) => number>> = {
    asked: () => 0,
    lowest: (a, b) => mean(numbersOf(a)) - mean(numbersOf(b)),
    spread: (a, b) => spread(numbersOf(b)) - spread(numbersOf(a)),
  }
  return matches.sort(orders[sort])
}

/** The text of a question, or its id if texts are omitted. */
export function nameOf({ questions }: PageData, question: number): string {
  const { id = '', text = '' } = questions[question] ?? {}
  return text === '' ? id : text
}

/** Whether a score counts as right; undefined for a metric without a range. */
export const isRight = (score: number, { right }: Pick<PageMetric, 'right'>): boolean | undefined =>
  right === null ? undefined : score >= right

const isChange = (filter: Choice['filter']): filter is Change => !(filter in filterNames)

function isMatch(
  data: PageData,
  question: ListedQuestion,
  { filter, row, metric: number }: Omit<Choice, 'search' | 'sort'>,
) {
  const metric = data.metrics[number]
  const scores = question.scores[number] ?? []
  const rowScores = comparedScores(data, question, number)
  const holds = <T>(all: readonly T[], candidates: readonly T[], test: (value: T | undefined) => boolean) => {
    if (typeof row === 'number') return test(all[row])
    return row === 'any' ? candidates.some(test) : candidates.every(test)
  }
  const isScoredAs = (score: number | NoScore | undefined, right: boolean) =>
    metric !== undefined && typeof score === 'number' && isRight(score, metric) === right
  if (isChange(filter)) return holds(question.changes, question.changes, (change) => change === filter)
  switch (filter) {
    case 'all':
      return true
    case 'failed':
      return holds(scores, rowScores, (score) => score === 'failed')
    case 'wrong':
      return holds(scores, rowScores, (score) => isScoredAs(score, false))
    case 'closed-book':
      return data.rows.some(({ isClosedBook }, index) => isClosedBook && isScoredAs(scores[index], true))
    case 'different': {
      const scoresInRun = rowScores.filter((score) => score !== 'not asked')
      const numbers = scoresInRun.filter((score) => typeof score === 'number')
      return numbers.length > 0 && (numbers.length < scoresInRun.length || spread(numbers) > 1e-9)
    }
  }
}

/** Scores of the rows that are compared; of all rows if none is. */
function comparedScores({ rows }: PageData, question: ListedQuestion | undefined, metric: number) {
  const scores = question?.scores[metric] ?? []
  const rowScores = scores.filter((_, row) => rows[row]?.isReference !== true)
  return rowScores.length > 0 ? rowScores : scores
}

/** Infinity without scores, which sorts last. */
const mean = (scores: readonly number[]) =>
  scores.length === 0 ? Infinity : scores.reduce((sum, score) => sum + score, 0) / scores.length

const spread = (scores: readonly number[]) => (scores.length === 0 ? 0 : Math.max(...scores) - Math.min(...scores))
