import { existsSync } from 'node:fs'
import { rm, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeNamedFolder, removeEmptyFolders, isRegularFile } from '../../basics/files.ts'
import { UserError } from '../../errors.ts'
import {
  resultsFormat,
  seriesRecord,
  type IndexLine,
  type SeriesRecord,
  type Manifest,
  type MethodRecord,
  type ScoreLine,
  type ScorerRecord,
  type TrialLine,
} from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { replaceFile } from './journal.ts'
import { type Results, openRunFolder, readRecord } from './results.ts'

const fileName = 'series.json'

/** Writes the record of a series of runs that share a table into `<results>/<name>-series-<hash>/`. */
export async function writeSeries(
  results: string,
  { name, varied, runs }: Pick<SeriesRecord, 'name' | 'varied' | 'runs'>,
) {
  const hash = hashOf({ varied, runs }).slice(0, 8)
  const folder = join(results, `${name}-series-${hash}`)
  const createdFolders = makeNamedFolder(folder, 'name another folder with --results')
  const record: SeriesRecord = { format: resultsFormat, name, hash, varied, runs }
  await replaceFile(join(folder, fileName), `${JSON.stringify(record, null, 2)}\n`)
  return {
    folder,
    /** Removes the folder if no run of the series has begun. */
    async undo(): Promise<void> {
      if (!createdFolders.includes(folder) || runs.some((run) => existsSync(join(results, run)))) return
      await rm(join(folder, fileName), { force: true })
      removeEmptyFolders(createdFolders)
    },
  }
}

async function openSeries(folder: string): Promise<Results | undefined> {
  const record = (await readRecord(join(folder, fileName), seriesRecord)) as SeriesRecord | undefined
  if (!record) return undefined
  const runs: Results[] = []
  const missing: string[] = []
  for (const name of record.runs) {
    // a published series contains its runs
    const run = (await openRunFolder(join(folder, name))) ?? (await openRunFolder(join(dirname(resolve(folder)), name)))
    if (run) runs.push(run)
    else missing.push(name)
  }
  const [first] = runs
  if (!first)
    throw new UserError(`${folder}: none of its runs is beside it (${missing.join(', ')}); run the config again`)
  const { name, hash, varied } = record
  const manifests = runs.map(({ manifest }) => manifest)
  const scorers = combineScorers(manifests)
  const members = runs.map((run) => ({ run, mapping: mapToSeries(run.manifest, manifests, scorers) }))
  return {
    folder,
    runs,
    manifest: {
      ...combineManifests(first.manifest, manifests, missing),
      name,
      hash,
      scorers,
      series: { runs: manifests, varied, missing },
    },
    async *trials() {
      for (const { run, mapping } of members) for await (const line of run.trials()) yield mapping.line(line)
    },
    async *scores() {
      for (const { run, mapping } of members) for await (const line of run.scores()) yield mapping.score(line)
    },
    async *timings() {
      for (const run of runs) yield* run.timings()
    },
    async changedFiles() {
      const names: string[] = []
      for (const run of runs) for (const file of await run.changedFiles()) names.push(`${basename(run.folder)}/${file}`)
      return names
    },
  }
}

/** The manifest of a series; differences between its runs are in `series.runs`. */
function combineManifests(first: Manifest, manifests: readonly Manifest[], missing: readonly string[]) {
  const { checksums: _checksums, asks: _asks, varied: _varied, ...manifest } = first
  const highest = (of: (run: Manifest) => number) => Math.max(...manifests.map(of))
  const synthetic = manifests.flatMap((run) => run.dataset.synthetic ?? [])
  const endTimes = manifests.map((run) => run.finished)
  const rows = manifests.flatMap((run) => run.methods.map((row) => rowInSeries(run, row)))
  const labels = [...new Set(rows.map(({ method }) => method))]
  const placeOf = ({ method, inConfig }: MethodRecord) =>
    labels.indexOf(method) + (inConfig === false ? labels.length : 0)
  return {
    ...manifest,
    repeats: highest(({ repeats }) => repeats),
    judgeRuns: highest(({ judgeRuns }) => judgeRuns),
    dataset: {
      ...first.dataset,
      name: [...new Set(manifests.map(({ dataset }) => dataset.name))].join(', '),
      corpora: highest(({ dataset }) => dataset.corpora),
      documents: highest(({ dataset }) => dataset.documents),
      questions: highest(({ dataset }) => dataset.questions),
      ...(synthetic.length > 0 && {
        synthetic: {
          questions: Math.max(...synthetic.map(({ questions }) => questions)),
          by: [...new Set(synthetic.flatMap(({ by }) => by))].sort(),
        },
      }),
    },
    offline: [...new Set(manifests.flatMap(({ offline }) => offline))],
    // grouped by method; removed rows come last
    methods: rows.sort((a, b) => placeOf(a) - placeOf(b)),
    started: manifests.map((run) => run.started).sort()[0] ?? first.started,
    finished: missing.length > 0 || endTimes.includes(null) ? null : (endTimes.sort().at(-1) ?? null),
  }
}

