import { groupBy } from '../../basics/collections.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import type { Manifest, ModelRecord, ScorerRecord, MethodRecord, ReplacedRow } from '../../records.ts'
import { answerTasks } from '../../tasks/answers.ts'
import { rowName } from '../../text/names.ts'
import { rowDifferences } from '../diff/run-differences.ts'
import { runsIn } from '../synthetic.ts'
import type { Cell } from '../table/estimate.ts'
import type { Table } from '../table/table.ts'
import { listing, percent, plural, present } from '../../text/amounts.ts'
import { oneVerdict } from './columns.ts'
import { nameOf } from './rows.ts'
import { boundedColumn } from './score-columns.ts'
import { isRow, isOfMetric } from '../compare/rows-to-compare.ts'

/** What stands beside a mean: its standard error, or its interval. */
export type Spread = 'error' | 'interval'

/** How to read the scores. `numbers` and `counts`: titles of columns that are not in percent. */
export function scoresNote(
  { cells }: Table,
  numbers: readonly string[],
  counts: readonly string[] = [],
  spread: Spread = 'error',
): string {
  const others = present(
    numbers.length > 0 && `as numbers: ${numbers.join(', ')}`,
    counts.length > 0 && `as counts of questions: ${counts.join(', ')}`,
  )
  const unit = `Scores in percent${others.length > 0 ? ` (${others.join('; ')})` : ''}`
  const clustered = cells.some(({ n, clusters }) => clusters < n)
  const known = cells.some(({ error }) => error !== null)
  const most = (of: (cell: Table['cells'][number]) => number): number => Math.max(0, ...cells.map(of))
  const repeats = most((cell) => cell.repeats)
  const judgeRuns = most((cell) => cell.judgeRuns)
  const runs = present(repeats > 1 && plural(repeats, 'repeat'), judgeRuns > 1 && plural(judgeRuns, 'judge run'))
  const mean = runs.length > 0 ? `, means over ${runs.join(' and ')}` : ''
  if (!known)
    return `${unit}${mean}; no ${spread === 'error' ? 'standard error' : 'interval'} is known: too few questions, or all scores equal.`
  const lucky = cells.some(({ luck }) => luck && luck.deviation !== null)
  const over = `questions${clustered ? ', which are clustered by the text that they share' : ''}${lucky ? ', and over indexes of rows that have three or more' : ''}`
  return spread === 'error'
    ? `${unit}${mean} ± standard error over ${over}.`
    : `${unit}${mean}; in brackets, where it is known, the 95 % interval of the mean over ${over}.`
}

/** Beyond this share of the questions a text stands out. */
const largeShare = 0.2

/** That one text holds so many questions that the intervals rest on few others. */
export function largestText({ cells }: Table): readonly string[] {
  const found = cells.filter(({ n, clusters, subset }) => clusters > 1 && clusters < n && subset === 'all')
  const most = found.reduce((share, { largest }) => Math.max(share, largest), 0)
  return present(
    most > largeShare &&
      `One text holds ${percent(most)} of the questions that a row was scored on: its answers weigh so much in the means that the intervals are wide.`,
  )
}

/** What the columns of least and greatest scores are; none where they are not shown. */
export const boundsNote = (manifest: Manifest, table: Table): readonly string[] =>
  present(
    boundedColumn(manifest, table) &&
      'least and greatest: the mean if every question without a score because of a failure were wrong, and if it were right.',
  )

/** A note where several judge runs gave the same means everywhere. */
export function judgeAgreement(
  {
    judgeRuns,
    scorers,
    models,
  }: {
    readonly models?: { readonly judge: Pick<ModelRecord, 'parameters'> }
    readonly judgeRuns: number
    readonly scorers: readonly Pick<ScorerRecord, 'scorer' | 'judge'>[]
  },
  { cells }: { readonly cells: readonly Pick<Cell, 'scorer' | 'judgeRuns' | 'judgeVariance'>[] },
): readonly string[] {
  if (judgeRuns < 2 || !scorers.some(({ judge }) => judge)) return []
  if (models?.judge.parameters['temperature'] === 0)
    return ['The judge runs at temperature 0: its runs repeat themselves, and their spread says nothing of its errors.']
  const judges = new Set(scorers.filter(({ judge }) => judge).map(({ scorer }) => scorer))
  const judged = cells.filter(({ scorer, judgeRuns: runs }) => judges.has(scorer) && runs > 1)
  if (judged.length === 0 || judged.some(({ judgeVariance }) => judgeVariance !== 0)) return []
  return ['All judge runs gave the same means: repeating the judge says nothing of its errors.']
}

/** How far each judge can be believed, by the claims that it was tried on. */
export const notesOnJudges = ({ scorers, models }: Pick<Manifest, 'scorers' | 'models'>): readonly string[] =>
  scorers.flatMap(({ scorer, judgeTest, judgedBy = models.judge }) => {
    if (!judgeTest) return []
    const { true: yes, false: no, failed, inOrders, always } = judgeTest
    const share = ({ claims, right }: typeof yes) =>
      claims === 0 ? 'not known' : `${percent(right / claims)} (${right} of ${claims})`
    const tried = inOrders
      ? 'pairs of a right answer and that of another question, in both orders'
      : 'right answers of the dataset and those of other questions'
    const names = inOrders ? ['right one first', 'right one second'] : ['sensitivity', 'specificity']
    const lost = failed > 0 ? `, ${failed} without a verdict` : ''
    const said = `The judge of ${scorer} on ${tried}: ${names[0]} ${share(yes)}, ${names[1]} ${share(no)}${lost}.`
    return always === undefined
      ? [said]
      : [`${said} ${oneVerdict} ${modelName(judgedBy)} said ${always} to all of them: do not rely on its scores.`]
  })

