import type { Manifest, MethodRecord, ModelRecord, ScorerRecord } from '../records.ts'
import { listing, present } from '../text/amounts.ts'
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
    ? settingDifferences({ options: before.options }, { options: after.options })
    : [{ setting: 'method', before: before.use, after: after.use }]

/**
 * Why scores are not comparable: another dataset, other dataset options, or another scorer. All else may be the
 * subject.
 */
export function incomparableBecause(before: Manifest, after: Manifest, label: string): readonly string[] {
  const [{ dataset: old }, { dataset: now }] = [before, after]
  if (old.name !== now.name) return [`the datasets differ: ${old.name} and ${now.name}`]
  const options = settingDifferences({ options: old.options }, { options: now.options })
  const scorerOf = ({ scorers }: Manifest) => scorers.find(({ scorer }) => scorer === label)
  const [oldScorer, newScorer] = [before, after].map(scorerOf)
  const settingsOfScorer = ({ use, version, options }: Partial<ScorerRecord> = {}) => ({ use, version, options })
  const changes = listDifferences(settingDifferences(settingsOfScorer(oldScorer), settingsOfScorer(newScorer)))
  return present(
    options.length > 0 && `the dataset ${old.name} is read with other options: ${listDifferences(options)}`,
    // a plug-in file is part of the id
    oldScorer?.id !== newScorer?.id && `the scorer ${label} differs: ${changes || 'its judge or its file'}`,
  )
}

/** Such as `budget.tokens 1000 → 600, seed 1 → 2`. */
export const listDifferences = (differences: readonly SettingDifference[]): string =>
  differences.map(({ setting, before, after }) => `${setting} ${before ?? 'none'} → ${after ?? 'none'}`).join(', ')

function settingsOf(manifest: Manifest, label: string): Settings {
  const scorer = manifest.scorers.find((candidate) => candidate.scorer === label)
  const judge = scorer?.judge ? manifest.models.judge : undefined
  return {
    ...conditionsOf(manifest, judge),
    repeats: manifest.repeats,
    judgeRuns: judge && manifest.judgeRuns,
    [label]: scorer && { version: scorer.version, options: scorer.options },
    gembench: manifest.gembench,
    versions: manifest.versions,
  }
}

/** What all rows of a run have in common. */
function conditionsOf({ dataset, models, chunks, budget, answers, prompts, seed }: Manifest, judge?: ModelRecord) {
  const { name, checksum, questions, options } = dataset
  const { complete, answer, embed, rerank } = models
  const withoutPrices = Object.entries({ complete, answer, embed, rerank, judge }).map(([role, model]) => [
    role,
    model && { ...model, price: undefined },
  ])
  return {
    dataset: { name, checksum: checksum.slice(0, 12), questions, options },
    chunks,
    budget,
    answers,
    prompts,
    models: Object.fromEntries(withoutPrices) as unknown,
    seed,
  }
}

type Settings = Readonly<Record<string, unknown>>

/** Leaves that differ, by path, in the order of the first value. */
function settingDifferences(before: Settings, after: Settings) {
  const old = new Map(leaves(before))
  const now = new Map(leaves(after))
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((setting) => {
    const before = old.get(setting) ?? null
    const after = now.get(setting) ?? null
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

/** What rows of several runs may differ by, besides their methods, in one line; none for equal conditions. */
export function differences(manifests: readonly Manifest[]): readonly string[] {
  const [first, ...rest] = manifests.map((manifest) => conditionsOf(manifest))
  const changes = rest.flatMap((conditions) => (first ? settingDifferences(first, conditions) : []))
  const settings = new Set(changes.map(({ setting }) => setting))
  return settings.size > 0
    ? [`the runs differ in their ${listing([...settings])}: their rows are not directly comparable`]
    : []
}

/** Why runs cannot share a table: they read one file with other options, or it changed in between. */
export function conflictBetween(runs: readonly NamedRun[]): string | undefined {
  const readingOf = ({ dataset: { options, checksum } }: Manifest) => ({ options, checksum: checksum.slice(0, 12) })
  for (const { name, manifest } of runs) {
    const { name: dataset, files } = manifest.dataset
    const first = runs.find((run) => run.manifest.dataset.files.some((file) => files.includes(file)))
    const [difference] = first ? settingDifferences(readingOf(first.manifest), readingOf(manifest)) : []
    if (first && difference)
      return `${first.name} and ${name} cannot share a table: they read ${dataset} with different options or files: ${listDifferences([difference])}`
  }
  return undefined
}

type Data = Pick<Manifest, 'dataset'>

/** Names of the documents that differ between two runs; null where a manifest has no digests. */
export function documentChanges({ dataset: before }: Data, { dataset: after }: Data) {
  if (!before.digests || !after.digests) return null
  const old = documentsOf(before.digests)
  const now = documentsOf(after.digests)
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    edited: [...old.keys()].filter((name) => now.has(name) && now.get(name) !== old.get(name)),
  }
}

/** Digests of documents by name; names include the corpus where there are several. */
function documentsOf(digests: NonNullable<Manifest['dataset']['digests']>) {
  const corpora = Object.entries(digests)
  return new Map(
    corpora.flatMap(([corpus, documents]) =>
      Object.entries(documents).map(([id, digest]) => [corpora.length > 1 ? `${corpus}: ${id}` : id, digest] as const),
    ),
  )
}
