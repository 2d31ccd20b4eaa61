import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeFolder } from '../../basics/files.ts'
import { once } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import { hashOf } from '../../text/hash.ts'
import { modelIdentity } from '../prepare/identity.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { version, versions } from '../results/environment.ts'

/** The data that a worker needs to join a run, without secrets. */
export type RunRecord = ReturnType<typeof recordOf>

/** The record of a prepared run. Throws UserError where the config holds a key that a worker would need. */
export function recordOf({ plan, hash, methods, models, style }: Prepared, isCached: boolean) {
  const { scorers: _scorers, compare: _compare, models: modelSettings, ...record } = plan.record
  const { judge: _judge, ...answering } = modelSettings as Readonly<Record<string, unknown>>
  // the run uploads the documents
  const config = { ...record, dataset: { use: 'sample' }, models: answering }
  if (hiddenValue.test(JSON.stringify(config)))
    throw new UserError(
      '--workers: a key, header or password is written out in the config, and keys are not sent to workers: write ${NAME} in its place, and set the environment variable NAME here and where workers run',
    )
  return {
    name: `${plan.name}-${hash}`,
    code: codeIdentity(),
    /** Without dataset, scorers and judge, with `${NAME}` unexpanded. */
    config,
    folder: dirname(plan.sources[0] ?? ''),
    /** Labels selected by `--methods`; null: all. */
    selectedMethods: plan.selectedLabels,
    /** Of the files, options and variables that its rows and models depend on. */
    settings: settingsHash(methods, models),
    style,
    /** Whether calls of other runs count. */
    isCached,
  }
}

/** A hidden secret in a recorded config: a whole value, or the password of an address. */
const hiddenValue = /"\*\*\*"|:\/\/\*\*\*@/

/** Hash of methods and models, with the files and variables that they depend on. */
export function settingsHash(methods: Prepared['methods'], models: Pick<OpenedModels, 'identify'>): string {
  const { judge: _judge, ...roles } = models.identify()
  return hashOf([methods.map(({ id }) => id), Object.values(roles).map(modelIdentity)])
}

/** The identity of the code of this process: equal identities give equal results. */
export const codeIdentity = once((): string => {
  const names = readdirSync(codeFolder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => /(?<!\.test|\.d)\.[jt]s$/.test(name)).sort()
  const texts = files.map((name) => readFileSync(join(codeFolder, name), 'utf8'))
  const digest = hashOf([versions(), files, texts]).slice(0, 12)
  return `gembench ${version()} on Node ${process.versions.node} (code and dependencies ${digest})`
})
