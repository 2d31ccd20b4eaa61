import type { Scorer } from '../../types.ts'

/** A scorer as it stands in the plan: its label, identity and options. */
export interface ScorerEntry {
  readonly label: string
  readonly id: string
  readonly use: string
  /** The absolute path of a plug-in's file; absent for a built-in scorer. */
  readonly file?: string
  /** Of an object of the program: it is called as one in a file. */
  readonly guarded?: true
  readonly scorer: Scorer
  readonly options: unknown
  /** How its numbers are made, below a table. */
  readonly note?: string
  /** The options as they may be written to disk. */
  readonly record: unknown
}
