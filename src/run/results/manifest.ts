import {
  resultsFormat,
  type IndexLine,
  type JudgeTest,
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
import { findChecksumMismatches, writeManifest, type Checksums, readManifest } from './results.ts'
import { modelIdentity } from '../prepare/identity.ts'
import { storedLines } from './read-lines.ts'
import { gitState, machine, version, versions } from './environment.ts'
import { syntheticRecord } from '../prepare/dataset-statistics.ts'

interface RunManifest {
  readonly manifest: Manifest
  readonly mismatches: Checksums
}

/** Writes the manifest of a starting run; rows and scorers of earlier runs in the folder are kept. */
export async function beginManifest(folder: string, prepared: Prepared, startTime: Date): Promise<RunManifest> {
  const { plan, dataset, statistics, models, style } = prepared
  const previous = await readManifest(folder)
  const mismatches = previous ? await findChecksumMismatches(folder, previous) : {}
  const methods = mergeRows(
    plan,
    prepared.methods.map(({ record }) => record),
    previous?.methods ?? [],
  )
  const formerRows = findFormerRows(methods, [...(previous?.methods ?? []), ...(previous?.replaced ?? [])])
  const coverage = await coverageOf(folder, previous, methods, { ...statistics, repeats: plan.repeats })
  const unusedOptions = dataset.unused?.(prepared.files, prepared.path, plan.dataset.options) ?? []
  const manifest: Manifest = {
    format: resultsFormat,
    gembench: version(),
    name: plan.name,
    hash: prepared.hash,
    config: plan.record,
    git: await gitState(plan.sources[0]),
    versions: versions(),
    machine: machine(embedsHere(models.describe().embed)),
    seed: plan.seed,
    repeats: coverage.repeats,
    ...(!plan.indexPerRepeat && { indexPerRepeat: plan.indexPerRepeat }),
    judgeRuns: plan.judgeRuns,
    dataset: {
      name: dataset.name,
      source: dataset.source,
      licence: dataset.licence,
      checksum: prepared.checksum,
      files: prepared.files.map((file) => file.split(/[\\/]/).at(-1) ?? file),
      corpora: coverage.corpora,
      documents: coverage.documents,
      questions: coverage.questions,
      ...(statistics.language !== undefined && { language: statistics.language }),
      ...(coverage.synthetic && { synthetic: coverage.synthetic }),
      ...(Object.keys(statistics.leftOut).length > 0 && { leftOut: statistics.leftOut }),
      ...(statistics.notes.length > 0 && { notes: statistics.notes }),
      options: plan.dataset.record,
      ...(statistics.digests && { digests: statistics.digests }),
      ...(unusedOptions.length > 0 && { unused: unusedOptions }),
    },
    ...((coverage.questions > statistics.questions || coverage.repeats > plan.repeats) && {
      asks: { questions: statistics.questions, repeats: plan.repeats },
    }),
    ...(plan.variedValues.length > 0 && { varied: plan.variedValues }),
    answers: style,
    chunks: plan.chunks,
    budget: plan.budget,
    models: models.describe(),
    offline: models.offline(),
    prompts: prepared.prompts,
    methods,
    ...(formerRows.length > 0 && { replaced: formerRows }),
    scorers: merge(
      withTests(
        prepared.scorers.map(({ record }) => record),
        testsIn(previous),
      ),
      previousScorers(previous, models.describe()),
      ({ scorer }) => scorer,
    ),
    ...(prepared.compare && { compare: prepared.compare }),
    ...(previous?.callsInNoLine !== undefined && { callsInNoLine: previous.callsInNoLine }),
    started: previous?.started ?? startTime.toISOString(),
    finished: null,
  }
  await writeManifest(folder, manifest, mismatches)
  return { manifest, mismatches }
}

/**
 * Writes the end time of a run, its index statistics, and the calls that no line shows; checksum mismatches
 * are preserved.
 */
export async function finishManifest(
  folder: string,
  { manifest, mismatches }: RunManifest,
  indexes: ReturnType<typeof collectIndexes>,
  endTime: Date,
  callsOutsideLines: number,
): Promise<Manifest> {
  const { replaced: rows = [], ...record } = manifest
  // a stopped run may have no line of a row
  const formerRows = rows.filter(({ id }) => indexes.has(id))
  const callsInNoLine = (record.callsInNoLine ?? 0) + callsOutsideLines
  const finalManifest: Manifest = {
    ...record,
    ...(formerRows.length > 0 && { replaced: formerRows }),
    ...(callsInNoLine > 0 && { callsInNoLine }),
    indexes: indexes.recordOf(manifest.methods),
    finished: endTime.toISOString(),
  }
  await writeManifest(folder, finalManifest, mismatches)
  return finalManifest
}

/** Whether an embedder runs on this machine with instructions that differ between processors. */
const embedsHere = ({ provider, parameters }: ModelRecord): boolean =>
  provider === 'transformers' || (provider === 'minilm' && parameters['portable'] === undefined)

const rowName = ({ method, variant }: Row): string => `${method}\n${variant}`

/** Current and previous rows in the order of the config; removed rows come last, with `inConfig: false`. */
function mergeRows(
  plan: Plan,
  current: readonly MethodRecord[],
  previous: readonly MethodRecord[],
): readonly MethodRecord[] {
  const order = plan.methods.map(({ label, variant }) => rowName({ method: label, variant }))
  const positionOf = (record: MethodRecord): number => order.indexOf(rowName(record))
  const rows = merge(current, previous, rowName).map(({ inConfig: _before, ...record }) => record)
  const inConfig = rows.filter((record) => positionOf(record) >= 0).sort((a, b) => positionOf(a) - positionOf(b))
  // a renamed row is listed under its new name
  const removedRows = rows.filter((record) => positionOf(record) < 0 && !inConfig.some(({ id }) => id === record.id))
  return [...inConfig, ...removedRows.map((record) => ({ ...record, inConfig: false as const }))]
}

/** Rows of earlier runs whose names other rows have now, each once. */
function findFormerRows(
  current: readonly Pick<MethodRecord, 'id'>[],
  rows: readonly ReplacedRow[],
): readonly ReplacedRow[] {
  const currentIds = new Set(current.map(({ id }) => id))
  const formerRows = new Map(rows.filter(({ id }) => !currentIds.has(id)).map((row) => [row.id, row]))
  return Array.from(formerRows.values(), ({ method, variant, id, use, options }) => ({
    method,
    variant,
    id,
    use,
    options,
  }))
}

/** Scorers of earlier runs, with their judge if it is not the current one. */
function previousScorers(
  previous: Manifest | undefined,
  { judge: currentJudge }: Manifest['models'],
): readonly ScorerRecord[] {
  const isCurrentJudge = (model: ModelRecord): boolean =>
    canonicalJson(modelIdentity(model)) === canonicalJson(modelIdentity(currentJudge))
  return (previous?.scorers ?? []).map(({ judgedBy, ...record }) => {
    const model = judgedBy ?? previous?.models.judge
    return record.judge && model && !isCurrentJudge(model) ? { ...record, judgedBy: model } : record
  })
}

/** The current records, then previous ones with other names. */
function merge<T>(current: readonly T[], previous: readonly T[], nameOf: (record: T) => string): readonly T[] {
  const names = new Set(current.map(nameOf))
  return [...current, ...previous.filter((record) => !names.has(nameOf(record)))]
}

/** The number of corpora whose indexes a manifest describes. */
const mostCorpora = 100

/** Collects statistics and warnings of indexes; `add` takes each index line once, in the order of the file. */
export function collectIndexes() {
  const corpora = new Set<string>()
  const methodIds = new Set<string>()
  const indexLines: IndexLine[] = []
  return {
    add(line: IndexLine): void {
      methodIds.add(line.methodId)
      corpora.add(line.corpus)
      if (corpora.size <= mostCorpora && (line.stats ?? line.warnings)) indexLines.push(line)
    },
    /** Whether a row has an index. */
    has: (methodId: string): boolean => methodIds.has(methodId),
    recordOf: (methods: readonly MethodRecord[]): IndexesRecord => ({
      corporaLeftOut: Math.max(0, corpora.size - mostCorpora),
      of: methods.flatMap(({ id, method, variant }) =>
        indexLines
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

/** The size of a run: corpora, documents, questions and repeats. */
interface Coverage {
  readonly corpora: number
  readonly documents: number
  readonly questions: number
  readonly repeats: number
  readonly synthetic?: SyntheticRecord
}

/** The size of a config, or that of the rows already in the folder where it is larger. */
async function coverageOf(
  folder: string,
  previous: Manifest | undefined,
  rows: readonly MethodRecord[],
  { corpora, documents, questions, repeats, synthetic }: Coverage,
): Promise<Coverage> {
  const current = { corpora, documents, questions, repeats, ...(synthetic && { synthetic }) }
  if (!previous || (previous.dataset.questions <= questions && previous.repeats <= repeats)) return current
  const ids = new Set(rows.map(({ id }) => id))
  const totals = { corpora: new Map<string, number>(), questions: new Map<string, string | undefined>(), repeats: 0 }
  for await (const { value: line } of storedLines(folder, { isUnique: true })) {
    if (!ids.has(line.methodId)) continue
    if (line.line === 'index') totals.corpora.set(line.corpus, line.documents)
    else {
      totals.questions.set(line.question.id, line.question.synthetic)
      totals.repeats = Math.max(totals.repeats, line.repeat + 1)
    }
  }
  const documentCount = [...totals.corpora.values()].reduce((sum, count) => sum + count, 0)
  return {
    corpora: Math.max(corpora, totals.corpora.size),
    documents: Math.max(documents, documentCount),
    questions: Math.max(questions, totals.questions.size),
    repeats: Math.max(repeats, totals.repeats),
    ...(totals.questions.size > questions
      ? syntheticRecord([...totals.questions.values()].flatMap((by) => by ?? []))
      : synthetic && { synthetic }),
  }
}

/** Results of judges on claims with known truth, by scorer id. */
export type JudgeTests = ReadonlyMap<string, JudgeTest>

/** The judge tests of an earlier run in the folder. */
export const testsIn = (previous: Pick<Manifest, 'scorers'> | undefined): JudgeTests =>
  new Map((previous?.scorers ?? []).flatMap(({ id, judgeTest }) => (judgeTest ? [[id, judgeTest]] : [])))

/** Records of scorers with the tests of their judges. */
export const withTests = (scorers: readonly ScorerRecord[], tests: JudgeTests): readonly ScorerRecord[] =>
  scorers.map((record) => {
    const judgeTest = tests.get(record.id)
    return judgeTest ? { ...record, judgeTest } : record
  })
