import type { ModelRole } from '../../basics/roles.ts'
import { itemAt } from '../../basics/collections.ts'
import { priceOf } from '../../basics/dollars.ts'
import { tasksOf } from '../../define.ts'
import { UserError } from '../../errors.ts'
import { type OpenedModels, createUsageCounter } from '../../models/index.ts'
import { canonicalJson, hashOf } from '../../text/hash.ts'
import type { Requirements } from '../../types.ts'
import type { MethodEntry } from './method-entries.ts'
import type { ScorerEntry } from './scorer-entries.ts'
import type { Settings } from './settings.ts'

/** The roles whose models a run may call: the judge only where a scorer has one. */
export const calledRoles = (scorers: readonly ScorerEntry[]): readonly ModelRole[] => [
  ...(['complete', 'answer', 'embed', 'rerank'] as const),
  ...(scorers.some(({ scorer }) => scorer.judge) ? ['judge' as const] : []),
]

/** Throws UserError where dollars are limited and a model has no price: a line each. */
export function requirePrices(
  roles: readonly ModelRole[],
  models: OpenedModels,
  { usageLimiter }: Pick<Settings, 'usageLimiter'>,
): void {
  if (usageLimiter?.limits.usd === undefined) return
  const descriptions = models.describe()
  const lacking = new Map<string, string>()
  for (const role of roles) {
    const model = descriptions[role]
    const key = canonicalJson(model ?? null)
    if (model && !priceOf(model) && !lacking.has(key))
      lacking.set(key, `models.${role}: ${model.provider} "${model.model}" has no price: ${remedy}`)
  }
  if (lacking.size > 0) throw new UserError([...lacking.values()].join('\n'))
}

const remedy =
  'a limit in dollars needs price: { prompt: …, completion: …, embedding: … }, in dollars per million tokens'

type Entries = readonly Pick<MethodEntry, 'requires'>[]

/** Throws UserError where a method's file has vectors of another length; one text is embedded to learn it. */
export async function refuseOtherDimensions(methods: Entries, models: OpenedModels) {
  const vectorFiles = vectorsOf(methods)
  if (vectorFiles.length === 0) return
  const scope = models.scope({ phase: 'index', sample: 0, seed: [], counter: createUsageCounter() })
  const { length } = itemAt(await scope.embed(['How long is a vector?'], 'document'), 0)
  for (const { file, dimensions } of vectorFiles)
    if (dimensions !== length)
      throw new UserError(
        `${file}: was made of vectors of ${dimensions} numbers, and models.embed gives ${length}: ${embedRemedy}`,
      )
}

const embedRemedy = 'set models.embed to the model that made them'

/** The files of vectors that methods read. */
export const vectorsOf = (methods: Entries) =>
  methods.flatMap(({ requires }) => requires.flatMap(({ vectors }) => vectors ?? []))

/** The model that made vectors; `digest`: of its name and settings. */
type Embedder = NonNullable<NonNullable<Requirements['vectors']>['embedder']>

/** The embedder of a run as a file names it: the same model at another address is the same embedder. */
export function embedderOf(models: OpenedModels): Embedder {
  const { provider, model, parameters } = models.identify().embed
  const digest = hashOf({ provider, model, parameters }).slice(0, 16)
  return { provider, model: models.describe().embed.model, digest }
}

/** Throws UserError where the embedder is not the one that made the vectors of a file. */
export function refuseOtherEmbedder(file: string, vectorModel: Embedder, models: OpenedModels) {
  const embedder = embedderOf(models)
  if (embedder.digest === vectorModel.digest) return
  throw new UserError(
    `${file}: its vectors were made by the model ${nameOf(vectorModel)}, and models.embed is ${nameOf(embedder)}: ${embedRemedy}`,
  )
}

const nameOf = ({ provider, model, digest }: Embedder) =>
  `${JSON.stringify(`${provider} ${model}`.slice(0, 200))} (settings ${digest})`

/** Throws UserError where a method or a scorer needs what its model cannot do: a line each. */
export function refuseUnableModels(
  models: OpenedModels,
  methods: readonly MethodEntry[],
  scorers: readonly ScorerEntry[],
): void {
  const tokenRefusal = models.refusalOfTokens()
  // the variants of a method need the same
  const lines = new Set<string>()
  const refuse = (name: string, refusal: string | undefined) => {
    if (refusal !== undefined) lines.add(`${name} cannot be run: ${refusal}`)
  }
  const refuseTokens = (name: string) => refuse(name, tokenRefusal && `models.embed: ${tokenRefusal}`)
  for (const { row, method, options, requires } of methods) {
    const name = `the method "${row.method}"`
    for (const task of tasksOf(method, options)) refuse(name, models.refusal('index', task))
    if (requires.some(({ tokens }) => tokens)) refuseTokens(name)
    if (requires.some(({ rerank }) => rerank) && !models.identify().rerank) refuse(name, noReranker)
  }
  for (const { label, scorer, options } of scorers) {
    const name = `the scorer "${label}"`
    for (const task of scorer.tasks ?? []) refuse(name, models.refusal('judge', task))
    if (scorer.needs?.(options).tokens) refuseTokens(name)
  }
  if (lines.size > 0) throw new UserError([...lines].join('\n'))
}

const noReranker =
  "it asks a rerank model: give models.rerank, such as { use: rerank-server, baseUrl: 'http://127.0.0.1:8080/v1' }"
