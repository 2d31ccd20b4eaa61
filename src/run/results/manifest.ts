import { testsIn, withTests } from '../scoring/test-judges.ts'
import {
  resultsFormat,
  type IndexLine,
  type Manifest,
  type MethodRecord,
  type ModelRecord,
  type ReplacedRow,
  type Row,
  type ScorerRecord,
  type IndexesRecord,
  type SyntheticRecord,
} from '../../records.ts'
import type { Plan } from '../../config/index.ts'
import { canonicalJson } from '../../text/hash.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { brokenChecksums, writeManifest, type Checksums, readManifest } from './results.ts'
import { modelIdentity } from './identity.ts'
import { storedLines } from './read-lines.ts'
import { scorerRecords } from '../prepare/scorer-entries.ts'
import { gitState, machine, version, versions } from './environment.ts'
import { syntheticRecord } from '../prepare/dataset-statistics.ts'

interface Begun {
  readonly manifest: Manifest
  readonly broken: Checksums
}

/** Writes what is about to run; rows and scorers of earlier runs in the same folder are kept. */
export async function beginManifest(folder: string, prepared: Prepared, started: Date): Promise<Begun> {
  const { plan, dataset, statistics, models, style } = prepared
  const before = await readManifest(folder)
  const broken = before ? await brokenChecksums(folder, before) : {}
  const methods = rowsOf(plan, methodRecords(prepared), before?.methods ?? [])
  const replaced = replacedRows(methods, [...(before?.methods ?? []), ...(before?.replaced ?? [])])
  const held = await heldQuestions(folder, before, methods, { ...statistics, repeats: plan.repeats })
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
    repeats: held.repeats,
    ...(!plan.indexPerRepeat && { indexPerRepeat: plan.indexPerRepeat }),
    judgeRuns: plan.judgeRuns,
    dataset: {
      name: dataset.name,
      source: dataset.source,
      licence: dataset.licence,
      checksum: prepared.checksum,
      files: prepared.files.map((file) => file.split(/[\\/]/).at(-1) ?? file),
      corpora: held.corpora,
      documents: held.documents,
      questions: held.questions,
      ...(statistics.language !== undefined && { language: statistics.language }),
      ...(held.synthetic && { synthetic: held.synthetic }),
      ...(Object.keys(statistics.leftOut).length > 0 && { leftOut: statistics.leftOut }),
      ...(statistics.notes.length > 0 && { notes: statistics.notes }),
      options: plan.dataset.record,
      ...(statistics.digests && { digests: statistics.digests }),
      ...(unused.length > 0 && { unused }),
    },
    ...((held.questions > statistics.questions || held.repeats > plan.repeats) && {
      asks: { questions: statistics.questions, repeats: plan.repeats },
    }),
    ...(plan.varied.length > 0 && { varied: plan.varied }),
    answers: style,
    chunks: plan.chunks,
    budget: plan.budget,
    models: models.describe(),
    offline: models.offline(),
    prompts: prepared.prompts,
    methods,
    ...(replaced.length > 0 && { replaced }),
    scorers: merge(
      withTests(scorerRecords(prepared.scorers), testsIn(before)),
      scorersOfBefore(before, models.describe()),
      ({ scorer }) => scorer,
    ),
    ...(prepared.compare && { compare: prepared.compare }),
    ...(before?.callsInNoLine !== undefined && { callsInNoLine: before.callsInNoLine }),
    started: before?.started ?? started.toISOString(),
    finished: null,
  }
  await writeManifest(folder, manifest, broken)
  return { manifest, broken }
}

/**
 * Writes when a run was complete, what its indexes say, and the calls that no line shows; what was changed by hand
 * stays known.
 */
export async function finishManifest(
  folder: string,
  { manifest, broken }: Begun,
  indexes: ReturnType<typeof collectIndexes>,
  finished: Date,
  unshown: number,
): Promise<Manifest> {
  const { replaced: rows = [], ...own } = manifest
  // a run that was stopped may have no line of a row
  const replaced = rows.filter(({ id }) => indexes.has(id))
  const callsInNoLine = (own.callsInNoLine ?? 0) + unshown
  const done: Manifest = {
    ...own,
    ...(replaced.length > 0 && { replaced }),
    ...(callsInNoLine > 0 && { callsInNoLine }),
    indexes: indexes.recordOf(manifest.methods),
    finished: finished.toISOString(),
  }
  await writeManifest(folder, done, broken)
  return done
}

const methodRecords = ({ methods }: Prepared): readonly MethodRecord[] =>
  methods.map(({ row, varied, id, use, method, options, record, budget, requires }) => ({
    ...row,
    id,
    use,
    options: record,
    ...(budget && { budget }),
    ...(varied.length > 0 && { varied }),
    ...(method.context && { context: method.context }),
    ...(method.answers?.(options) && { answers: 'own' as const }),
    ...((method.ranks === false || requires.some(({ ranks }) => ranks === false)) && { ranks: false as const }),
  }))

const rowName = ({ method, variant }: Row): string => `${method}\n${variant}`