/** A model's name in a line on the conditions of a run. */
export const modelName = ({ provider, model }: ModelRecord): string => [...new Set([provider, model])].join(' ')

/** The model that judges; that it is the one that answers is said. */
function judgeName(judge: ModelRecord, { answer, complete }: Manifest['models']): string {
  const answers = answer ?? complete
  const isOne = (['provider', 'model', 'baseUrl'] as const).every((field) => judge[field] === answers[field])
  return `${isOne ? 'the model that answers, ' : ''}${modelName(judge)}`
}

/** Who judges, where a scorer asks a judge; scorers that another model judged are named with it. */
export function judgeStatement({ models, prompts, scorers }: Manifest): readonly string[] {
  const asking = scorers.filter(({ judge, kinds }) => judge && kinds.some((kind) => prompts[answerTasks[kind].name]))
  const judges = groupBy(asking, ({ judgedBy = models.judge }) => judgeName(judgedBy, models))
  const named = Array.from(judges, ([name, of]) =>
    judges.size === 1 ? name : `${name} (${of.map(({ scorer }) => scorer).join(', ')})`,
  )
  return named.length === 0 ? [] : [`judged by ${named.join(' and by ')}`]
}

/** How to read the columns that human labels correct; none where no labels were given. */
export function notesOnLabels({ cells }: Table): readonly string[] {
  const people = cells.flatMap((cell) => cell.people ?? [])
  if (people.length === 0) return []
  const counts = people.map(({ labelled }) => labelled)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const labelled = least === most ? String(least) : `${least} to ${most}`
  return [
    `Corrected (PPI++): the mean as people would score all questions, from the judge's scores and the labels of ${labelled} questions of a row; letters go by these means. Beside it the judge's own; – where labels are too few, and no ± where they do not tell how sure it is.`,
  ]
}

/** The rows by the first column of a scorer that ranks them, best first, equal ones on one place. */
export const rankingNotes = ({ scorers, methods }: Manifest, { cells }: Table): readonly string[] =>
  scorers.flatMap(({ scorer, ranks, columns: [column] }) => {
    if (!ranks || !column) return []
    const own = cells.filter((one) => isOfMetric(one, { scorer, metric: column.metric }))
    const ranked = methods
      .flatMap((row) => {
        const cell = own.find((one) => isRow(one, row))
        return cell?.mean == null ? [] : [{ name: nameOf(row), mean: cell.mean }]
      })
      .sort((a, b) => b.mean - a.mean)
    const placeOf = (mean: number) => ranked.findIndex((one) => one.mean - mean <= rounding) + 1
    const places = ranked.map(({ name, mean }) => `${placeOf(mean)}. ${name} ${percent(mean)}`)
    return places.length === 0
      ? []
      : [`${scorer} ranks by the mean of ${column.label ?? column.metric}, untested: ${listing(places)}.`]
  })

/** Relevant chunks are others where documents are cut otherwise: they compare rows of one way to cut. */
export function notesOnVariedChunks(manifest: Manifest): readonly string[] {
  const isVaried = new Set(runsIn(manifest).map(({ chunks }) => JSON.stringify(chunks))).size > 1
  const counting = manifest.scorers.filter(({ use, options }) => use === 'retrieval' && unitOf(options) === 'chunk')
  return present(
    isVaried &&
      counting.map(
        ({ scorer }) =>
          `${scorer} counts chunks: rows whose chunks are cut in one way are measured alike, rows of different ways are not (unit: evidence or document counts the same for all).`,
      ),
  )
}

const unitOf = (options: unknown): unknown =>
  typeof options === 'object' && options !== null && 'unit' in options ? options.unit : undefined

/** A note for each row in the folder that is not in the table, since another one has its name. */
export const notesOnReplaced = ({ methods, replaced = [] }: Manifest): readonly string[] => [
  ...new Set(
    replaced.map((row) => {
      const rows = methods.filter(({ method, run }) => method === row.method && run === row.run)
      const shown = rows.find(({ variant }) => variant === row.variant) ?? rows[0]
      return `${rowName(row)}: results of this label ${madeWith(row, shown)} are in the folder and not shown; give each a label of its own to see both.`
    }),
  ),
]

function madeWith({ use, options, ...row }: ReplacedRow, shown: MethodRecord | undefined): string {
  if (!shown) return 'with other options'
  const differences = rowDifferences({ ...row, use, options }, shown)
  if (differences.length === 0) return 'by another version of its method'
  if (use !== shown.use) return `by the method ${use}`
  const had = differences.map(({ setting, before }) => `${setting.replace(/^options\./, '')} ${before ?? 'none'}`)
  return `with other options (${had.join(', ')})`
}
