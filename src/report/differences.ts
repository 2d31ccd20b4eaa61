import type { Manifest } from '../records.ts'
import { canonicalJson } from '../text/hash.ts'

/** What keeps the rows of several runs from being compared, one line each. */
export function differences(manifests: readonly Manifest[]): readonly string[] {
  const aspects: Readonly<Record<string, (manifest: Manifest) => unknown>> = {
    dataset: ({ dataset }) => [dataset.name, dataset.checksum, dataset.options],
    'cutting into chunks': ({ chunks }) => chunks,
    budget: ({ budget }) => budget,
    'answer prompt': ({ prompts, answers }) => [prompts, answers],
    'answering model': ({ models }) => models.answer ?? models.complete,
    'model that methods ask': ({ models }) => (models.answer ? models.complete : null),
    embedder: ({ models }) => models.embed,
    seed: ({ seed }) => seed,
  }
  return Object.entries(aspects)
    .filter(([, of]) => new Set(manifests.map((manifest) => canonicalJson(of(manifest)))).size > 1)
    .map(([aspect]) => `the runs differ in their ${aspect}: do not compare their rows as if they shared it`)
}
