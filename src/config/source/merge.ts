import { type ReportError, oneLine } from '../errors/error-list.ts'
import {
  type SourceLocation,
  type Located,
  type LocatedList,
  type LocatedMapping,
  emptyMapping,
} from './located-value.ts'
import { parseYaml } from './parse-yaml.ts'
import { withoutSetSecret } from '../record/record.ts'

// where a name alone is short for a mapping with `use`
const plugIn = /^(dataset|models\.\w+|(methods|scorers)\.\d+)$/

/** The later of two values: mappings merge key by key, anything else is replaced. */
export function merge(earlier: Located | undefined, later: Located, path: readonly string[] = []): Located {
  if (later.kind !== 'mapping' || !earlier) return later
  const below = asMapping(earlier, path)
  if (!below) return later
  const entries = new Map(below.entries)
  for (const [name, { key, value }] of later.entries)
    entries.set(name, { key, value: merge(below.entries.get(name)?.value, value, [...path, name]) })
  return { kind: 'mapping', at: below.at, entries }
}

/** A mapping as it is, a plug-in's name as `{ use: name }`; nothing else is one. */
function asMapping(node: Located, path: readonly string[]): LocatedMapping | undefined {
  if (node.kind === 'mapping') return node
  if (node.kind === 'list' || typeof node.value !== 'string' || !plugIn.test(path.join('.'))) return undefined
  return { kind: 'mapping', at: node.at, entries: new Map([['use', { key: node.at, value: node }]]) }
}

/** What to put where: `value` makes the new value from the old one, `at` is the place of keys that come to be. */
export interface Change {
  readonly at: SourceLocation
  readonly path: readonly string[]
  readonly value: (old: Located | undefined) => Located
}

/** A copy with one value changed. Mappings come to be on the way; an item that a list does not have is reported. */
export function change(node: Located | undefined, wanted: Change, report: ReportError, depth = 0): Located {
  const key = wanted.path[depth]
  if (key === undefined) return wanted.value(node)
  if (node?.kind === 'list') return changeItem(node, key, wanted, report, depth)
  const mapping = (node && asMapping(node, wanted.path.slice(0, depth))) ?? emptyMapping(wanted.at)
  const value = change(mapping.entries.get(key)?.value, wanted, report, depth + 1)
  return { ...mapping, entries: new Map(mapping.entries).set(key, { key: wanted.at, value }) }
}

function changeItem(list: LocatedList, key: string, wanted: Change, report: ReportError, depth: number): Located {
  const index = /^\d+$/.test(key) ? Number(key) : -1
  const item = list.items[index]
  if (item) return { ...list, items: list.items.with(index, change(item, wanted, report, depth + 1)) }
  const name = wanted.path.slice(0, depth).join('.') || 'the config'
  report(wanted.at, `the list ${name} has no item "${key}" (number of items: ${list.items.length}, counted from 0)`)
  return list
}

/** What `--set a.b=c` asks for; the value is YAML. Undefined when it was not understood, and then reported. */
export function readSet(set: string, folder: string, report: ReportError): Change | undefined {
  const shown = oneLine(withoutSetSecret(set))
  const at = { text: `--set ${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}`, order: [Infinity], folder }
  const [, key, text] = /^([^=]*)=(.*)$/s.exec(set) ?? []
  if (key === undefined || text === undefined) {
    report(at, 'must be key=value, as in --set budget.tokens=500')
    return undefined
  }
  const path = pathOf(key.trim())
  if (path.includes('')) {
    report(at, 'the key before "=" is incomplete; write names joined by single dots, as in budget.tokens')
    return undefined
  }
  const value = text.trim() === '' ? ({ kind: 'scalar', at, value: '' } as const) : parseYaml(text, () => at, report)
  return value && { at, path, value: (old) => merge(old, value, path) }
}

/** The keys of `vary` hold dots themselves. */
function pathOf(key: string): string[] {
  const [first = '', ...rest] = key.split('.')
  return first === 'vary' && rest.length > 0 ? [first, rest.join('.')] : [first, ...rest]
}
