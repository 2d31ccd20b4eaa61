import type { Manifest } from '../records.ts'
import { canonicalJson } from '../text/hash.ts'

/** A run under the name that a person gave. */
export interface NamedRun {
  readonly name: string
  readonly manifest: Manifest
}

/** What a reader must know who compares the rows of several runs, one line each. */
export function differences(manifests: readonly Manifest[]): readonly string[] {
  const aspects: Readonly<Record<string, (manifest: Manifest) => unknown>> = {
    dataset: ({ dataset }) => [dataset.name, dataset.options, dataset.checksum],
    'number of questions': ({ dataset }) => dataset.questions,
    chunking: ({ chunks }) => chunks,
    budget: ({ budget }) => budget,
    'answer prompt': ({ prompts, answers }) => [prompts, answers],
    'answering model': ({ models }) => models.answer ?? models.complete,
    'model that methods call': ({ models }) => (models.answer ? models.complete : null),
    // an earlier version did not write down the limit, which follows from the parameters
    embedder: ({ models: { embed } }) => ({ ...embed, readsTokens: null }),
    seed: ({ seed }) => seed,
  }
  return Object.entries(aspects)
    .filter(([, of]) => new Set(manifests.map((manifest) => canonicalJson(of(manifest)))).size > 1)
    .map(([aspect]) => `the runs differ in their ${aspect}: their rows are not directly comparable`)
}

/** Why runs share no table: the same file, read with other options or since changed, gives rows of one name on other corpora or questions. */
export function clash(runs: readonly NamedRun[]): string | undefined {
  for (const { name, manifest } of runs) {
    const { name: dataset, files } = manifest.dataset
    const first = runs.find((run) => run.manifest.dataset.files.some((file) => files.includes(file)))
    if (!first) continue
    const theirs = readingOf(first.manifest)
    const ours = readingOf(manifest)
    const what = [...theirs.keys(), ...ours.keys()].find((one) => theirs.get(one) !== ours.get(one))
    if (what === undefined) continue
    const both = `${theirs.get(what) ?? 'none'} and ${ours.get(what) ?? 'none'}`
    return `${first.name} and ${name} cannot share a table: they read ${dataset} with different options or files: ${what} ${both}`
  }
  return undefined
}

/** How a run read its dataset: the options first, since another option may mean another file. */
function readingOf({ dataset: { options, checksum } }: Manifest): ReadonlyMap<string, string> {
  const written = Object.entries((options ?? {}) as Readonly<Record<string, unknown>>)
  return new Map([
    ...written.map(([option, value]) => [option, canonicalJson(value)] as const),
    ['checksum of its files', checksum.slice(0, 12)],
  ])
}
