import { resultsFormat, type Manifest, type MethodRecord, type ModelRecord, type ScorerRecord } from '../../records.ts'
import type { Plan } from '../../config/index.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import { canonicalJson } from '../../text/hash.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { findChecksumMismatches, writeManifest, readManifest } from './results.ts'
import { modelIdentity } from '../prepare/identity.ts'
import { storedLines } from './read-lines.ts'
import { gitState, machine, version, versions } from './environment.ts'
import { syntheticRecord } from '../prepare/dataset-statistics.ts'

/** Writes the manifest of a starting run; rows and scorers of earlier runs in the folder are kept. */
export async function beginManifest(folder: string, prepared: Prepared) {
  const { plan, dataset, statistics, models, style } = prepared
  const scorers = prepared.scorers.map(({ record }) => record)
  const previous = await readManifest(folder)
  const mismatches = previous ? await findChecksumMismatches(folder, previous) : {}
  const methods = mergeRows(
    plan,
    prepared.methods.map(({ record }) => record),
    previous?.methods ?? [],
  )
  const coverage = await coverageOf(folder, previous, methods, prepared)
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
    scorers: [
      ...withEarlierTests(scorers, previous?.scorers ?? []),
      ...(previous ? previousScorers(previous, scorers, models.describe().judge) : []),
    ],
    ...(prepared.compare && { compare: prepared.compare }),
    ...(previous?.callsInNoLine !== undefined && { callsInNoLine: previous.callsInNoLine }),
    started: previous?.started ?? new Date().toISOString(),
    finished: null,
  }
  await writeManifest(folder, manifest, mismatches)
  return { manifest, mismatches }
}

/**
 * Writes the end time of a run and the number of calls that no line shows; checksum mismatches are preserved.
 */
export async function finishManifest(
  folder: string,
  { manifest, mismatches }: Awaited<ReturnType<typeof beginManifest>>,
  scorers: readonly ScorerRecord[],
  callsOutsideLines: number,
): Promise<Manifest> {
  const callsInNoLine = (manifest.callsInNoLine ?? 0) + callsOutsideLines
  const finalManifest: Manifest = {
    ...manifest,
    scorers,
    ...(callsInNoLine > 0 && { callsInNoLine }),
    finished: new Date().toISOString(),
  }
  await writeManifest(folder, finalManifest, mismatches)
  return finalManifest
}

/** Whether an embedder runs on this machine with instructions that differ between processors. */
const embedsHere = ({ provider, parameters }: ModelRecord) =>
  provider === 'transformers' || (provider === 'minilm' && parameters['portable'] === undefined)

function mergeRows(
  plan: Plan,
  current: readonly MethodRecord[],
  previous: readonly MethodRecord[],
): readonly MethodRecord[] {
  const keyOf = (method: string, variant: string) => `${method}\n${variant}`
  const order = plan.methods.map(({ label, variant }) => keyOf(label, variant))
  const rows = new Map([...previous, ...current].map((record) => [keyOf(record.method, record.variant), record]))
  const rowsInConfig = order.flatMap((key) => rows.get(key) ?? []).map(({ inConfig: _before, ...record }) => record)
  // a renamed row is listed under its new name
  const ids = new Set(rowsInConfig.map(({ id }) => id))
  const removedRows = [...rows].flatMap(([key, row]) => (order.includes(key) || ids.has(row.id) ? [] : [row]))
  return [...rowsInConfig, ...removedRows.map((row) => ({ ...row, inConfig: false as const }))]
}

/** Scorers of earlier runs that are not current ones, with their judge if it is not the current one. */
function previousScorers(
  { scorers, models }: Manifest,
  current: readonly ScorerRecord[],
  currentJudge: ModelRecord,
): readonly ScorerRecord[] {
  const labels = new Set(current.map(({ scorer }) => scorer))
  const identityOf = (model: ModelRecord) => canonicalJson(modelIdentity(model))
  return scorers
    .filter(({ scorer }) => !labels.has(scorer))
    .map(({ judgedBy = models.judge, ...record }) =>
      record.judge && identityOf(judgedBy) !== identityOf(currentJudge) ? { ...record, judgedBy } : record,
    )
}

/** The size of a config, or that of the rows already in the folder where it is larger. */
async function coverageOf(
  folder: string,
  previous: Manifest | undefined,
  rows: readonly MethodRecord[],
  { plan: { repeats }, statistics: { corpora, documents, questions, synthetic } }: Prepared,
) {
  const current = { corpora, documents, questions, synthetic, repeats }
  if (!previous || (previous.dataset.questions <= questions && previous.repeats <= repeats)) return current
  const ids = new Set(rows.map(({ id }) => id))
  const documentCounts = new Map<string, number>()
  const drafters = new Map<string, string | undefined>()
  let repeatCount = repeats
  for await (const { value: line } of storedLines(folder, { isUnique: true })) {
    if (!ids.has(line.methodId)) continue
    if (line.line === 'index') documentCounts.set(line.corpus, line.documents)
    else {
      drafters.set(line.question.id, line.question.synthetic)
      repeatCount = Math.max(repeatCount, line.repeat + 1)
    }
  }
  return {
    corpora: Math.max(corpora, documentCounts.size),
    documents: Math.max(documents, sum([...documentCounts.values()])),
    questions: Math.max(questions, drafters.size),
    synthetic: drafters.size > questions ? syntheticRecord([...drafters.values()]) : synthetic,
    repeats: repeatCount,
  }
}

/** Records of scorers with the tests of their judges from an earlier run. */
export const withEarlierTests = (
  scorers: readonly ScorerRecord[],
  previous: readonly ScorerRecord[],
): readonly ScorerRecord[] =>
  scorers.map((record) => {
    const { judgeTest } = previous.find(({ id }) => id === record.id) ?? {}
    return judgeTest ? { ...record, judgeTest } : record
  })
