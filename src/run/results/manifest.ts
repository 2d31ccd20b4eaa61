import { join } from 'node:path'
import type { Manifest, MethodRecord, Row, ScorerRecord } from '../records.ts'
import type { Plan } from '../config/index.ts'
import type { Judge } from './judge-all.ts'
import { indexesOf } from './manifest-indexes.ts'
import type { Prepared } from './prepare.ts'
import { files, readJournal, readManifest, replaceFile } from './store.ts'
import { gitState, machine, version, versions } from './surroundings.ts'

/** Writes what is about to run; rows and scorers of earlier runs in the same folder are kept, so that their cells stay in the table. */
export async function beginManifest(folder: string, prepared: Prepared, started: Date): Promise<Manifest> {
  const { plan, dataset, survey, models, style } = prepared
  const before = await readManifest(folder)
  const manifest: Manifest = {
    gembench: version(),
    name: plan.name,
    hash: prepared.hash,
    config: plan.record,
    git: await gitState(plan.sources[0]),
    versions: versions(),
    machine: machine(),
    seed: plan.seed,
    repeats: plan.repeats,
    judgeRuns: plan.judgeRuns,
    dataset: {
      name: dataset.name,
      source: dataset.source,
      licence: dataset.licence,
      checksum: prepared.checksum,
      files: prepared.files.map((file) => file.split(/[\\/]/).at(-1) ?? file),
      corpora: survey.corpora,
      documents: survey.documents,
      questions: survey.questions,
      options: plan.dataset.record,
    },
    answers: style,
    chunks: plan.chunks,
    budget: plan.budget,
    models: models.describe(),
    offline: models.offline(),
    prompts: prepared.prompts,
    methods: inOrderOf(plan, merge(methodRecords(prepared), before?.methods ?? [], rowName)),
    scorers: merge(scorerRecords(prepared.judges), before?.scorers ?? [], ({ scorer }) => scorer),
    started: before?.started ?? started.toISOString(),
    finished: null,
  }
  await replaceFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/** Writes when a run was complete, and what its indexes say of themselves. */
export async function finishManifest(folder: string, manifest: Manifest, finished: Date): Promise<Manifest> {
  const indexes = await indexesOf(manifest, readJournal(files(folder).trials))
  const done = { ...manifest, indexes, finished: finished.toISOString() }
  await replaceFile(join(folder, 'manifest.json'), `${JSON.stringify(done, null, 2)}\n`)
  return done
}

const methodRecords = ({ contestants }: Prepared): readonly MethodRecord[] =>
  contestants.map(({ row, id, use, method, record }) => ({
    ...row,
    id,
    use,
    options: record,
    ...(method.context && { context: method.context }),
  }))

/** What a manifest says of the scorers. */
export const scorerRecords = (judges: readonly Judge[]): readonly ScorerRecord[] =>
  judges.map(({ label, id, use, scorer, record }) => ({
    scorer: label,
    id,
    use,
    version: scorer.version,
    options: record,
    kinds: scorer.kinds,
    judge: scorer.judge ?? false,
    columns: scorer.columns,
  }))

const rowName = ({ method, variant }: Row): string => `${method}\n${variant}`

/** Rows in the order of the config, whenever they were run; rows that it no longer names come last. */
function inOrderOf(plan: Plan, records: readonly MethodRecord[]): readonly MethodRecord[] {
  const order = plan.methods.map(({ label, variant }) => rowName({ method: label, variant }))
  const place = (record: MethodRecord): number => {
    const index = order.indexOf(rowName(record))
    return index < 0 ? order.length : index
  }
  return [...records].sort((a, b) => place(a) - place(b))
}

/** The new records in their order, then those of before whose names are not among them. */
function merge<T>(now: readonly T[], before: readonly T[], nameOf: (record: T) => string): readonly T[] {
  const names = new Set(now.map(nameOf))
  return [...now, ...before.filter((record) => !names.has(nameOf(record)))]
}
