import { mask } from '../basics/secrets.ts'

/** An access that a config asks for and a person may want to permit beforehand. */
interface Ask {
  readonly kind: 'plug-in' | 'program' | 'server' | 'variable'
  /** The path as written, the command line, the address, or the name of the variable. */
  readonly name: string
}

/** The programs, servers and variables that a config would use, sorted and unique. */
export function asksOf(config: unknown): readonly Ask[] {
  const all = new Map(asksIn(config, '').map((ask) => [`${ask.kind} ${ask.name}`, ask]))
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ask]) => ask)
}

/** Keys whose values are data files, whatever their extension. */
const dataKeys = ['path', 'documents', 'questions']

function asksIn(value: unknown, key: string): readonly Ask[] {
  if (Array.isArray(value)) return value.flatMap((item) => asksIn(item, key))
  if (typeof value === 'string') {
    const variables = [...value.matchAll(/\$\$\{|\$\{([A-Za-z_]\w*)\}/g)].flatMap(([, name]) => name ?? [])
    return [
      ...variables.map((name): Ask => ({ kind: 'variable', name })),
      ...(/\.(ts|js|mjs)$/.test(value) && !dataKeys.includes(key) ? [{ kind: 'plug-in', name: value } as const] : []),
    ]
  }
  if (typeof value !== 'object' || value === null) return []
  const entries = new Map(Object.entries(value))
  const { use, run, env, url, baseUrl = 'https://api.openai.com/v1' } = Object.fromEntries(entries)
  const isProgram = use === 'command'
  const hasKey = ['apiKey', 'headers'].some((name) => entries.has(name))
  return [
    ...(isProgram ? [{ kind: 'program', name: textOf(run) } as const] : []),
    ...(isProgram && Array.isArray(env) ? env.map((name): Ask => ({ kind: 'variable', name: String(name) })) : []),
    ...(hasKey || use === 'openai' ? [{ kind: 'server', name: String(use === 'http' ? url : baseUrl) } as const] : []),
    ...(use === 'openai' && !hasKey ? [{ kind: 'variable', name: 'OPENAI_API_KEY' } as const] : []),
    ...(use === 'pgvector' ? [{ kind: 'server', name: String(url).replace(/\/\/.*@/, `//${mask}@`) } as const] : []),
    // the arguments of a program are not plug-ins
    ...[...entries].flatMap(([name, item]) => (isProgram && name === 'run' ? [] : asksIn(item, name))),
  ]
}

const textOf = (run: unknown): string => (Array.isArray(run) ? run.map(String).join(' ') : String(run))
