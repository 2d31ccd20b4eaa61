import { isAbsolute, relative, sep, basename, extname, dirname, join } from 'node:path'
import { UserError, messageOf } from '../../errors.ts'
import type { Dataset, Method, Scorer } from '../../types.ts'
import { checkPlugIn } from './check-plug-in.ts'
import { execFile } from 'node:child_process'
import { Module, register, findSourceMap } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { codeFolder, packageFolder } from '../../basics/files.ts'
import { once } from '../../basics/memoise.ts'
import { plainError } from '../calls/plain-error.ts'

export interface PlugIns {
  readonly method: Method
  readonly scorer: Scorer
  readonly dataset: Dataset
}

/** The function by which a plug-in of each kind is known. */
export const mark = { method: 'index', scorer: 'score', dataset: 'corpora' } as const

/** Loads the one plug-in of that kind that a file exports into this process, checked. Throws UserError. */
export async function importPlugIn<K extends keyof PlugIns>(kind: K, file: string): Promise<PlugIns[K]> {
  const shown = shownPath(file)
  const found = candidates(kind, await importFile(file, shown))
  const [plugIn] = found
  if (plugIn === undefined || found.length > 1) {
    throw new UserError(
      `${shown}: exports ${found.length} ${kind}s, expected one: export const mine = define${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)}({ name, summary, options, ${mark[kind]}(…) { … } })`,
    )
  }
  checkPlugIn(kind, plugIn, shown)
  return plugIn as PlugIns[K]
}

/** `./mine.ts` where it lies below the working folder, and otherwise the path as it is. */
export function shownPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : `./${path.split(sep).join('/')}`
}

/** Exported values with the function of the kind, or else those with a name, whose faults are then told. */
function candidates(kind: keyof PlugIns, module: Readonly<Record<string, unknown>>): readonly object[] {
  const exported = [...new Set(Object.values(module))].filter(isObject)
  const marked = exported.filter((value) => mark[kind] in value)
  if (marked.length > 0) return marked
  return exported.filter((value) => 'name' in value && !Object.values(mark).some((field) => field in value))
}

const isObject = (value: unknown): value is object => value !== null && typeof value === 'object'

const imported = new Map<string, Promise<Readonly<Record<string, unknown>>>>()

/** What a plug-in's file exports, loaded once. Throws UserError with the place; `shown` is its name in messages. */
export function importFile(file: string, shown: string): Promise<Readonly<Record<string, unknown>>> {
  let module = imported.get(file)
  if (!module) imported.set(file, (module = load(file, shown)))
  return module
}

