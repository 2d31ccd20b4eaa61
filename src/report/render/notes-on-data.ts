import { isObject } from '../../basics/plain-data.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import type { Manifest } from '../../records.ts'
import { listing, plural, present } from '../../text/amounts.ts'
import { notesOnEnglishProviders } from '../../text/language.ts'
import { rowName } from '../../text/names.ts'
import { referenceNote } from '../compare/rows-to-compare.ts'
import { runOfRow, runsIn, syntheticNotes, textsOfRuns } from '../synthetic.ts'
import type { Table } from '../table/table.ts'
import { important, type Note } from './rows.ts'

/** Missing trials or runs. Rows that the config no longer has do not count. */
export const incompletenessNote = important(1, ({ manifest, rows }) => {
  const counts = rows
    .filter(({ method }) => method.inConfig !== false)
    .map(({ method, summary: { trials } }) => {
      const { dataset, repeats, asks = { questions: dataset.questions, repeats } } = runOfRow(manifest, method)
      const all = asks.questions * asks.repeats
      return { all, missing: Math.max(0, all - trials) }
    })
  const missing = sum(counts.map((row) => row.missing))
  const all = sum(counts.map((row) => row.all))
  const { runs = [], missing: absent = [] } = manifest.series ?? {}
  return present(
    absent.length > 0 &&
      `${absent.length} of ${plural(runs.length + absent.length, 'run')} have not started: run the config again.`,
    missing > 0 && `Unfinished: ${all - missing} of ${plural(all, 'trial')}; run the config again to finish.`,
  )
})

/** Notes on the dataset, on which rows the table has, and on the models. */
export const dataNotes: readonly Note[] = [
  ({ manifest }) =>
    textsOfRuns(manifest, leftOutOf).map(([counts, runs]) => `Left out of the dataset${runs}: ${counts}.`),
  important(3, ({ manifest }) =>
    textsOfRuns(manifest, ({ dataset: { notes = [] } }) => notes).map(([note, runs]) => `The data${runs}: ${note}.`),
  ),
  // rows whose clusters depend on the last bits of vectors, and so on the processor of the embedder
  important(3, ({ manifest: { machine, methods } }) => {
    const isClustering = (use: string, options: unknown) =>
      use === 'raptor' || (use === 'gem-rag' && isObject(options) && options['clustering'] === 'kmeans')
    const rows = methods.filter(({ use, options, inConfig }) => inConfig !== false && isClustering(use, options))
    const processor = machine['instructionSet']
    return (
      processor !== undefined &&
      rows.length > 0 &&
      `${listing(rows.map(rowName))} clusters vectors computed with ${processor}: another processor moves its scores by a few points (3 measured); { use: minilm, portable: true } does not.`
    )
  }),
  ({ manifest }) => referenceNote(manifest.methods).map((note) => `${note}.`),
  ({ manifest: { methods } }) =>
    methods.some(({ answers }) => answers) && "‡ Own answers, not by the run's answerer: not compared.",
  ({ manifest: { methods } }) =>
    methods.some(({ inConfig }) => inConfig === false) && '§ No longer in the config: results of an earlier run.',
  // English-only models where the questions are in another language
  important(13, ({ manifest, table }) => {
    const embeds = table.usage.some(({ embeddingCalls = 0 }) => embeddingCalls > 0)
    const offline = offlineProviders(manifest, table)
    const notes = runsIn(manifest).flatMap(({ dataset, models }) =>
      notesOnEnglishProviders(dataset.language, present(embeds && models.embed.provider, offline)),
    )
    return [...new Set(notes)]
  }),
  // no priority: tables begin with it
  ({ manifest, table }) => offlineBanners(manifest, table),
]

const leftOutOf = ({ dataset: { leftOut = {} } }: Manifest) => {
  const counts = Object.entries(leftOut).map(([reason, count]) => `${reason} ${count}`)
  return counts.length > 0 ? [counts.join(', ')] : []
}

/** The line on offline stand-ins for language models with which tables, pages and figures begin. */
export function offlineBanners(manifest: Manifest, table: Pick<Table, 'usage'>) {
  const providers = offlineProviders(manifest, table)
  const names = textsOfRuns(manifest, ({ offline }) => offline)
    .filter(([provider]) => providers.includes(provider))
    .map(([provider, runs]) => `${provider}${runs}`)
  return names.length === 0 ? [] : [`Offline stand-in (${names.join(', ')}): compares retrieval only, not answers.`]
}

/** Subtitles of figures on synthetic questions and offline stand-ins. */
export const dataNotices = (manifest: Manifest, table: Pick<Table, 'usage'>): readonly string[] => [
  ...syntheticNotes(manifest),
  ...offlineBanners(manifest, table),
]

/** Offline stand-ins for language models; none if no language model was called. */
const offlineProviders = ({ answers, offline }: Manifest, { usage }: Pick<Table, 'usage'>) =>
  answers === 'none' && usage.every(({ calls, embeddingCalls = 0 }) => calls === embeddingCalls) ? [] : offline
