import { existsSync } from 'node:fs'
import { rm, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeNamedFolder, readRegular, removeEmptyFolders, isRegularFile } from '../../basics/files.ts'
import { UserError } from '../../errors.ts'
import {
  resultsFormat,
  seriesRecord,
  type SeriesRecord,
  type Manifest,
  type MethodRecord,
  type ReplacedRow,
  type ScoreLine,
  type ScorerRecord,
} from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { shapeFaults } from '../../text/shape-faults.ts'
import { damaged } from './read-lines.ts'
import { replaceFile } from './journal.ts'
import { type Results, openRunFolder } from './results.ts'
import type { Question } from '../../types.ts'

const fileName = 'series.json'

/** Writes which runs share a table, into `<results>/<name>-series-<hash>/`. */
export async function writeSeries(
  results: string,
  { name, varied, runs }: Pick<SeriesRecord, 'name' | 'varied' | 'runs'>,
) {
  const hash = hashOf({ varied, runs }).slice(0, 8)
  const folder = join(results, `${name}-series-${hash}`)
  const made = makeNamedFolder(folder, 'name another folder with --results')
  const record: SeriesRecord = { format: resultsFormat, name, hash, varied, runs }
  await replaceFile(join(folder, fileName), `${JSON.stringify(record, null, 2)}\n`)
  return {
    folder,
    /** Removes what was made for it, where no run of it has begun. */
    async undo(): Promise<void> {
      if (!made.includes(folder) || runs.some((run) => existsSync(join(results, run)))) return
      await rm(join(folder, fileName), { force: true })
      removeEmptyFolders(made)
    },
  }
}

/** The runs of a series as one; undefined for no series. Throws UserError where no run has begun. */
async function openSeries(folder: string): Promise<Results | undefined> {
  const record = await readSeries(folder)
  if (!record) return undefined
  const found = await Promise.all(
    record.runs.map(async (name) => ({
      name,
      // a published series has its runs within
      run: (await openRunFolder(join(folder, name))) ?? (await openRunFolder(join(dirname(resolve(folder)), name))),
    })),
  )
  const [first, ...others] = found.flatMap(({ run }) => run ?? [])
  const missing = found.flatMap(({ name, run }) => (run ? [] : [name]))
  if (!first)
    throw new UserError(
      `${folder}: none of its runs is beside it (${missing.join(', ')}); run the config again, or bring their folders`,
    )
  return combineRuns(folder, record, [first, ...others], missing)
}

async function readSeries(folder: string): Promise<SeriesRecord | undefined> {
  const file = join(folder, fileName)
  const text = await readRegular(file)
  if (text === undefined) return undefined
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch {
    throw damaged(file, `is no ${basename(file)} of gembench`)
  }
  const [fault] = shapeFaults(seriesRecord, record, {})
  if (fault) throw damaged(file, fault.message)
  return record as SeriesRecord
}

function combineRuns(
  folder: string,
  { name, hash, varied }: SeriesRecord,
  runs: readonly [Results, ...(readonly Results[])],
  missing: readonly string[],
): Results {
  const manifests = runs.map(({ manifest }) => manifest)
  const scorers = scorersOf(manifests)
  const sides = runs.map((results) => ({ results, ...namesIn(results.manifest, manifests, scorers) }))
  return {
    folder,
    runs,
    manifest: {
      ...sumOf(runs[0].manifest, manifests, missing),
      name,
      hash,
      scorers,
      series: { runs: manifests, varied, missing },
    },
    async *trials() {
      for (const { results, inSeries, question } of sides)
        for await (const line of results.trials()) {
          const named = { ...line, id: inSeries(line.id), methodId: inSeries(line.methodId) }
          yield named.line === 'index' ? named : { ...named, question: question(named.question) }
        }
    },
    async *scores() {
      for (const { results, inSeries, ofScores } of sides)
        for await (const line of results.scores())
          yield { ...ofScores(line), methodId: inSeries(line.methodId), trial: inSeries(line.trial) }
    },
    async *meter() {
      for (const { results } of sides) yield* results.meter()
    },
    async changed() {
      const found = await Promise.all(
        runs.map(async (run) => (await run.changed()).map((file) => `${basename(run.folder)}/${file}`)),
      )
      return found.flat()
    },
  }
}