async function load(file: string, shown: string): Promise<Readonly<Record<string, unknown>>> {
  knowPlugIn(file)
  try {
    const importTyped = await typedImports()
    const module: unknown = await importTyped(pathToFileURL(file).href, import.meta.url).catch((error: unknown) => {
      throw saysItsPlace(error) ? error : plainError(error, 'loading it')
    })
    return module as Readonly<Record<string, unknown>>
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${shown}: cannot be loaded: ${await reasonOf(error, file)}`, { cause: error })
  }
}

/** Faults of syntax, which are told with their place, and what a person can mend. */
const saysItsPlace = (error: unknown): boolean =>
  error instanceof UserError || error instanceof SyntaxError || (error as Error | null)?.name === 'TransformError'

/** Why a file cannot be loaded; a fault of syntax begins with its place: `mine.ts:3:9: Unexpected "="`. */
async function reasonOf(error: unknown, file: string): Promise<string> {
  const message = error instanceof Error ? error.message : String(error)
  // esbuild counts columns from 0
  const [, place, line, column, fault] = /^(.+):(\d+):(\d+): ERROR: (.*)$/m.exec(message) ?? []
  if (place !== undefined) return `${basename(place)}:${line}:${Number(column) + 1}: ${fault ?? ''}`
  if (!(error instanceof SyntaxError)) return placedMessageOf(error)
  return (await syntaxFault(file)) ?? placedMessageOf(error)
}

/** The first fault of syntax in a JavaScript file, which Node tells only on its error stream. */
function syntaxFault(file: string): Promise<string | undefined> {
  if (extname(file) === '.ts') return Promise.resolve(undefined)
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], (_error, _out, said) => {
      const [, line, marks, fault] = /^.*:(\d+)\n.*\n( *)\^+\n[^]*?^SyntaxError: (.*)$/m.exec(said) ?? []
      resolve(line && `${basename(file)}:${line}:${(marks ?? '').length + 1}: ${fault ?? ''}`)
    })
  })
}

/** The entries of this package, with the files that they are. */
const entryFiles = { gembench: 'index', 'gembench/toolkit': 'toolkit', 'gembench/testing': 'testing/index' } as const

/**
 * Imports TypeScript and JavaScript; what it imports may import what `entries` names without having installed it, and
 * is given the modules that this process has.
 */
const typedImports = once(async () => {
  const tsx = await import('tsx/esm/api')
  const sources = pathToFileURL(`${codeFolder}/`)
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const entries = Object.fromEntries(
    Object.entries(entryFiles).map(([name, file]) => [name, new URL(`${file}.${ending}`, sources).href]),
  )
  const hook = (text: string): void =>
    register(
      `data:text/javascript,${encodeURIComponent(text.replace('NAMES', JSON.stringify({ entries, ours: sources.href })))}`,
    )
  // a hook that is registered later is asked earlier
  hook(formatHook)
  const typed = tsx.register({ namespace: 'plug-in' })
  hook(entryHook)
  const resolve = resolver.parse(Reflect.get(Module, '_resolveFilename'))
  Reflect.set(Module, '_resolveFilename', (name: string, ...rest: readonly unknown[]): string => {
    const entry = entries[name]
    return entry === undefined ? resolve.call(Module, name, ...rest) : fileURLToPath(entry)
  })
  return typed.import
})

/** What Node's own types leave out. */
const resolver = z.custom<(name: string, ...rest: readonly unknown[]) => string>((value) => typeof value === 'function')

/** Resolves our names to our files as they are loaded already. */
const entryHook = `
const { entries } = NAMES
export const resolve = (name, context, next) =>
  Object.hasOwn(entries, name) ? { url: entries[name], format: 'module', shortCircuit: true } : next(name, context)`

/** A file written as a module is run as one, since CommonJS loses the lines of errors. */
const formatHook = `
import { readFileSync } from 'node:fs'
const { ours } = NAMES
const isModule = (text) =>
  /^\\s*(import|export)\\b/m.test(text) && !/\\b(require|__dirname|__filename|module\\.exports)\\b/.test(text)
export async function resolve(name, context, next) {
  const found = await next(name, context)
  const [file] = found.url.split('?')
  if (found.format === 'module' || !/^file:.*\\.[jt]s$/.test(file)) return found
  if (file.startsWith(ours) || file.includes('/node_modules/')) return found
  try {
    return isModule(readFileSync(new URL(file), 'utf8')) ? { ...found, format: 'module' } : found
  } catch {
    return found
  }
}`

const folders = new Set<string>()

/** Node's ten frames can all lie in a library that a plug-in calls. */
const frames = 50

/** Makes errors from a plug-in's file, and from what lies in its folder, known by their place. */
function knowPlugIn(file: string): void {
  folders.add(dirname(file))
  Error.stackTraceLimit = Math.max(Error.stackTraceLimit, frames)
}

/** What went wrong in one line, with the place where a plug-in's file is to blame: `… (mine.ts:12:7)`. */
export function placedMessageOf(error: unknown): string {
  const place = placeOf(error)
  return place === undefined ? messageOf(error) : `${messageOf(error)} (${place})`
}

/** File, line and column of the topmost frame in a plug-in's file, seen from its folder; undefined where none is. */
export function placeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || folders.size === 0) return undefined
  for (const line of (error.stack ?? '').split('\n')) {
    const frame = frameOf(line)
    const folder = frame && folderOf(frame.file)
    if (frame && folder !== undefined)
      return `${relative(folder, frame.file).split(sep).join('/')}${frame.position ? `:${frame.position}` : ''}`
  }
  return undefined
}

interface Frame {
  readonly file: string
  /** `line:column`; absent where it is not known. */
  readonly position?: string
}

/** The file and position of `    at name (file:///folder/mine.ts?query:1:158)`, or of a mapped path. */
function frameOf(line: string): Frame | undefined {
  const [, location = '', row = '', column = ''] = /^\s+at (?:.*? \()?(.+?):(\d+):(\d+)\)?$/.exec(line) ?? []
  // a file that is run as CommonJS is hidden in an address of data, which names it but not its lines
  const hidden = /^data:.*\?filePath=([^:]+)$/.exec(location)?.[1]
  if (hidden !== undefined) return { file: withoutQuery(decodeURIComponent(hidden)) }
  if (!location.startsWith('file:'))
    return location === '' ? undefined : { file: location, position: `${row}:${column}` }
  return { file: fileURLToPath(withoutQuery(location)), position: mapped(location, Number(row), Number(column)) }
}

const withoutQuery = (location: string): string => location.replace(/\?.*$/, '')

/** The position in the file as it was written. */
function mapped(location: string, row: number, column: number): string {
  const origin = findSourceMap(location)?.findOrigin(row, column)
  return origin && 'lineNumber' in origin ? `${origin.lineNumber}:${origin.columnNumber}` : `${row}:${column}`
}

const ours = ['src', 'dist'].map((folder) => join(packageFolder, folder) + sep)

/** The folder of the plug-in that a file belongs to: the nearest, and none for this package and for installed ones. */
function folderOf(file: string): string | undefined {
  if (file.includes(`${sep}node_modules${sep}`) || ours.some((folder) => file.startsWith(folder))) return undefined
  return [...folders].filter((folder) => file.startsWith(folder + sep)).sort((a, b) => b.length - a.length)[0]
}
