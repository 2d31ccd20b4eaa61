import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZodType } from 'zod'
import { fileChecksum } from '../../datasets/index.ts'
import { fieldsOf, filesOf } from '../../define.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { ModelRecord } from '../../records.ts'
import { canonicalJson, hashOf, sha256 } from '../../text/hash.ts'

/** An object of a config or manifest. */
export type Fields = Readonly<Record<string, unknown>>

/** The id of a method or scorer with its options; a plug-in file counts by its text, without its imports. */
export async function plugInId(parts: unknown, file: string | undefined): Promise<string> {
  return hashOf({ parts, file: file === undefined ? null : sha256(await readFile(file)) }).slice(0, 12)
}

/**
 * The options that differ from their defaults, so that adding or removing an option does not change other rows.
 * A file counts by its SHA-256, a folder not at all. Throws UserError if a file cannot be read.
 */
export async function optionsByContent(
  { name, options: schema }: { readonly name: string; readonly options: ZodType },
  options: unknown,
): Promise<Fields> {
  const byContent: Record<string, unknown> = nonDefaultOptions(schema, options)
  for (const [option] of filesOf(schema, options, 'folder')) byContent[option] = null
  for (const [option, path] of filesOf(schema, options))
    byContent[option] = await contentHash(path).catch((error: unknown) => {
      throw new UserError(`option "${option}" of ${name}: cannot read ${path}: ${messageOf(error)}`, { cause: error })
    })
  return byContent
}

function nonDefaultOptions(schema: ZodType, options: unknown): Record<string, unknown> {
  const fields = fieldsOf(schema)
  const optionValues = options as Fields
  const names = [...new Set([...Object.keys(fields), ...Object.keys(optionValues)])]
  return Object.fromEntries(
    names.flatMap((name) => {
      const fallback = fields[name]?.safeParse(undefined)
      // an option without a value differs from one with a default
      const value = optionValues[name] ?? null
      const isDefault = fallback?.success && canonicalJson(fallback.data ?? null) === canonicalJson(value)
      return isDefault ? [] : [[name, value]]
    }),
  )
}

/** A plug-in as a config names it, as an object with `use`. */
export const settingOf = (value: unknown): Fields =>
  typeof value === 'string' ? { use: value } : (Object(value) as Fields)

/** Built-in models, which cost nothing and use no file, address or key. */
export const offlineModels: readonly unknown[] = ['extractive', 'fake', 'minilm']

/** The SHA-256 of a file, or of the names and contents of the files in a folder. */
async function contentHash(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return sha256(await readFile(path))
  const files = (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isFile())
  const names = files.map(({ name }) => name).sort()
  return hashOf(await Promise.all(names.map(async (name) => [name, await fileChecksum(join(path, name))])))
}

/** The id of a line of trials.jsonl. */
export const lineId = (...parts: readonly (string | number)[]) => hashOf(parts).slice(0, 16)

/** The part of a model that identifies results: without price and derived limit. */
export const modelIdentity = ({ price: _price, readsTokens: _limit, ...record }: ModelRecord) => record
