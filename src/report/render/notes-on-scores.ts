import { isObject } from '../../basics/plain-data.ts'
import { percent, plural, present } from '../../text/amounts.ts'
import type { Budget } from '../../types.ts'
import { runsIn } from '../synthetic.ts'
import { constantMark, type Column } from './columns.ts'
import { modelName } from './conditions.ts'
import { incompletenessNote } from './notes-on-data.ts'
import { withList, important, nameOf, type Facts, type Note } from './rows.ts'
import { boundedColumn } from './score-columns.ts'

/** How to read the scores. */
export const scoreNotes: readonly Note[] = [
  important(8, scoresNote),
  // above a fifth the intervals depend on few other texts
  ({ table: { cells } }) => {
    const clusteredCells = cells.filter(({ n, clusters }) => clusters > 1 && clusters < n)
    const overall = clusteredCells.filter(({ subset }) => subset === 'all')
    const most = Math.max(0, ...overall.map(({ largest }) => largest))
    return most > 0.2 && `One text holds ${percent(most)} of the questions of a row, which makes intervals wide.`
  },
  ({ manifest, table }) =>
    boundedColumn(manifest, table) && 'least and greatest: means if all failed questions were wrong, or right.',
  incompletenessNote,
  // the meaning of the first score
  important(10, ({ manifest, columns: [first] }) => {
    const record = manifest.scorers.find(({ scorer }) => scorer === first?.scorer)
    const meaning = record?.note ?? record?.summary
    return record && meaning !== undefined && `${record.scorer}: ${meaning}`
  }),
  ({ manifest, columns: [first] }) =>
    manifest.scorers.flatMap(({ scorer, note }) =>
      note === undefined || scorer === first?.scorer ? [] : [`${scorer}: ${note}`],
    ),
  ({ manifest }) => {
    const budgetText = ({ passages, tokens }: Budget) => `${plural(passages, 'passage')} and ${plural(tokens, 'token')}`
    const unequal = manifest.methods.flatMap((method) =>
      method.budget ? [`${nameOf(method)} ${budgetText(method.budget)}`] : [],
    )
    const rest = `the others ${budgetText(manifest.budget)}. Differences may come from the budgets.`
    return withList(unequal, (rows) => `Unequal budgets: ${rows}; ${rest}`, '; ')
  },
  // chunk-level relevance is comparable only between rows with the same chunking
  ({ manifest }) => {
    const isVaried = new Set(runsIn(manifest).map(({ chunks }) => JSON.stringify(chunks))).size > 1
    const counting = manifest.scorers.filter(
      ({ use, options }) => use === 'retrieval' && isObject(options) && options['unit'] === 'chunk',
    )
    const remark = 'only rows with the same chunking are comparable.'
    return isVaried && counting.map(({ scorer }) => `${scorer} counts chunks: ${remark}`)
  },
]

function scoresNote({ table: { cells }, columns, spread }: Facts) {
  const titles = (unit: Column['unit']) =>
    columns.flatMap((column) => (column.unit === unit ? [column.label] : [])).join(', ')
  const exceptions = present(
    titles('number') !== '' && `as numbers: ${titles('number')}`,
    titles('count') !== '' && `as counts of questions: ${titles('count')}`,
  )
  const repeats = cells.map((cell) => cell.repeats)
  const judgeRuns = cells.map((cell) => cell.judgeRuns)
  const mostRepeats = Math.max(0, ...repeats)
  const mostJudgeRuns = Math.max(0, ...judgeRuns)
  const runs = present(
    mostRepeats > 1 && plural(mostRepeats, 'repeat'),
    mostJudgeRuns > 1 && plural(mostJudgeRuns, 'judge run'),
  )
  const unit = `Scores in percent${exceptions.length > 0 ? ` (${exceptions.join('; ')})` : ''}`
  const scores = `${unit}${runs.length > 0 ? `, means over ${runs.join(' and ')}` : ''}`
  if (cells.every(({ error }) => error === null))
    return `${scores}; no ${spread === 'error' ? 'standard error' : 'interval'} is available: too few questions, or all scores equal.`
  const over = present(
    cells.some(({ n, clusters }) => clusters < n) && ', clustered by shared text',
    cells.some(({ luck }) => luck && luck.deviation !== null) && ', and over indexes if a row has at least three',
  )
  const uncertainty = spread === 'error' ? ' ± standard error over' : '; in brackets the 95 % interval of the mean over'
  return `${scores}${uncertainty} questions${over.join('')}.`
}

/** Reliability of judges, and remarks on counts. */
export const judgeNotes: readonly Note[] = [
  important(4, judgeTestNotes),
  ({ table }) =>
    table.usage.some(({ estimated }) => estimated > 0) &&
    "Some token counts are estimates by the run's tokenizer: the server gave none per text.",
]

/** Results of judges on their test claims, with a warning where a judge gave one verdict to all of them. */
function judgeTestNotes({ manifest: { scorers, models } }: Facts) {
  return scorers.flatMap(({ scorer, judgeTest, judgedBy = models.judge }) => {
    if (!judgeTest) return []
    const { true: yes, false: no, failed, inOrders, always } = judgeTest
    const share = ({ claims, right }: typeof yes) =>
      claims === 0 ? 'not known' : `${percent(right / claims)} (${right} of ${claims})`
    const [testSet, first, second] = inOrders
      ? ['pairs of a right answer and that of another question, in both orders', 'right one first', 'right one second']
      : ['right answers of the dataset and those of other questions', 'sensitivity', 'specificity']
    const failures = failed > 0 ? `, ${failed} without a verdict` : ''
    const warning =
      always !== undefined
        ? ` ${constantMark} ${modelName(judgedBy)} answered ${always} to all of them: do not rely on its scores.`
        : ''
    return [
      `The judge of ${scorer} on ${testSet}: ${first} ${share(yes)}, ${second} ${share(no)}${failures}.${warning}`,
    ]
  })
}
