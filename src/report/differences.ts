import type { Manifest, MethodRecord, ModelRecord, ScorerRecord } from '../records.ts'
import { canonicalJson } from '../text/hash.ts'

/** A setting that differs; null where a record lacks it. */
export interface SettingDifference {
  readonly setting: string
  readonly before: string | null
  readonly after: string | null
}

/** Settings that may change the numbers of a scorer and differ between two runs. */
export const runDifferences = (before: Manifest, after: Manifest, scorer: string): readonly SettingDifference[] =>
  settingDifferences(settingsOf(before, scorer), settingsOf(after, scorer))

/** Options that differ between two rows of one method, or the methods. */
export const rowDifferences = (before: MethodRecord, after: MethodRecord): readonly SettingDifference[] =>
  before.use === after.use
    ? settingDifferences(optionsOf(before), optionsOf(after))
    : [{ setting: 'method', before: before.use, after: after.use }]

/**
 * Why scores are not comparable: another dataset, other dataset options, or another scorer. All else may be the
 * subject.
 */
export function incomparableBecause(before: Manifest, after: Manifest, scorer: string): readonly string[] {
  const [old, now] = [before.dataset, after.dataset]
  if (old.name !== now.name) return [`the datasets differ: ${old.name} and ${now.name}`]
  const [oldScorer, newScorer] = [scorerOf(before, scorer), scorerOf(after, scorer)]
  const reasons: string[] = []
  const options = settingDifferences(optionsOf(old), optionsOf(now))
  if (options.length > 0)
    reasons.push(`the dataset ${old.name} is read with other options: ${listDifferences(options)}`)
  if (oldScorer?.id !== newScorer?.id)
    reasons.push(`the scorer ${scorer} differs: ${howItDiffers(oldScorer, newScorer)}`)
  return reasons
}

/** Such as `budget.tokens 1000 → 600, seed 1 → 2`. */
export const listDifferences = (differences: readonly SettingDifference[]): string =>
  differences.map(({ setting, before, after }) => `${setting} ${before ?? 'none'} → ${after ?? 'none'}`).join(', ')

function settingsOf({ dataset, models, ...run }: Manifest, label: string): Settings {
  const { complete, answer, embed, judge } = models
  const scorer = run.scorers.find((candidate) => candidate.scorer === label)
  return {
    dataset: {
      name: dataset.name,
      checksum: dataset.checksum.slice(0, 12),
      questions: dataset.questions,
      ...optionsOf(dataset),
    },
    chunks: run.chunks,
    budget: run.budget,
    answers: run.answers,
    prompts: run.prompts,
    models: {
      complete: withoutPrice(complete),
      answer: answer && withoutPrice(answer),
      embed: withoutPrice(embed),
      judge: scorer?.judge ? withoutPrice(judge) : undefined,
    },
    seed: run.seed,
    repeats: run.repeats,
    judgeRuns: scorer?.judge ? run.judgeRuns : undefined,
    [label]: scorer && { version: scorer.version, ...optionsOf(scorer) },
    gembench: run.gembench,
    versions: run.versions,
  }
}

const scorerOf = ({ scorers }: Manifest, label: string): ScorerRecord | undefined =>
  scorers.find(({ scorer }) => scorer === label)

/** Explains why two scorer ids differ; a plug-in file is part of the id. */
function howItDiffers(before: ScorerRecord | undefined, after: ScorerRecord | undefined): string {
  const [old, now] = [before, after].map((scorer) => ({
    use: scorer?.use,
    version: scorer?.version,
    ...(scorer && optionsOf(scorer)),
  }))
  const optionDifferences = settingDifferences(old ?? {}, now ?? {})
  if (optionDifferences.length > 0) return listDifferences(optionDifferences)
  return before?.judge ? 'its judge or its file' : 'its file'
}

type Settings = Readonly<Record<string, unknown>>

const optionsOf = ({ options }: { readonly options: unknown }): Settings => ({ options })

const withoutPrice = ({ price: _price, ...model }: ModelRecord): Settings => model

/** Leaves that differ, by path, in the order of the first value. */
function settingDifferences(before: Settings, after: Settings): readonly SettingDifference[] {
  const [old, now] = [new Map(leaves(before)), new Map(leaves(after))]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((setting) => {
    const [before, after] = [old.get(setting) ?? null, now.get(setting) ?? null]
    return before === after ? [] : [{ setting, before, after }]
  })
}

function* leaves(value: unknown, path = ''): Generator<readonly [string, string]> {
  if (value === undefined) return
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) yield* leaves(inner, path === '' ? key : `${path}.${key}`)
  } else yield [path, typeof value === 'string' ? value : canonicalJson(value)]
}

interface NamedRun {
  readonly name: string
  readonly manifest: Manifest
}

