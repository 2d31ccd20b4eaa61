import { dirname, join } from 'node:path'
import { mask, UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import { hashOf, sha256 } from '../../text/hash.ts'
import type { AnswersWanted } from '../../types.ts'
import { modelIdentity } from '../prepare/identity.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { codeFolder } from '../../basics/files.ts'
import { once } from '../../basics/memoise.ts'
import { version, versions } from '../results/environment.ts'

/** The data that a worker needs to join a run, without secrets. */
export interface RunRecord {
  readonly id: string
  readonly name: string
  readonly code: string
  /** The config without dataset, scorers and judge, with `${NAME}` unexpanded. */
  readonly config: Readonly<Record<string, unknown>>
  readonly folder: string
  /** Labels selected by `--methods`; null: all. */
  readonly selectedMethods: readonly string[] | null
  readonly methods: readonly string[]
  /** Hash of the identities of the models, with the values that variables stand for. */
  readonly models: string
  readonly style: AnswersWanted
  /** Whether calls of other runs count. */
  readonly cache: boolean
}

/** The record of a prepared run. Throws UserError where the config holds a key that a worker would need. */
export function recordOf(id: string, { plan, hash, methods, models, style }: Prepared, cache: boolean): RunRecord {
  const { scorers: _scorers, compare: _compare, models: modelSettings, ...record } = plan.record
  const { judge: _judge, ...answering } = modelSettings as Readonly<Record<string, unknown>>
  // the run uploads the documents
  const config = { ...record, dataset: { use: 'sample' }, models: answering }
  if (hasHiddenValue(config))
    throw new UserError(
      '--workers: a key, header or password is written out in the config, and keys are not sent to workers: write ${NAME} in its place, and set the environment variable NAME here and where workers run',
    )
  const ids = methods.map((method) => method.id)
  const origin = { code: codeIdentity(), folder: dirname(plan.sources[0] ?? ''), models: modelsHash(models) }
  return {
    id,
    name: `${plan.name}-${hash}`,
    ...origin,
    config,
    selectedMethods: plan.selectedLabels,
    methods: ids,
    style,
    cache,
  }
}

/** Hash of the identities of the models that answer and embed. */
export function modelsHash(models: Pick<OpenedModels, 'identify'>): string {
  const { complete, answer, embed, rerank } = models.identify()
  return hashOf([complete, answer ?? complete, embed, ...(rerank ? [rerank] : [])].map(modelIdentity))
}

/** Whether a recorded config contains a hidden secret. */
const hasHiddenValue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasHiddenValue)
    : value === mask || (typeof value === 'string' && value.includes(`://${mask}@`))

/** The identity of the code of this process: equal identities give equal results. */
export const codeIdentity = once((): string => {
  const digest = hashOf([versions(), digestOf(codeFolder)]).slice(0, 12)
  return `gembench ${version()} on Node ${process.versions.node} (code and dependencies ${digest})`
})

function digestOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => /(?<!\.test|\.d)\.[jt]s$/.test(name)).sort()
  return hashOf(files.map((name) => [name, sha256(readFileSync(join(folder, name)))]))
}
