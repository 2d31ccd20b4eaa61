/**
 * Where a value stands: as shown to a person (`file:line:column` or `--set a.b=c`), in which order of places,
 * and the folder that its relative paths start from.
 */
export interface Place {
  readonly text: string
  /** Source, line and column, each from 1; the command line has a source only. */
  readonly order: readonly number[]
  readonly folder: string
}

/** A value of a config that remembers where it stands. */
export type Placed = PlacedScalar | PlacedList | PlacedMapping

/** `written` is the text before `${…}` was filled in; `unset` when a variable of it is not set. */
export interface PlacedScalar {
  readonly kind: 'scalar'
  readonly at: Place
  readonly value: string | number | boolean | null
  readonly written?: string
  readonly unset?: true
}

export interface PlacedList {
  readonly kind: 'list'
  readonly at: Place
  readonly items: readonly Placed[]
}

export interface PlacedMapping {
  readonly kind: 'mapping'
  readonly at: Place
  readonly entries: ReadonlyMap<string, Entry>
}

/** A value under its key; `key` is the place of the key itself. */
export interface Entry {
  readonly key: Place
  readonly value: Placed
}

export const emptyMapping = (at: Place): PlacedMapping => ({ kind: 'mapping', at, entries: new Map() })

/** The value without its places. */
export const plain = (node: Placed): unknown => strip(node, (scalar) => scalar.value)

/** The same as it was written, before `${…}` was filled in. */
export const plainWritten = (node: Placed): unknown => strip(node, (scalar) => scalar.written ?? scalar.value)

function strip(node: Placed, valueOf: (scalar: PlacedScalar) => unknown): unknown {
  if (node.kind === 'scalar') return valueOf(node)
  if (node.kind === 'list') return node.items.map((item) => strip(item, valueOf))
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, strip(value, valueOf)]))
}

/** The value under a key of a mapping or an index of a list. */
export function child(node: Placed | undefined, key: PropertyKey): Placed | undefined {
  if (node?.kind === 'mapping') return node.entries.get(String(key))?.value
  if (node?.kind === 'list') return node.items[Number(key)]
  return undefined
}

/** The value at the end of a path. */
export const descend = (node: Placed | undefined, path: readonly PropertyKey[]): Placed | undefined =>
  path.reduce<Placed | undefined>(child, node)

/** The text of a scalar that holds text, as it was written. */
export function writtenText(node: Placed | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? (node.written ?? node.value) : undefined
}
