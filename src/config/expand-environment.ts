import { isTellable, knowSecret } from '../basics/secrets.ts'
import { quoted, type ReportError } from './error-list.ts'
import { nearest } from '../text/names.ts'
import type { Located, LocatedScalar } from './located-value.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The variables that a text names, where it is empty because all of them are. */
export function emptyVariables(node: Located): readonly string[] {
  if (node.kind !== 'scalar' || node.value !== '' || node.written === undefined) return []
  return [...new Set([...node.written.matchAll(reference)].flatMap(([, name]) => name ?? []))]
}

// `$${` is an escaped `${`; the name of a variable is checked by itself
const reference = /\$\$\{|\$\{([^}]*)(\}?)/g

/**
 * Fills in `${NAME}` in every text, as a secret from then on; `$${NAME}` stands for itself. Reports unset ones. `hide`
 * puts the name in place of every such value in a text that others wrote.
 */
export function expandEnvironment(root: Located, environment: Environment, report: ReportError) {
  const used = new Map<string, string>()
  const filled = walk(root, (scalar, text) => {
    const refused: string[] = []
    const value = text.replace(reference, (found, name: string | undefined, end: string | undefined) => {
      if (name === undefined) return '${'
      const isName = /^[A-Za-z_]\w*$/.test(name) && end === '}'
      const inside = isName && Object.hasOwn(environment, name) ? environment[name] : undefined
      if (inside !== undefined) {
        used.set(name, inside)
        knowSecret(inside, `\${${name}}`)
      } else if (isName) refused.push(notSet(name, environment))
      else refused.push(`${quoted(found)} does not name an environment variable; for a literal "\${" write "$\${"`)
      return inside ?? ''
    })
    for (const message of refused) report(scalar.at, message)
    if (refused.length > 0) return { ...scalar, written: text, unset: true }
    return value === text ? scalar : { ...scalar, value, written: text }
  })
  return { root: filled, hide: hider(used) }
}

/** The nearest name is told, never a value. What `.env` sets is in the environment by now. */
function notSet(name: string, environment: Environment): string {
  const near = nearest(name, Object.keys(environment))
  return `environment variable ${name} is not set, neither in the environment nor in .env${near === undefined ? '' : `; did you mean ${near}, which is?`}`
}

function walk(node: Located, fill: (scalar: LocatedScalar, text: string) => LocatedScalar): Located {
  if (node.kind === 'scalar') return typeof node.value === 'string' ? fill(node, node.value) : node
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => walk(item, fill)) }
  const entries = [...node.entries].map(([name, { key, value }]) => [name, { key, value: walk(value, fill) }] as const)
  return { ...node, entries: new Map(entries) }
}

/** Longer values first, so that none is left over in part; short ones stay, since they stand in other words too. */
function hider(used: ReadonlyMap<string, string>): (text: string) => string {
  const values = [...used].filter(([, value]) => isTellable(value)).sort(([, a], [, b]) => b.length - a.length)
  return (text) => values.reduce((shown, [name, value]) => shown.replaceAll(value, () => `\${${name}}`), text)
}
