import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf, UserError } from '../errors.ts'
import { plugInFaults, checkPlugIn, plugInShapes, type PlugInKind } from '../run/plug-ins/check-plug-in.ts'
import { importFile } from '../run/plug-ins/import-plug-in.ts'
import { command } from '../methods/command/command.ts'
import { callPlugIn } from '../run/calls/call-plug-in.ts'
import type { Dataset, Method, Models, Scorer } from '../types.ts'
import { checksOf, type Check } from './check.ts'
import { datasetChecks } from './dataset.ts'
import { methodChecks } from './method.ts'
import { offlineModels } from './fake-models.ts'
import { scorerChecks } from './scorer.ts'

/** With what the plug-ins of a file are checked: their options, and for a dataset the path of a copy. */
interface FileCase {
  readonly options: Readonly<Record<string, unknown>>
  readonly path?: string
}

/** What a check found; `fault` is absent where it holds. */
interface CheckResult {
  readonly name: string
  readonly fault?: string
}

export interface CheckedPlugIn {
  readonly kind: PlugIn['kind']
  readonly name: string
  readonly checks: readonly CheckResult[]
}

/** Runs the checks of what a file exports. Throws UserError where that is nothing. */
export async function checkFile(file: string, how: FileCase): Promise<readonly CheckedPlugIn[]> {
  const there = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!there) throw new UserError(`${file}: no such file; expected one that exports a method, a scorer or a dataset`)
  const exported = await importFile(resolve(file), file)
  const plugIns = plugInsOf(exported)
  if (plugIns.length === 0) refuseUnfinished(objectsIn(exported), file, await readFile(file, 'utf8'))
  if (plugIns.length === 0)
    throw new UserError(
      `${file}: exports no method, scorer or dataset; expected export const mine = defineMethod({ name, summary, options, index(…) { … } }), or defineScorer, or defineDataset`,
    )
  const offline = await offlineModels()
  try {
    const checked: CheckedPlugIn[] = []
    for (const plugIn of plugIns) {
      const checks: CheckResult[] = []
      for (const check of promisesOf(plugIn, file, how, offline.models)) checks.push(await resultOf(check))
      const shape = await resultOf(shapeCheck(plugIn))
      // misspelt fields and the like; the rest the other checks say themselves
      if (checks.every(({ fault }) => fault === undefined)) checks.push(shape)
      checked.push({ kind: plugIn.kind, name: plugIn.item.name, checks })
    }
    return checked
  } finally {
    await offline.close()
  }
}

/** Runs the checks of a method on a program, as `command` runs it. Throws UserError where it cannot be started. */
export async function checkProgram(
  file: string,
  options: Readonly<Record<string, unknown>>,
): Promise<readonly CheckedPlugIn[]> {
  const program = { run: [...startedBy(file), resolve(file)], folder: resolve('.'), ...options }
  const parsed = command.options.safeParse(program)
  if (parsed.success) await command.program?.(parsed.data)
  const offline = await offlineModels()
  try {
    const checks: CheckResult[] = []
    for (const check of methodChecks(command, { options: program, models: offline.models }))
      checks.push(await resultOf(check))
    return [{ kind: 'method', name: command.name, checks }]
  } finally {
    await offline.close()
  }
}

const startedBy = (file: string): readonly string[] =>
  /\.py$/.test(file) ? ['python3'] : /\.[cm]?js$/.test(file) ? [process.execPath] : []

type PlugIn =
  | { readonly kind: 'method'; readonly item: Method }
  | { readonly kind: 'scorer'; readonly item: Scorer }
  | { readonly kind: 'dataset'; readonly item: Dataset }

/** What makes an exported object a method, a scorer or a dataset; a dataset may lack one of its two functions. */
const isMethod = (item: object): item is Method => has(item, 'index')
const isScorer = (item: object): item is Scorer => has(item, 'score')
const isDataset = (item: object): item is Dataset => has(item, 'corpora') || has(item, 'files')

const has = (item: object, name: string): boolean => typeof Reflect.get(item, name) === 'function'

function plugInsOf(exported: Readonly<Record<string, unknown>>): readonly PlugIn[] {
  return objectsIn(exported).flatMap((item): readonly PlugIn[] => {
    if (isMethod(item)) return [{ kind: 'method', item }]
    if (isScorer(item)) return [{ kind: 'scorer', item }]
    return isDataset(item) ? [{ kind: 'dataset', item }] : []
  })
}

const objectsIn = (exported: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] =>
  [...new Set(Object.values(exported))].filter(
    (value): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null,
  )

/** The fields, as a run checks them when it loads the file. */
const shapeCheck = ({ kind, item }: PlugIn): Check =>
  checksOf(`${kind} "${item.name}"`)('has the fields that a run takes', () => plugInFaults(kind, item)[0])

function promisesOf(plugIn: PlugIn, file: string, { options, path }: FileCase, models: () => Models): readonly Check[] {
  switch (plugIn.kind) {
    case 'method':
      return methodChecks(plugIn.item, { options, models })
    case 'scorer':
      return scorerChecks(plugIn.item, { options, models })
    case 'dataset':
      if (path === undefined)
        throw new UserError(`${file}: dataset "${plugIn.item.name}": give a file or folder to read with --path`)
      return datasetChecks(plugIn.item, { options, path })
  }
}

const resultOf = ({ name, run }: Check): Promise<CheckResult> =>
  callPlugIn({ doing: `the check "${name}"`, seconds: 600, limit: 'the limit of a check' }, run).then(
    () => ({ name }),
    (error: unknown) => ({ name, fault: messageOf(error) }),
  )

const kinds: readonly PlugInKind[] = ['method', 'scorer', 'dataset']

/** Throws UserError with what an exported object lacks that was meant to be a method, scorer or dataset. */
function refuseUnfinished(exported: readonly Readonly<Record<string, unknown>>[], file: string, source: string): void {
  for (const item of exported) {
    if (typeof item['name'] !== 'string') continue
    const kind = kindMeant(item, source)
    if (kind) checkPlugIn(kind, item, file)
    else
      throw new UserError(
        `${file}: "${item['name']}" is no method, scorer or dataset yet: a method has index(…), a scorer score(…), a dataset files(…) and corpora(…); define it with defineMethod, defineScorer or defineDataset to be told what is missing`,
      )
  }
}

/** Undefined where it may be of several kinds. */
function kindMeant(item: object, source: string): PlugInKind | undefined {
  const defined = kinds.filter((kind) => new RegExp(`\\bdefine${kind}\\b`, 'i').test(source))
  const possible = defined.length > 0 ? defined : kinds
  const known = possible.map((kind) => Object.keys(plugInShapes[kind].schema.shape).filter((key) => key in item).length)
  const nearest = possible.filter((_, index) => known[index] === Math.max(...known))
  return nearest.length === 1 ? nearest[0] : undefined
}
