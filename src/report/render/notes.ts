import { referenceNote } from '../compare/rows-to-compare.ts'
import { budgetNotes, ranksBelowBudget, sameContexts, starved, underfilled } from './notes-on-budgets.ts'
import { notesOnTrends } from './notes-on-trends.ts'
import { comparisonNotes, notesOnReferences, tooGood } from './notes-on-comparison.ts'
import { notesOnRepeats, notesOnRuns } from './notes-on-runs.ts'
import {
  boundsNote,
  judgeAgreement,
  largestText,
  notesOnJudges,
  notesOnLabels,
  rankingNotes,
  notesOnVariedChunks,
  notesOnReplaced,
  scoresNote,
  type Spread,
} from './notes-on-scores.ts'
import { notesOnModels, notesOnWarnings, notesOnFailures, type NamedRow } from './notes-on-warnings.ts'
import type { Manifest, Stop } from '../../records.ts'
import { notesOnEnglishProviders } from '../../text/language.ts'
import { variantOf } from '../../text/names.ts'
import { whyEmpty } from '../show/words.ts'
import { runOfRow, runsIn } from '../synthetic.ts'
import { rowAt, type Table, type TableRow } from '../table/table.ts'
import { listing, plural, present } from '../../text/amounts.ts'
import { columnsOf, oneVerdict, type Column } from './columns.ts'
import { nameOf } from './rows.ts'

/** What failed in a run, a note for trials and one for scores; none where nothing did. */
export const failureNotes = (manifest: Manifest, table: Table): readonly string[] =>
  notesOnFailures(namedRows(manifest, table))

const namedRows = (manifest: Manifest, table: Table): readonly NamedRow[] =>
  manifest.methods.map((method, index) => ({ name: nameOf(method), method, summary: rowAt(table, index) }))

/** Notes beside the numbers; the first says how to read them. `spread`: what stands beside a mean. */
export function notesOf(manifest: Manifest, table: Table, spread: Spread = 'error'): readonly string[] {
  const rows = namedRows(manifest, table)
  const counted = (what: string, of: (summary: TableRow) => number): readonly string[] => {
    const found = rows.map(({ name, summary }) => ({ name, count: of(summary) })).filter(({ count }) => count > 0)
    return found.length === 0 ? [] : [`${what}: ${listing(found.map(({ name, count }) => `${name} ${count}`))}.`]
  }
  const fixed = (stopped: Stop): string => `Answered without a call because ${whyEmpty(stopped)}`
  const asked = new Set(rows.map(({ summary }) => summary.trials))
  const estimated = table.usage.some((one) => one.estimated > 0)
  const columns = columnsOf(manifest, table)
  const titles = (wanted: Column['unit']): readonly string[] =>
    columns.flatMap(({ unit, label }) => (unit === wanted ? [label] : []))
  return present(
    scoresNote(table, titles('number'), titles('count'), spread),
    largestText(table),
    boundsNote(manifest, table),
    incompleteNote(manifest, table),
    meaningNote(manifest, table),
    manifest.scorers.flatMap(({ scorer, note }) =>
      note === undefined || scorer === columns[0]?.scorer ? [] : [`${scorer}: ${note}`],
    ),
    budgetNotes(manifest),
    ranksBelowBudget(columns),
    rankingNotes(manifest, table),
    notesOnVariedChunks(manifest),
    comparisonNotes(table),
    notesOnTrends(table),
    notesOnReferences(manifest, table),
    notesOnLabels(table),
    notesOnRuns(table),
    notesOnRepeats(manifest, table, rows),
    leftOutOf(manifest),
    dataNotes(manifest),
    cutEvidence(manifest, rows),
    referenceNote(rows.map(({ method }) => method)).map((note) => `${note}.`),
    rows.some(({ method }) => method.answers) &&
      "‡ Answers by the method itself, not by the run's answerer: the row is not compared with the others.",
    rows.some(({ method }) => method.inConfig === false) &&
      '§ Not in the config any more: results of an earlier run in this folder.',
    notesOnReplaced(manifest),
    notesOnLanguage(manifest, table),
    offlineNotes(manifest, table),
    counted(fixed('end'), ({ canned, unfitted = 0 }) => canned - unfitted),
    counted(fixed('tokens'), ({ unfitted = 0 }) => unfitted),
    counted('Replies that named no option, or several, count as wrong', ({ unreadable }) => unreadable),
    counted('Replies as near to several options took the first of them', ({ tied }) => tied),
    counted(
      "Passages that call themselves chunks and carry words beside the documents' own, which the answerer reads, too",
      ({ around = 0 }) => around,
    ),
    counted(
      'Passages with characters that are not seen, of the documents or put there by the method',
      ({ invisible = 0 }) => invisible,
    ),
    manifest.answers !== 'none' && [...underfilled(manifest, rows), ...starved(rows)],
    notesOnWarnings(rows, table.usage),
    sameContexts(manifest, table),
    callsInNoLine(manifest),
    notesOnJudges(manifest),
    judgeAgreement(manifest, table),
    asked.size > 1 && 'The rows have different numbers of trials: not every row was asked the same questions.',
    estimated &&
      "Token counts that a model or its server did not give for each text are estimates made with the run's tokenizer.",
  )
}

