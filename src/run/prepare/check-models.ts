import type { ModelRole } from '../../basics/roles.ts'
import { itemAt } from '../../basics/collections.ts'
import { priceOf } from '../../basics/dollars.ts'
import { tasksOf } from '../../define.ts'
import { UserError } from '../../errors.ts'
import { type OpenedModels, createUsageCounter } from '../../models/index.ts'
import { canonicalJson, hashOf } from '../../text/hash.ts'
import type { AnyTask, Phase, Requirements } from '../../types.ts'
import type { MethodEntry } from './method-entries.ts'
import type { ScorerEntry } from './scorer-entries.ts'
import type { Settings } from './settings.ts'

/** Throws UserError where dollars are limited and a model has no price: a line each. */
export function requirePrices(
  roles: readonly ModelRole[],
  scorers: readonly Pick<ScorerEntry, 'scorer'>[],
  models: Pick<OpenedModels, 'describe'>,
  { usageLimiter }: Pick<Settings, 'usageLimiter'>,
): void {
  if (usageLimiter?.limits.usd === undefined) return
  const descriptions = models.describe()
  const hasJudge = scorers.some(({ scorer }) => scorer.judge)
  const lacking = new Map<string, string>()
  for (const role of roles) {
    const model = descriptions[role]
    if (!model || priceOf(model) || (role === 'judge' && !hasJudge)) continue
    const key = canonicalJson(model)
    if (!lacking.has(key))
      lacking.set(key, `models.${role}: ${model.provider} "${model.model}" has no price: ${remedy}`)
  }
  if (lacking.size > 0) throw new UserError([...lacking.values()].join('\n'))
}

const remedy =
  'a limit in dollars needs price: { prompt: …, completion: …, embedding: … } in the config, in dollars per million tokens'

type Entries = readonly Pick<MethodEntry, 'requires'>[]

/** Throws UserError where a file of a method has vectors of another length; one text is embedded to learn it. */
export async function refuseOtherDimensions(methods: Entries, models: Pick<OpenedModels, 'scope'>): Promise<void> {
  const vectorFiles = vectorsOf(methods)
  if (vectorFiles.length === 0) return
  const scope = models.scope({ phase: 'index', sample: 0, seed: [], counter: createUsageCounter() })
  const { length } = itemAt(await scope.embed(['How long is a vector?'], 'document'), 0)
  for (const { file, dimensions } of vectorFiles)
    if (dimensions !== length)
      throw new UserError(
        `${file}: was made of vectors of ${dimensions} numbers, and models.embed gives ${length}: set models.embed to the one that made them, or train again`,
      )
}

/** The files of vectors that methods read. */
export const vectorsOf = (methods: Entries) =>
  methods.flatMap(({ requires }) => requires.flatMap(({ vectors }) => vectors ?? []))

/** The model that made vectors. `digest`: of its name and the settings that change vectors. */
type Embedder = NonNullable<NonNullable<Requirements['vectors']>['embedder']>

/** The embedder of a run as a file names it: the same model at another address is the same embedder. */
export function embedderOf(models: Pick<OpenedModels, 'describe' | 'identify'>): Embedder {
  const { provider, model, parameters } = models.identify().embed
  const digest = hashOf({ provider, model, parameters }).slice(0, 16)
  return { provider, model: models.describe().embed.model, digest }
}

/** Throws UserError where the embedder is not the one that made the vectors of a file. */
export function refuseOtherEmbedder(
  file: string,
  vectorModel: Embedder,
  models: Pick<OpenedModels, 'describe' | 'identify'>,
): void {
  const embedder = embedderOf(models)
  if (embedder.digest === vectorModel.digest) return
  const [makerName, name] = [nameOf(vectorModel), nameOf(embedder)]
  throw new UserError(
    `${file}: its vectors were made by the model ${makerName}, and models.embed is ${
      makerName === name ? `the same with other settings (digest ${embedder.digest}, not ${vectorModel.digest})` : name
    }: set models.embed to the one that made them`,
  )
}

const nameOf = ({ provider, model }: Embedder): string => JSON.stringify(`${provider} ${model}`.slice(0, 200))

interface ModelUsers {
  readonly methods?: readonly (Pick<MethodEntry, 'row' | 'method' | 'options'> &
    Partial<Pick<MethodEntry, 'requires'>>)[]
  readonly scorers?: readonly Pick<ScorerEntry, 'label' | 'scorer' | 'options'>[]
}

/** Throws UserError where a method or a scorer declares a task that its model cannot do: a line each. */
export function refuseUnableModels(
  { methods = [], scorers = [] }: ModelUsers,
  models: Pick<OpenedModels, 'refusal' | 'refusalOfTokens' | 'identify'>,
): void {
  const lines = [
    ...methods.flatMap(({ row, method, options }) =>
      refusals(`the method "${row.method}"`, tasksOf(method, options), 'index', models),
    ),
    ...methods.flatMap(({ row, requires = [] }) =>
      requires.some(({ rerank }) => rerank) && models.identify().rerank === undefined
        ? [
            `the method "${row.method}" asks a rerank model, and the config names none: give models.rerank, such as { use: rerank-server, baseUrl: 'http://127.0.0.1:8080/v1' }`,
          ]
        : [],
    ),
    ...methods.flatMap(({ row, requires = [] }) => {
      const refusal = requires.some(({ tokens }) => tokens) ? models.refusalOfTokens() : undefined
      return refusal === undefined ? [] : [`the method "${row.method}" cannot be run: models.embed: ${refusal}`]
    }),
    ...scorers.flatMap(({ label, scorer }) => refusals(`the scorer "${label}"`, scorer.tasks, 'judge', models)),
    ...scorers.flatMap(({ label, scorer, options }) => {
      const refusal = scorer.needs?.(options).tokens ? models.refusalOfTokens() : undefined
      return refusal === undefined ? [] : [`the scorer "${label}" cannot be run: models.embed: ${refusal}`]
    }),
  ]
  // the variants of a method need the same
  if (lines.length > 0) throw new UserError([...new Set(lines)].join('\n'))
}

const refusals = (
  asker: string,
  tasks: readonly AnyTask[] = [],
  phase: Phase,
  models: Pick<OpenedModels, 'refusal'>,
): readonly string[] =>
  tasks.flatMap((task) => {
    const refusal = models.refusal(phase, task)
    return refusal === undefined ? [] : [`${asker} cannot be run: ${refusal}`]
  })