/** The rows of now and of before in the order of the config; rows that it no longer has come last and say so. */
function rowsOf(plan: Plan, now: readonly MethodRecord[], before: readonly MethodRecord[]): readonly MethodRecord[] {
  const order = plan.methods.map(({ label, variant }) => rowName({ method: label, variant }))
  const place = (record: MethodRecord): number => order.indexOf(rowName(record))
  const rows = merge(now, before, rowName).map(({ inConfig: _before, ...record }) => record)
  const inConfig = rows.filter((record) => place(record) >= 0).sort((a, b) => place(a) - place(b))
  // one that the config has under another name stands there already
  const others = rows.filter((record) => place(record) < 0 && !inConfig.some(({ id }) => id === record.id))
  return [...inConfig, ...others.map((record) => ({ ...record, inConfig: false as const }))]
}

/** Rows of earlier runs that are not among those of now, each once: others have their names. */
function replacedRows(now: readonly Pick<MethodRecord, 'id'>[], all: readonly ReplacedRow[]): readonly ReplacedRow[] {
  const shown = new Set(now.map(({ id }) => id))
  const others = new Map(all.filter(({ id }) => !shown.has(id)).map((row) => [row.id, row]))
  return Array.from(others.values(), ({ method, variant, id, use, options }) => ({
    method,
    variant,
    id,
    use,
    options,
  }))
}

/** Scorers of earlier runs; those whose judge is not that of now say which it was. */
function scorersOfBefore(before: Manifest | undefined, { judge: now }: Manifest['models']): readonly ScorerRecord[] {
  const isNow = (model: ModelRecord): boolean =>
    canonicalJson(modelIdentity(model)) === canonicalJson(modelIdentity(now))
  return (before?.scorers ?? []).map(({ judgedBy, ...record }) => {
    const model = judgedBy ?? before?.models.judge
    return record.judge && model && !isNow(model) ? { ...record, judgedBy: model } : record
  })
}

/** The new records in their order, then those of before whose names are not among them. */
function merge<T>(now: readonly T[], before: readonly T[], nameOf: (record: T) => string): readonly T[] {
  const names = new Set(now.map(nameOf))
  return [...now, ...before.filter((record) => !names.has(nameOf(record)))]
}

/** Corpora whose indexes a manifest describes: the first ones. */
const mostCorpora = 100

/** Collects what the indexes say of themselves: `add` takes each line of an index once, in the order of the file. */
export function collectIndexes() {
  const corpora = new Set<string>()
  const methodIds = new Set<string>()
  const described: IndexLine[] = []
  return {
    add(line: IndexLine): void {
      methodIds.add(line.methodId)
      corpora.add(line.corpus)
      if (corpora.size <= mostCorpora && (line.stats ?? line.warnings)) described.push(line)
    },
    /** Whether a row has an index. */
    has: (methodId: string): boolean => methodIds.has(methodId),
    recordOf: (methods: readonly MethodRecord[]): IndexesRecord => ({
      corporaLeftOut: Math.max(0, corpora.size - mostCorpora),
      of: methods.flatMap(({ id, method, variant }) =>
        described
          .filter(({ methodId }) => methodId === id)
          .map(({ corpus, repeat, stats, warnings }) => ({
            method,
            variant,
            corpus,
            ...(repeat !== undefined && { repeat }),
            ...(stats && { stats }),
            ...(warnings && { warnings }),
          })),
      ),
    }),
  }
}

/** How much is asked: questions, the corpora and documents that they are asked of, and how often each. */
interface Asked {
  readonly corpora: number
  readonly documents: number
  readonly questions: number
  readonly repeats: number
  readonly synthetic?: SyntheticRecord
}

/** What a config asks, or what the rows of a results folder hold already where that is more. */
async function heldQuestions(
  folder: string,
  before: Manifest | undefined,
  rows: readonly MethodRecord[],
  { corpora, documents, questions, repeats, synthetic }: Asked,
): Promise<Asked> {
  const now = { corpora, documents, questions, repeats, ...(synthetic && { synthetic }) }
  if (!before || (before.dataset.questions <= questions && before.repeats <= repeats)) return now
  const ids = new Set(rows.map(({ id }) => id))
  const held = { corpora: new Map<string, number>(), questions: new Map<string, string | undefined>(), repeats: 0 }
  for await (const { value: line } of storedLines(folder, { isUnique: true })) {
    if (!ids.has(line.methodId)) continue
    if (line.line === 'index') held.corpora.set(line.corpus, line.documents)
    else {
      held.questions.set(line.question.id, line.question.synthetic)
      held.repeats = Math.max(held.repeats, line.repeat + 1)
    }
  }
  const read = [...held.corpora.values()].reduce((sum, count) => sum + count, 0)
  return {
    corpora: Math.max(corpora, held.corpora.size),
    documents: Math.max(documents, read),
    questions: Math.max(questions, held.questions.size),
    repeats: Math.max(repeats, held.repeats),
    ...(held.questions.size > questions
      ? syntheticRecord([...held.questions.values()].flatMap((by) => by ?? []))
      : synthetic && { synthetic }),
  }
}