/** What the first score of a table says: what is right, or what it measures. */
function meaningNote(manifest: Manifest, table: Table): readonly string[] {
  const [first] = columnsOf(manifest, table)
  return manifest.scorers.flatMap(({ scorer, note, summary }) => {
    const said = note ?? summary
    return scorer === first?.scorer && said !== undefined ? [`${scorer}: ${said}`] : []
  })
}

function callsInNoLine(manifest: Manifest): readonly string[] {
  const count = runsIn(manifest).reduce((sum, run) => sum + (run.callsInNoLine ?? 0), 0)
  return present(
    count > 0 &&
      `No row counts ${plural(count, 'call')} to models that were sent, such as those of an index that was built again.`,
  )
}

const mostShown = 5

/** Which of the models that were asked are made for English, where the questions are not. */
function notesOnLanguage(manifest: Manifest, table: Pick<Table, 'usage'>): readonly string[] {
  const embeds = table.usage.some(({ embeddingCalls = 0 }) => embeddingCalls > 0)
  const notes = runsIn(manifest).flatMap(({ dataset: { language }, models }) =>
    notesOnEnglishProviders(language, [...(embeds ? [models.embed.provider] : []), ...offlineIn(manifest, table)]),
  )
  return [...new Set(notes)]
}

/** The notes that matter most, and a line on how many others there are. */
export function shortNotes(manifest: Manifest, table: Table): readonly string[] {
  const { notes, others } = mainNotes(manifest, table, mostShown)
  return present(notes, others > 0 && `${plural(others, 'more note')}: with --notes, and in table.md and table.json.`)
}

/** The `most` notes that matter most, in the order of all, and how many others there are. */
export function mainNotes(
  manifest: Manifest,
  table: Table,
  most: number,
): { readonly notes: readonly string[]; readonly others: number } {
  const all = notesOf(manifest, table)
  const first = [
    ...incompleteNote(manifest, table),
    ...failureNotes(manifest, table),
    ...dataNotes(manifest),
    ...notesOnJudges(manifest).filter((note) => note.includes(oneVerdict)),
    ...notesOnReplaced(manifest),
    ...notesOnModels(namedRows(manifest, table), table.usage),
    ...all.slice(0, 1),
    ...meaningNote(manifest, table),
    ...tooGood(table),
    ...comparisonNotes(table),
    ...notesOnTrends(table),
    ...notesOnLanguage(manifest, table),
    ...offlineNotes(manifest, table),
    ...all,
  ].filter((note) => all.includes(note))
  const chosen = new Set([...new Set(first)].slice(0, most))
  const notes = all.filter((note) => chosen.has(note))
  return { notes, others: all.length - notes.length }
}