/** A row of a run with its id in the series. */
const rowInSeries = ({ hash }: Manifest, row: MethodRecord): MethodRecord => ({
  ...row,
  id: `${hash}.${row.id}`,
  run: hash,
})

/** Merges scorers by label: the record of the first run, with the columns of all. */
function combineScorers(manifests: readonly Manifest[]) {
  const scorers = new Map<string, ScorerRecord>()
  for (const record of manifests.flatMap((run) => run.scorers)) {
    const first = scorers.get(record.scorer) ?? record
    const columns = [...first.columns, ...record.columns].map(
      (column) => [`${column.metric}\n${column.subset ?? ''}`, column] as const,
    )
    scorers.set(record.scorer, { ...first, columns: [...new Map(columns).values()] })
  }
  return [...scorers.values()]
}

/** Maps lines of a run to those of the series. Equal question ids are one question in the same files. */
function mapToSeries(
  { hash, dataset, ...run }: Manifest,
  manifests: readonly Manifest[],
  scorers: readonly ScorerRecord[],
) {
  const isShared = manifests.every((manifest) => manifest.dataset.checksum === dataset.checksum)
  const prefix = isShared ? '' : `${dataset.name} ${dataset.checksum.slice(0, 8)} `
  const withCluster = <T extends { readonly cluster?: string }>(item: T): T =>
    item.cluster === undefined ? item : { ...item, cluster: `${prefix}${item.cluster}` }
  const idByLabel = new Map(scorers.map(({ scorer, id }) => [scorer, id]))
  const scorerIds = new Map(run.scorers.map(({ id, scorer }) => [id, idByLabel.get(scorer)]))
  const idOf = (id: string) => `${hash}.${id}`
  return {
    line(line: IndexLine | TrialLine): IndexLine | TrialLine {
      const names = { id: idOf(line.id), methodId: idOf(line.methodId) }
      if (line.line === 'index') return { ...line, ...names }
      return { ...line, ...names, question: { ...withCluster(line.question), id: `${prefix}${line.question.id}` } }
    },
    score: (line: ScoreLine): ScoreLine => ({
      ...withCluster(line),
      question: `${prefix}${line.question}`,
      // scores of a removed scorer keep an id of their own, and no column shows them
      scorerId: scorerIds.get(line.scorerId) ?? idOf(line.scorerId),
      methodId: idOf(line.methodId),
      trial: idOf(line.trial),
    }),
  }
}

/**
 * Opens a results folder, of a run or series, by its path or its name below `root`. `isValid`: this process has written
 * or validated the lines of the run. Throws UserError.
 */
export async function openResults(name: string, root: string, isValid = false): Promise<Results> {
  for (const folder of [name, join(root, name)]) {
    const results = (await openRunFolder(folder, isValid)) ?? (await openSeries(folder))
    if (results) return results
  }
  const names = await listRuns(root)
  throw new UserError(
    `${name}: is not a results folder (it has no manifest.json)${names.length > 0 ? `; in ${root}: ${names.join(', ')}` : ''}`,
  )
}

async function listRuns(root: string) {
  const names = await readdir(root).catch(() => [])
  const isRun = (name: string): boolean =>
    ['manifest.json', fileName].some((file) => isRegularFile(join(root, name, file)))
  return names.filter(isRun).sort()
}
