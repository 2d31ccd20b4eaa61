import { Module, register } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { messageOf, UserError } from '../errors.ts'
import type { Dataset, Method, Scorer } from '../types.ts'

interface PlugIns {
  readonly method: Method
  readonly scorer: Scorer
  readonly dataset: Dataset
}

/** Which function makes an exported value a method, a scorer or a dataset. */
const mark = { method: 'index', scorer: 'score', dataset: 'corpora' } as const

const loaded = new Map<string, Promise<Readonly<Record<string, unknown>>>>()

/** Loads a stranger's file (.ts, .js, .mjs) and returns the one plug-in of that kind that it exports. */
export async function loadPlugIn<K extends keyof PlugIns>(kind: K, file: string): Promise<PlugIns[K]> {
  let module = loaded.get(file)
  if (!module) loaded.set(file, (module = importFile(file)))
  const found = Object.values(await module).filter((value) => isPlugIn(kind, value))
  const [plugIn] = found
  if (plugIn === undefined || found.length > 1) {
    throw new UserError(
      `${file}: exports ${found.length} ${kind}s, expected one: export const mine = define${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)}({ name, summary, options, ${mark[kind]}(…) { … } })`,
    )
  }
  return plugIn as PlugIns[K]
}

async function importFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const { tsImport } = await import('tsx/esm/api')
    letStrangersImportUs()
    return (await tsImport(pathToFileURL(file).href, import.meta.url)) as Readonly<Record<string, unknown>>
  } catch (error) {
    throw new UserError(`${file}: cannot be loaded: ${messageOf(error)}`)
  }
}

let introduced = false

/** A file outside this package may `import … from 'gembench'` without having installed it, as a module or (in a folder whose package.json does not say "module") as CommonJS. */
function letStrangersImportUs(): void {
  if (introduced) return
  introduced = true
  const us = new URL(`../index${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
  const hook = `export const resolve = (name, context, next) => next(name === 'gembench' ? ${JSON.stringify(us.href)} : name, context)`
  register(`data:text/javascript,${encodeURIComponent(hook)}`)
  const commonJs = Module as unknown as { _resolveFilename(name: string, ...rest: unknown[]): string }
  const resolve = commonJs._resolveFilename.bind(Module)
  commonJs._resolveFilename = (name, ...rest) => (name === 'gembench' ? fileURLToPath(us) : resolve(name, ...rest))
}

function isPlugIn(kind: keyof PlugIns, value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  const fields = value as Readonly<Record<string, unknown>>
  return (
    typeof fields['name'] === 'string' &&
    typeof fields[mark[kind]] === 'function' &&
    typeof fields['options'] === 'object'
  )
}
