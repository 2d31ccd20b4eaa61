import type { Row, VariedValue } from '../../records.ts'
import type { Budget, Method, Requirements } from '../../types.ts'

/** A method as it stands in the plan: its row in the tables, identity and options. */
export interface MethodEntry {
  readonly row: Row
  readonly varied: readonly VariedValue[]
  readonly id: string
  /** Identity of the part of its index that it may share; absent where it has none. */
  readonly part?: string
  readonly use: string
  /** The absolute path of a plug-in's file; absent for a built-in method. */
  readonly file?: string
  /** Of an object of the program: it is called as one in a file. */
  readonly guarded?: true
  readonly method: Method
  readonly options: unknown
  readonly of?: readonly AskedMethod[]
  /** Its own budget; absent where it has that of the run. */
  readonly budget?: Budget
  /** What it and those that it asks need of the models. */
  readonly requires: readonly Requirements[]
  /** The options as they may be written to disk. */
  readonly record: unknown
}

/** A method as it is called, with those that it asks. */
export type AskedMethod = Pick<MethodEntry, 'method' | 'options' | 'file' | 'guarded' | 'of'>

/** A method and all that it asks, itself or through others. */
export const allAsked = <E extends AskedMethod>(entry: E): readonly (E | AskedMethod)[] => [
  entry,
  ...(entry.of ?? []).flatMap(allAsked),
]

/** Whether a row starts processes that are not ours: of plug-in files, or programs. */
export const startsProcesses = (entry: AskedMethod): boolean =>
  allAsked(entry).some(({ file, method }) => file !== undefined || method.program !== undefined)

/** Rows that differ in nothing but their labels share their lines. */
export const distinctEntries = (methods: readonly MethodEntry[]): readonly MethodEntry[] =>
  methods.filter(({ id }, index) => methods.findIndex((other) => other.id === id) === index)
