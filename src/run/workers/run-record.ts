import { dirname, join } from 'node:path'
import { hidden } from '../../basics/secrets.ts'
import { UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import { hashOf, sha256 } from '../../text/hash.ts'
import type { AnswersWanted } from '../../types.ts'
import { modelIdentity } from '../results/identity.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { codeFolder } from '../../basics/files.ts'
import { once } from '../../basics/memoise.ts'
import { version, versions } from '../results/environment.ts'

/** What a worker must know of a run to take part in it; no key is in it. */
export interface RunRecord {
  readonly id: string
  readonly name: string
  readonly code: Code
  /** The config without dataset, scorers and judge. `${NAME}` stands as it was written. */
  readonly config: Readonly<Record<string, unknown>>
  readonly folder: string
  /** The rows that are asked, by label; null: all. */
  readonly asked: readonly string[] | null
  readonly methods: readonly string[]
  /** Hash of the identities of the models, with the values that variables stand for. */
  readonly models: string
  readonly style: AnswersWanted
  /** Whether calls of other runs count. */
  readonly cache: boolean
}

/** The record of a prepared run. Throws UserError where the config holds a key that a worker would need. */
export function recordOf(id: string, { plan, hash, methods, models, style }: Prepared, cache: boolean): RunRecord {
  const { scorers: _scorers, compare: _compare, models: written, ...record } = plan.record
  const { judge: _judge, ...answering } = written as Readonly<Record<string, unknown>>
  // the documents come from the run
  const config = { ...record, dataset: { use: 'sample' }, models: answering }
  if (holdsHidden(config))
    throw new UserError(
      '--workers: a key, header or password is written out in the config, and keys are not sent to workers: write ${NAME} in its place, and set the environment variable NAME here and where workers run',
    )
  const ids = methods.map((method) => method.id)
  const own = { code: ownCode(), folder: dirname(plan.sources[0] ?? ''), models: modelsHash(models) }
  return { id, name: `${plan.name}-${hash}`, ...own, config, asked: plan.asked, methods: ids, style, cache }
}

/** Hash of the identities of the models that answer and embed. */
export function modelsHash(models: Pick<OpenedModels, 'identify'>): string {
  const { complete, answer, embed, rerank } = models.identify()
  return hashOf([complete, answer ?? complete, embed, ...(rerank ? [rerank] : [])].map(modelIdentity))
}

/** Whether something in a record of a config was hidden. */
const holdsHidden = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(holdsHidden)
    : value === hidden || (typeof value === 'string' && value.includes(`://${hidden}@`))

/** Versions of ours, of Node and of our dependencies, and our code, by name. */
type Code = Readonly<Record<string, string>>

/** The code that this process runs. */
export const ownCode = once((): Code => ({ gembench: version(), code: digestOf(codeFolder), ...versions() }))

/** What is not the same in the code of a run and of this process, in a few words; undefined where all is. */
export function differenceOf(theirs: Code, ours: Code): string | undefined {
  const name = Object.keys({ ...theirs, ...ours }).find((one) => theirs[one] !== ours[one])
  if (name === undefined) return undefined
  if (name === 'code') return `its gembench ${theirs['gembench'] ?? ''} is not of the same source files as the one here`
  return `it has ${name} ${theirs[name] ?? '(none)'}, and here is ${ours[name] ?? 'none'}`
}

/** The hash of the program's files in a folder: the first 12 hex digits. */
function digestOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test|\.d)\.[jt]s$/.test(name),
  )
  return sha256(
    files
      .sort()
      .map((name) => `${name} ${sha256(readFileSync(join(folder, name)))}`)
      .join('\n'),
  ).slice(0, 12)
}
