import { readFile } from 'node:fs/promises'
import type { ModelRecord } from '../records.ts'
import { hashOf, sha256 } from '../text/hash.ts'
import type { Budget } from '../types.ts'

/** Everything that must be the same for two trials to stand in one table. Methods, scorers, repeats and limits are not part of it: they add cells. */
export interface Setting {
  readonly dataset: { readonly name: string; readonly checksum: string; readonly options: unknown }
  readonly chunks: unknown
  readonly budget: Budget
  readonly answers: string
  readonly models: Readonly<Record<'complete' | 'embed', ModelRecord>> & { readonly answer?: ModelRecord }
  readonly prompts: unknown
  readonly seed: number
}

/** The hash in the name of a results folder: 8 hex digits of the setting. */
export const settingHash = (setting: Setting): string => hashOf(setting).slice(0, 8)

/** Identifies a method or scorer with its options; a stranger's file counts by its text (not by what it imports). */
export async function plugInId(parts: unknown, file: string | undefined): Promise<string> {
  return hashOf({ parts, file: file === undefined ? null : sha256(await readFile(file)) }).slice(0, 12)
}

/** Identifies a line of trials.jsonl. */
export const lineId = (...parts: readonly (string | number)[]): string => hashOf(parts).slice(0, 16)