/** What of a manifest holds for all runs together; what differs between them stands in `series.runs`. */
function sumOf(first: Manifest, manifests: readonly Manifest[], missing: readonly string[]): Manifest {
  const { checksums: _own, asks: _asked, varied: _varied, indexes: _indexes, ...others } = first
  const { replaced: _replaced, ...manifest } = others
  const most = (of: (one: Manifest) => number): number => Math.max(...manifests.map(of))
  const { dataset } = first
  const drafted = manifests.flatMap((one) => one.dataset.synthetic ?? [])
  const ended = manifests.map(({ finished }) => finished)
  const indexes = manifests.flatMap((one) => one.indexes ?? [])
  const replaced = replacedIn(manifests)
  return {
    ...manifest,
    format: resultsFormat,
    repeats: most(({ repeats }) => repeats),
    judgeRuns: most(({ judgeRuns }) => judgeRuns),
    dataset: {
      ...dataset,
      name: [...new Set(manifests.map((one) => one.dataset.name))].join(', '),
      corpora: most((one) => one.dataset.corpora),
      documents: most((one) => one.dataset.documents),
      questions: most((one) => one.dataset.questions),
      ...(drafted.length > 0 && {
        synthetic: {
          questions: Math.max(...drafted.map(({ questions }) => questions)),
          by: [...new Set(drafted.flatMap(({ by }) => by))].sort(),
        },
      }),
    },
    offline: [...new Set(manifests.flatMap(({ offline }) => offline))],
    methods: rowsOf(manifests),
    ...(replaced.length > 0 && { replaced }),
    indexes: {
      corporaLeftOut: indexes.reduce((sum, { corporaLeftOut }) => sum + corporaLeftOut, 0),
      of: indexes.flatMap(({ of }) => of),
    },
    started: manifests.map(({ started }) => started).sort()[0] ?? first.started,
    finished: missing.length > 0 || ended.includes(null) ? null : (ended.sort().at(-1) ?? null),
  }
}

/** Rows of one method stand together, in the order of the runs; those that the config no longer has come last. */
function rowsOf(manifests: readonly Manifest[]): readonly MethodRecord[] {
  const rows = manifests.flatMap(({ hash, methods }) =>
    methods.map((row) => ({ ...row, id: `${hash}.${row.id}`, run: hash })),
  )
  const labels = [...new Set(rows.map(({ method }) => method))]
  const place = ({ method, inConfig }: MethodRecord): number =>
    labels.indexOf(method) + (inConfig === false ? labels.length : 0)
  return rows.sort((a, b) => place(a) - place(b))
}

const replacedIn = (manifests: readonly Manifest[]): readonly ReplacedRow[] =>
  manifests.flatMap(({ hash, replaced = [] }) =>
    replaced.map((row) => ({ ...row, id: `${hash}.${row.id}`, run: hash })),
  )

/** Scorers of one label are one: those of the first run that has it, with the columns of all. */
function scorersOf(manifests: readonly Manifest[]): readonly ScorerRecord[] {
  const all = manifests.flatMap(({ scorers }) => scorers)
  const first = all.filter(({ scorer }, index) => all.findIndex((other) => other.scorer === scorer) === index)
  return first.map((record) => {
    const columns = all.flatMap(({ scorer, columns: own }) => (scorer === record.scorer ? own : []))
    return {
      ...record,
      columns: [...new Map(columns.map((one) => [`${one.metric}\n${one.subset ?? ''}`, one])).values()],
    }
  })
}

/** How ids of a run read in the series. Questions of one id are the same question, unless the runs read other files. */
function namesIn(manifest: Manifest, manifests: readonly Manifest[], scorers: readonly ScorerRecord[]) {
  const { hash, dataset } = manifest
  const differ = manifests.some((other) => other.dataset.checksum !== dataset.checksum)
  const ofData = (id: string): string => (differ ? `${dataset.name} ${dataset.checksum.slice(0, 8)} ${id}` : id)
  const clustered = (cluster: string | undefined) => (cluster === undefined ? {} : { cluster: ofData(cluster) })
  const ids = new Map(
    manifest.scorers.map(({ id, scorer }) => [id, scorers.find((one) => one.scorer === scorer)?.id ?? id]),
  )
  return {
    inSeries: (id: string): string => `${hash}.${id}`,
    question: (question: Question): Question => ({
      ...question,
      id: ofData(question.id),
      ...clustered(question.cluster),
    }),
    ofScores: (line: ScoreLine): ScoreLine => ({
      ...line,
      question: ofData(line.question),
      ...clustered(line.cluster),
      // those of a scorer that the run no longer has stay what they are, and no column shows them
      scorerId: ids.get(line.scorerId) ?? `${hash}.${line.scorerId}`,
    }),
  }
}

/** Opens a results folder, of a run or series, by its path or its name below `root`. Throws UserError. */
export async function openResults(name: string, root: string): Promise<Results> {
  for (const folder of [name, join(root, name)]) {
    const results = (await openRunFolder(folder)) ?? (await openSeries(folder))
    if (results) return results
  }
  const known = await runsIn(root)
  throw new UserError(
    `${name}: is not a results folder (it has no manifest.json)${known.length > 0 ? `; in ${root}: ${known.join(', ')}` : ''}`,
  )
}

async function runsIn(root: string): Promise<readonly string[]> {
  const names = await readdir(root).catch(() => [])
  return names.filter((name) => isResultsFolder(join(root, name))).sort()
}

const isResultsFolder = (folder: string): boolean =>
  ['manifest.json', fileName].some((name) => isRegularFile(join(folder, name)))