/** That trials, or runs of a series, are missing. Rows that the config no longer has are not waited for. */
export function incompleteNote(manifest: Manifest, table: Table): readonly string[] {
  const expected = manifest.methods.flatMap((row, index) => {
    if (row.inConfig === false) return []
    const { dataset, repeats, asks = { questions: dataset.questions, repeats } } = runOfRow(manifest, row)
    const all = asks.questions * asks.repeats
    return [{ all, missing: Math.max(0, all - rowAt(table, index).trials) }]
  })
  const missing = expected.reduce((sum, one) => sum + one.missing, 0)
  const all = expected.reduce((sum, one) => sum + one.all, 0)
  const { runs = [], missing: absent = [] } = manifest.series ?? {}
  return present(
    absent.length > 0 &&
      `${absent.length} of ${plural(runs.length + absent.length, 'run')} have not begun: run the config again.`,
    missing > 0 && `Not complete: ${all - missing} of ${plural(all, 'trial')}; run the config again for the others.`,
  )
}

/** Of which runs of a series it is true, where it is not of all. */
const ofRuns = (manifest: Manifest, isTrue: (run: Manifest) => boolean): string => {
  const runs = runsIn(manifest)
  const some = runs.filter(isTrue)
  return some.length === runs.length
    ? ''
    : ` (${listing(
        some.map(({ varied = [] }) => variantOf(varied)),
        '; ',
      )})`
}

const offlineNotes = (manifest: Manifest, table: Pick<Table, 'usage'>): readonly string[] =>
  offlineIn(manifest, table).map((provider) => offlineNote(manifest, provider))

/** Providers in place of language models; none of a run without answers whose methods call no language model. */
export const offlineIn = (
  { answers, offline }: Pick<Manifest, 'answers' | 'offline'>,
  { usage }: Pick<Table, 'usage'>,
): readonly string[] =>
  answers === 'none' && usage.every(({ calls, embeddingCalls = 0 }) => calls === embeddingCalls) ? [] : offline

const offlineNote = (manifest: Manifest, provider: string): string =>
  `"${provider}" is not a language model${ofRuns(manifest, ({ offline }) => offline.includes(provider))}: these numbers compare methods offline and do not reproduce a paper.`

function leftOutOf(manifest: Manifest): readonly string[] {
  const countedIn = ({ dataset: { leftOut = {} } }: Manifest): string =>
    Object.entries(leftOut)
      .map(([what, count]) => `${what} ${count}`)
      .join(', ')
  return [...new Set(runsIn(manifest).map(countedIn))]
    .filter((counted) => counted !== '')
    .map((counted) => `Left out of the dataset${ofRuns(manifest, (run) => countedIn(run) === counted)}: ${counted}.`)
}

/** What is to be known of the data, once for all runs of which it is true. */
const dataNotes = (manifest: Manifest): readonly string[] =>
  [...new Set(runsIn(manifest).flatMap(({ dataset: { notes = [] } }) => notes))].map(
    (note) => `The data${ofRuns(manifest, ({ dataset: { notes = [] } }) => notes.includes(note))}: ${note}.`,
  )

/**
 * Evidence that no chunk holds whole; by way of cutting where a series varies it, of the row with the fewest failures.
 */
function cutEvidence(manifest: Manifest, rows: readonly NamedRow[]): readonly string[] {
  const most = new Map<Manifest, NonNullable<TableRow['evidence']>>()
  for (const { method, summary } of rows) {
    const run = runOfRow(manifest, method)
    const { evidence } = summary
    if (evidence && evidence.pieces > (most.get(run)?.pieces ?? 0)) most.set(run, evidence)
  }
  const counted = [...most].map(([{ chunks, varied = [] }, { cut, pieces }]) => ({
    cut,
    ways: JSON.stringify(chunks),
    text: `${varied.length === 0 ? '' : `${variantOf(varied)}: `}${cut} of ${pieces}`,
  }))
  const isVaried = new Set(counted.map(({ ways }) => ways)).size > 1
  if (!isVaried && counted.every(({ cut }) => cut === 0)) return []
  const shown = isVaried ? counted : counted.slice(0, 1)
  return [
    `Pieces of evidence that no chunk holds whole: ${listing(
      shown.map(({ text }) => text),
      '; ',
    )}.`,
  ]
}
