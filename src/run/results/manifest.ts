import { resultsFormat, type Manifest, type MethodRecord, type Row } from '../../records.ts'
import type { Plan } from '../../config/index.ts'
import { indexesOf } from './manifest-indexes.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { brokenChecksums, writeManifest, type Checksums } from './checksums.ts'
import { files } from './journal.ts'
import { readTrials } from './read-lines.ts'
import { readManifest } from './read-manifest.ts'
import { scorerRecords } from './scorer-records.ts'
import { gitState, machine, version, versions } from './environment.ts'

/** A manifest as it was begun, and the checksums of files that were changed by hand before. */
interface Begun {
  readonly manifest: Manifest
  readonly broken: Checksums
}

/** Writes what is about to run; rows and scorers of earlier runs in the same folder are kept, so that their cells stay in the table. */
export async function beginManifest(folder: string, prepared: Prepared, started: Date): Promise<Begun> {
  const { plan, dataset, survey, models, style } = prepared
  const before = await readManifest(folder)
  const broken = before ? await brokenChecksums(folder, before) : {}
  const unused = dataset.unused?.(prepared.files, prepared.path, plan.dataset.options) ?? []
  const manifest: Manifest = {
    format: resultsFormat,
    gembench: version(),
    name: plan.name,
    hash: prepared.hash,
    config: plan.record,
    git: await gitState(plan.sources[0]),
    versions: versions(),
    machine: machine(),
    seed: plan.seed,
    repeats: plan.repeats,
    ...(!plan.indexPerRepeat && { indexPerRepeat: plan.indexPerRepeat }),
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
      ...(Object.keys(survey.leftOut).length > 0 && { leftOut: survey.leftOut }),
      options: plan.dataset.record,
      ...(unused.length > 0 && { unused }),
    },
    answers: style,
    chunks: plan.chunks,
    budget: plan.budget,
    models: models.describe(),
    offline: models.offline(),
    prompts: prepared.prompts,
    methods: inOrderOf(plan, merge(methodRecords(prepared), before?.methods ?? [], rowName)),
    scorers: merge(scorerRecords(prepared.scorers), before?.scorers ?? [], ({ scorer }) => scorer),
    ...(prepared.compare && { compare: prepared.compare }),
    started: before?.started ?? started.toISOString(),
    finished: null,
  }
  await writeManifest(folder, manifest, broken)
  return { manifest, broken }
}

/** Writes when a run was complete, and what its indexes say of themselves. What was changed by hand before stays known as such. */
export async function finishManifest(folder: string, { manifest, broken }: Begun, finished: Date): Promise<Manifest> {
  const indexes = await indexesOf(manifest, readTrials(files(folder).trials))
  const done = { ...manifest, indexes, finished: finished.toISOString() }
  await writeManifest(folder, done, broken)
  return done
}

const methodRecords = ({ methods }: Prepared): readonly MethodRecord[] =>
  methods.map(({ row, id, use, method, options, record }) => ({
    ...row,
    id,
    use,
    options: record,
    ...(method.context && { context: method.context }),
    ...(method.answers?.(options) && { answers: 'own' as const }),
    ...(method.ranks === false && { ranks: method.ranks }),
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
