import { isAbsolute, relative, sep, basename, extname } from 'node:path'
import { UserError } from '../../errors.ts'
import type { ProviderKind } from '../../models/index.ts'
import type { Dataset, Method, Scorer } from '../../types.ts'
import { checkPlugIn } from './check-plug-in.ts'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Module, register } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { codeFolder } from '../../basics/files.ts'
import { once } from '../../basics/memoise.ts'
import { isObject } from '../../basics/plain-data.ts'
import { sha256 } from '../../text/hash.ts'
import { callPlugIn } from '../calls/call-plug-in.ts'
import { registerPlugIn, placedMessageOf } from '../calls/plug-in-errors.ts'
import { guardDataset } from '../calls/guard-dataset.ts'

export interface PlugIns {
  readonly method: Method
  readonly scorer: Scorer
  readonly dataset: Dataset
  readonly provider: ProviderKind
}

/** The function by which a plug-in of each kind is known. */
export const mark = { method: 'index', scorer: 'score', dataset: 'corpora', provider: 'open' } as const

/** The one plug-in of that kind that a file exports, checked, in this process. Throws UserError. */
export async function loadPlugIn<K extends keyof PlugIns>(kind: K, file: string): Promise<PlugIns[K]> {
  const path = shownPath(file)
  const plugIns = candidates(kind, await importFile(file, path))
  const [plugIn] = plugIns
  if (plugIn === undefined || plugIns.length > 1) {
    throw new UserError(
      `${path}: exports ${plugIns.length} ${kind}s, expected one: { name, summary, options, ${mark[kind]}(…) { … } }`,
    )
  }
  checkPlugIn(kind, plugIn, path)
  return (kind === 'dataset' ? guardDataset(plugIn as Dataset, path) : plugIn) as PlugIns[K]
}

/** `./mine.ts` below the working folder, else the path as it is. */
function shownPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : `./${path.split(sep).join('/')}`
}

function candidates(kind: keyof PlugIns, module: Readonly<Record<string, unknown>>): readonly object[] {
  const values = [...new Set(Object.values(module))].filter(isObject)
  const matches = values.filter((value) => mark[kind] in value)
  if (matches.length > 0) return matches
  return values.filter((value) => 'name' in value && !Object.values(mark).some((field) => field in value))
}

const modules = new Map<string, Promise<Readonly<Record<string, unknown>>>>()

/** What a file exports, loaded again where its text has changed. `path`: its name in messages. Throws UserError. */
export async function importFile(file: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const version = sha256(await readFile(file)).slice(0, 8)
  // Node keeps what it has loaded from an address
  const address = `${pathToFileURL(file).href}?version=${version}`
  const module = modules.get(address) ?? load(file, path, address)
  modules.set(address, module)
  return module
}

async function load(file: string, path: string, address: string): Promise<Readonly<Record<string, unknown>>> {
  registerPlugIn(file)
  try {
    const importModule = await typedImports()
    const loading = { doing: 'loading it', seconds: 60, limit: 'the limit of loading a file' }
    // what is thrown keeps its place only if it is thrown on as it is
    const outcome = await callPlugIn(loading, () =>
      importModule(address, import.meta.url).then(
        (module: Readonly<Record<string, unknown>>) => ({ module }),
        (error: unknown) => ({ error }),
      ),
    )
    if ('error' in outcome) throw outcome.error
    return outcome.module
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${path}: cannot be loaded: ${await reasonOf(error, file)}`, { cause: error })
  }
}

/** Why a file cannot be loaded; a fault of syntax begins with its place: `mine.ts:3:9: Unexpected "="`. */
async function reasonOf(error: unknown, file: string): Promise<string> {
  const message = error instanceof Error ? error.message : ''
  // esbuild counts columns from 0
  const [, place, line, column, fault] = /^(.+):(\d+):(\d+): ERROR: (.*)$/m.exec(message) ?? []
  if (place !== undefined) return `${basename(place)}:${line}:${Number(column) + 1}: ${fault ?? ''}`
  if (!(error instanceof SyntaxError)) return placedMessageOf(error)
  return (await syntaxFault(file)) ?? placedMessageOf(error)
}

/** The first syntax error of a JavaScript file, which Node prints only on stderr. */
function syntaxFault(file: string): Promise<string | undefined> {
  if (extname(file) === '.ts') return Promise.resolve(undefined)
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], (_error, _out, errorOutput) => {
      const [, line, marks, fault] = /^.*:(\d+)\n.*\n( *)\^+\n[^]*?^SyntaxError: (.*)$/m.exec(errorOutput) ?? []
      resolve(line && `${basename(file)}:${line}:${(marks ?? '').length + 1}: ${fault ?? ''}`)
    })
  })
}

/** The entries of this package, with the files that they are. */
const entryFiles = { gembench: 'index', 'gembench/toolkit': 'toolkit', 'gembench/testing': 'testing/index' } as const

/** Imports TypeScript and JavaScript, which may import this package without having installed it. */
const typedImports = once(async () => {
  const tsx = await import('tsx/esm/api')
  const sources = pathToFileURL(`${codeFolder}/`)
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const entries = Object.fromEntries(
    Object.entries(entryFiles).map(([name, file]) => [name, new URL(`${file}.${ending}`, sources).href]),
  )
  const names = JSON.stringify({ entries, ours: sources.href })
  const hook = (text: string): void => {
    const source = encodeURIComponent(text.replace('NAMES', names))
    register(`data:text/javascript,${source}`)
  }
  // imports of the entries are outside the namespace
  if (ending === 'ts') tsx.register()
  // hooks run in reverse order of registration
  hook(formatHook)
  const loader = tsx.register({ namespace: 'plug-in' })
  hook(entryHook)
  const resolve = resolver.parse(Reflect.get(Module, '_resolveFilename'))
  Reflect.set(Module, '_resolveFilename', (name: string, ...rest: readonly unknown[]): string => {
    const entry = entries[name]
    return entry === undefined ? resolve.call(Module, name, ...rest) : fileURLToPath(entry)
  })
  return loader.import
})

/** Missing in Node's own types. */
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
