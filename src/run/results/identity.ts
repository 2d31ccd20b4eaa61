import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZodType } from 'zod'
import { fileChecksum } from '../../datasets/index.ts'
import { fieldsOf, filesOf } from '../../define.ts'
import { messageOf, UserError } from '../../errors.ts'
import { providers } from '../../models/index.ts'
import type { ModelRecord, VariedValue } from '../../records.ts'
import { canonicalJson, hashOf, sha256 } from '../../text/hash.ts'
import type { Budget } from '../../types.ts'

/** Everything that must be the same for two trials to stand in one table. */
export interface Setting {
  readonly dataset: {
    readonly name: string
    readonly checksum: string
    readonly options: unknown
    readonly version?: number | string
    /** Of files whose names count. */
    readonly names?: readonly string[]
  }
  readonly chunks: unknown
  readonly budget: Budget
  readonly answers: string
  readonly models: Readonly<Record<'complete' | 'embed', ModelRecord>> & { readonly answer?: ModelRecord }
  readonly prompts: unknown
  readonly seed: number
  /** Where all repeats ask one index. */
  readonly indexPerRepeat?: false
  /** Of a run of a series, since what is varied may be no other part of the setting. */
  readonly varied?: readonly VariedValue[]
}

/** The hash in the name of a results folder: 8 hex digits of the setting. */
export const settingHash = (setting: Setting): string => hashOf(setting).slice(0, 8)

/** Identifies a method or scorer with its options; a plug-in's file counts by its text (not by what it imports). */
export async function plugInId(parts: unknown, file: string | undefined): Promise<string> {
  return hashOf({ parts, file: file === undefined ? null : sha256(await readFile(file)) }).slice(0, 12)
}

/**
 * The options that differ from their defaults, so that one which is new or removed leaves the others' rows as they are.
 * Of a file its SHA-256 counts, of a folder nothing. Throws UserError when a file cannot be read.
 */
export async function optionsByContent(
  { name, options: schema }: { readonly name: string; readonly options: ZodType },
  options: unknown,
): Promise<unknown> {
  const folders = filesOf(schema, options, 'folder').map(([option]) => [option, null] as const)
  const hashes = filesOf(schema, options).map(
    async ([option, path]) => [option, await hashFileOption(name, option, path)] as const,
  )
  const byContent = Object.fromEntries<unknown>([...folders, ...(await Promise.all(hashes))])
  return { ...nonDefaultOptions(schema, options), ...byContent }
}

function nonDefaultOptions(schema: ZodType, options: unknown): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(schema)
  const optionValues = options as Readonly<Record<string, unknown>>
  const names = [...new Set([...Object.keys(fields), ...Object.keys(optionValues)])]
  return Object.fromEntries(
    names.flatMap((name) => {
      const fallback = fields[name]?.safeParse(undefined)
      // an option without a value differs from one that has a default
      const value = optionValues[name] ?? null
      return fallback?.success && canonicalJson(fallback.data ?? null) === canonicalJson(value) ? [] : [[name, value]]
    }),
  )
}

/** The options of a manifest that an item still has. */
export const remainingOptions = (
  { options: schema }: { readonly options: ZodType },
  options: object,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(fieldsOf(schema), name)))

/** A model of a manifest as a config of this version has it. */
export async function remainingModel(model: unknown): Promise<unknown> {
  const { use, ...options } = Object(model) as Readonly<Record<string, unknown>>
  const provider = await providers.load(String(use))
  return provider ? { use, ...remainingOptions(provider, options) } : model
}

/** Models of this package, which cost nothing and name no file, address or key. */
export const offlineModels: readonly unknown[] = ['extractive', 'fake', 'minilm']

const hashFileOption = async (plugIn: string, option: string, path: string): Promise<string> =>
  contentHash(path).catch((error: unknown) => {
    throw new UserError(`option "${option}" of ${plugIn}: cannot read ${path}: ${messageOf(error)}`, { cause: error })
  })

/** The SHA-256 of a file; of a folder that of the names and the content of the files in it. */
async function contentHash(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return sha256(await readFile(path))
  const files = (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isFile())
  const names = files.map(({ name }) => name).sort()
  return hashOf(await Promise.all(names.map(async (name) => [name, await fileChecksum(join(path, name))])))
}

/** Identifies a line of trials.jsonl. */
export const lineId = (...parts: readonly (string | number)[]): string => hashOf(parts).slice(0, 16)

/** A model as it counts in an identity: without its price and the limit that follows from its parameters. */
export const modelIdentity = ({ price: _price, readsTokens: _limit, ...record }: ModelRecord): ModelRecord => record
