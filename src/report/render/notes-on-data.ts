import { isObject } from '../../basics/plain-data.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import type { Manifest, MethodRecord, ReplacedRow } from '../../records.ts'
import { listing, plural, present } from '../../text/amounts.ts'
import { notesOnEnglishProviders } from '../../text/language.ts'
import { rowName, variantOf } from '../../text/names.ts'
import { referenceNote } from '../compare/rows-to-compare.ts'
import { rowDifferences } from '../differences.ts'
import { offlineBanner, runOfRow, runsIn } from '../synthetic.ts'
import type { Table, TableRow } from '../table/table.ts'
import { runsSuffix, type Facts, type Note } from './note.ts'

/** Missing trials or runs. Rows that the config no longer has do not count. */
export const incompletenessNote: Note = {
  priority: 1,
  text({ manifest, rows }) {
    const rowCounts = rows.flatMap(({ method, summary }) => {
      if (method.inConfig === false) return []
      const { dataset, repeats, asks = { questions: dataset.questions, repeats } } = runOfRow(manifest, method)
      const all = asks.questions * asks.repeats
      return [{ all, missing: Math.max(0, all - summary.trials) }]
    })
    const missing = sum(rowCounts.map((row) => row.missing))
    const all = sum(rowCounts.map((row) => row.all))
    const { runs = [], missing: absent = [] } = manifest.series ?? {}
    return present(
      absent.length > 0 &&
        `${absent.length} of ${plural(runs.length + absent.length, 'run')} have not started: run the config again.`,
      missing > 0 && `Unfinished: ${all - missing} of ${plural(all, 'trial')}; run the config again to finish.`,
    )
  },
}

/** Notes on the dataset, on which rows the table has, and on the models. */
export const dataNotes: readonly Note[] = [
  {
    text({ manifest }) {
      const countsText = ({ dataset: { leftOut = {} } }: Manifest): string =>
        Object.entries(leftOut)
          .map(([reason, count]) => `${reason} ${count}`)
          .join(', ')
      return [...new Set(runsIn(manifest).map(countsText))]
        .filter((counts) => counts !== '')
        .map(
          (counts) => `Left out of the dataset${runsSuffix(manifest, (run) => countsText(run) === counts)}: ${counts}.`,
        )
    },
  },
  {
    priority: 3,
    text: ({ manifest }) =>
      [...new Set(runsIn(manifest).flatMap(({ dataset: { notes = [] } }) => notes))].map(
        (note) => `The data${runsSuffix(manifest, ({ dataset: { notes = [] } }) => notes.includes(note))}: ${note}.`,
      ),
  },
  { text: splitEvidenceNote },
  {
    // rows whose clusters depend on the last bits of vectors, and so on the processor of the embedder
    priority: 3,
    text({ manifest: { machine, methods } }) {
      const rows = methods.filter(
        ({ use, options, inConfig }) =>
          inConfig !== false &&
          (use === 'raptor' || (use === 'gem-rag' && isObject(options) && options['clustering'] === 'kmeans')),
      )
      return (
        machine['instructionSet'] !== undefined &&
        rows.length > 0 &&
        `${listing(rows.map(rowName))} clusters vectors computed with ${machine['instructionSet']}: another processor moves its scores by a few points (3 measured); { use: minilm, portable: true } does not.`
      )
    },
  },
  { text: ({ manifest }) => referenceNote(manifest.methods).map((note) => `${note}.`) },
  {
    text: ({ manifest }) =>
      manifest.methods.some(({ answers }) => answers) && "‡ Own answers, not by the run's answerer: not compared.",
  },
  {
    text: ({ manifest }) =>
      manifest.methods.some(({ inConfig }) => inConfig === false) &&
      '§ No longer in the config: results of an earlier run.',
  },
  {
    // one note per row that another row of the same label replaced
    priority: 5,
    text({ manifest: { methods, replaced = [] } }) {
      const notes = replaced.map((row) => {
        const rows = methods.filter(({ method, run }) => method === row.method && run === row.run)
        const visibleRow = rows.find(({ variant }) => variant === row.variant) ?? rows[0]
        return `${rowName(row)}: older results of this label ${describeReplacement(row, visibleRow)} are hidden; use different labels to see both.`
      })
      return [...new Set(notes)]
    },
  },
  {
    // English-only models where the questions are in another language
    priority: 13,
    text({ manifest, table }) {
      const embeds = table.usage.some(({ embeddingCalls = 0 }) => embeddingCalls > 0)
      const notes = runsIn(manifest).flatMap(({ dataset, models }) =>
        notesOnEnglishProviders(dataset.language, [
          ...(embeds ? [models.embed.provider] : []),
          ...offlineProviders(manifest, table),
        ]),
      )
      return [...new Set(notes)]
    },
  },
  // no priority: tables begin with it
  { text: ({ manifest, table }) => offlineBanners(manifest, table) },
]

/** The line on offline stand-ins for language models with which tables, pages and figures begin; none without them. */
export function offlineBanners(manifest: Manifest, table: Pick<Table, 'usage'>): readonly string[] {
  const names = offlineProviders(manifest, table).map(
    (provider) => `${provider}${runsSuffix(manifest, ({ offline }) => offline.includes(provider))}`,
  )
  return names.length === 0 ? [] : [offlineBanner(names.join(', '))]
}

/**
 * Evidence that no single chunk contains. Counts come from the row with the fewest failures, one per chunking.
 */
function splitEvidenceNote({ manifest, rows }: Facts): string | false {
  const most = new Map<Manifest, NonNullable<TableRow['evidence']>>()
  for (const { method, summary } of rows) {
    const run = runOfRow(manifest, method)
    const { evidence } = summary
    if (evidence && evidence.pieces > (most.get(run)?.pieces ?? 0)) most.set(run, evidence)
  }
  const counts = Array.from(most, ([{ varied = [] }, { cut, pieces }]) => ({
    cut,
    text: `${varied.length === 0 ? '' : `${variantOf(varied)}: `}${cut} of ${pieces}`,
  }))
  const isVaried = new Set(Array.from(most.keys(), ({ chunks }) => JSON.stringify(chunks))).size > 1
  const texts = (isVaried ? counts : counts.slice(0, 1)).map(({ text }) => text)
  return (isVaried || counts.some(({ cut }) => cut > 0)) && `Evidence split between chunks: ${listing(texts, '; ')}.`
}

function describeReplacement(row: ReplacedRow, visibleRow: MethodRecord | undefined): string {
  if (!visibleRow) return 'with other options'
  const differences = rowDifferences(row, visibleRow)
  if (differences.length === 0) return 'by another version of its method'
  if (row.use !== visibleRow.use) return `by the method ${row.use}`
  const settings = differences.map(({ setting, before }) => `${setting.replace(/^options\./, '')} ${before ?? 'none'}`)
  return `with other options (${settings.join(', ')})`
}

/** Offline stand-ins for language models; none if no language model was called. */
export const offlineProviders = (
  { answers, offline }: Pick<Manifest, 'answers' | 'offline'>,
  { usage }: Pick<Table, 'usage'>,
): readonly string[] =>
  answers === 'none' && usage.every(({ calls, embeddingCalls = 0 }) => calls === embeddingCalls) ? [] : offline