/** One line for each aspect in which several runs differ. */
export function differences(manifests: readonly Manifest[]): readonly string[] {
  const aspects: Readonly<Record<string, (manifest: Manifest) => unknown>> = {
    dataset: ({ dataset }) => [dataset.name, dataset.options, dataset.checksum],
    'number of questions': ({ dataset }) => dataset.questions,
    chunking: ({ chunks }) => chunks,
    budget: ({ budget }) => budget,
    'answer prompt': ({ prompts, answers }) => [prompts, answers],
    'answering model': ({ models }) => models.answer ?? models.complete,
    'rerank model': ({ models }) => models.rerank ?? null,
    'model that methods call': ({ models }) => (models.answer ? models.complete : null),
    embedder: ({ models }) => models.embed,
    seed: ({ seed }) => seed,
  }
  return Object.entries(aspects)
    .filter(([, of]) => new Set(manifests.map((manifest) => canonicalJson(of(manifest)))).size > 1)
    .map(([aspect]) => `the runs differ in their ${aspect}: their rows are not directly comparable`)
}

/** Why runs cannot share a table or page: they read one file with other options, or (tables) it changed in between. */
export function conflictBetween(runs: readonly NamedRun[], target: 'table' | 'page' = 'table'): string | undefined {
  for (const { name, manifest } of runs) {
    const { name: dataset, files } = manifest.dataset
    const first = runs.find((run) => run.manifest.dataset.files.some((file) => files.includes(file)))
    if (!first) continue
    const firstReading = readingOf(first.manifest)
    const reading = readingOf(manifest)
    const setting = [...firstReading.keys(), ...reading.keys()].find(
      (key) => firstReading.get(key) !== reading.get(key),
    )
    if (setting === undefined || (target === 'page' && setting === checksumName)) continue
    const values = `${firstReading.get(setting) ?? 'none'} and ${reading.get(setting) ?? 'none'}`
    return `${first.name} and ${name} cannot share a ${target}: they read ${dataset} with different options or files: ${setting} ${values}`
  }
  return undefined
}

const checksumName = 'checksum of its files'

/** Options first, since another option may select another file. */
function readingOf({ dataset: { options, checksum } }: Manifest): ReadonlyMap<string, string> {
  const optionEntries = Object.entries((options ?? {}) as Readonly<Record<string, unknown>>)
  return new Map([
    ...optionEntries.map(([option, value]) => [option, canonicalJson(value)] as const),
    [checksumName, checksum.slice(0, 12)],
  ])
}

type DocumentChange = 'added' | 'removed' | 'edited'

/** Documents that differ between two runs, by corpus and id. */
export interface DocumentChanges {
  readonly of: (corpus: string, document: string) => DocumentChange | undefined
  readonly names: Readonly<Record<DocumentChange, readonly string[]>>
}

/** Undefined where a manifest has no digests. */
export function documentChanges(
  before: Pick<Manifest, 'dataset'>,
  after: Pick<Manifest, 'dataset'>,
): DocumentChanges | undefined {
  const [old, now] = [digestsOf(before), digestsOf(after)]
  if (!old || !now) return undefined
  const keys = new Set([...old.keys(), ...now.keys()])
  const changes = new Map(
    [...keys].flatMap((key): (readonly [string, DocumentChange])[] => {
      const [digest, later] = [old.get(key)?.digest, now.get(key)?.digest]
      if (digest === later) return []
      return [[key, digest === undefined ? 'added' : later === undefined ? 'removed' : 'edited']]
    }),
  )
  const namesOf = (kind: DocumentChange): readonly string[] =>
    [...changes].flatMap(([key, change]) => (change === kind ? [(now.get(key) ?? old.get(key))?.name ?? key] : []))
  return {
    of: (corpus, document) => changes.get(keyOf(corpus, document)),
    names: { added: namesOf('added'), removed: namesOf('removed'), edited: namesOf('edited') },
  }
}

const keyOf = (corpus: string, document: string): string => JSON.stringify([corpus, document])

/** Names include the corpus where there are several. */
function digestsOf({
  dataset: { digests },
}: Pick<Manifest, 'dataset'>): ReadonlyMap<string, { readonly digest: string; readonly name: string }> | undefined {
  if (!digests) return undefined
  const corpora = Object.entries(digests)
  return new Map(
    corpora.flatMap(([corpus, documents]) =>
      Object.entries(documents).map(([id, digest]) => [
        keyOf(corpus, id),
        { digest, name: corpora.length > 1 ? `${corpus}: ${id}` : id },
      ]),
    ),
  )
}

/** A changed document of the evidence or of a context. */
export interface TouchingDocument {
  readonly document: string
  readonly change: DocumentChange
  readonly evidence: boolean
}
