import { isObject } from '../../basics/plain-data.ts'
import { dataInMemory } from '../../datasets/data-in-memory.ts'
import { UserError } from '../../errors.ts'
import type { ProviderKind } from '../../models/index.ts'
import { hashOf } from '../../text/hash.ts'
import { checkPlugIn, type PlugInKind } from './check-plug-in.ts'
import { mark, type PlugIns } from './import-plug-in.ts'
import { guardDataset } from '../calls/guard-dataset.ts'

/** An object in a config. `digest`: of its version and the text of its functions. */
export interface PlugInObject<K extends PlugInKind> {
  readonly item: PlugIns[K]
  readonly digest: string
}

/** The objects of a config, by the names that replace them. */
export type PlugInObjects = { readonly [K in PlugInKind]?: ReadonlyMap<string, PlugInObject<K>> }

type Maps = { readonly [K in PlugInKind]: Map<string, PlugInObject<K>> }

/**
 * A config with names in place of the plug-ins,
 * documents and questions in it. Throws UserError for
 * an object that is no plug-in or has no version.
 */
export function extractObjects(config: Readonly<Record<string, unknown>>): {
  readonly config: Readonly<Record<string, unknown>>
  readonly objects: Maps
} {
  const objects: Maps = { dataset: new Map(), method: new Map(), scorer: new Map(), provider: new Map() }
  const takeItem = (kind: PlugInKind, value: unknown, path: string): unknown => {
    if (isPlugIn(kind, value)) return take(kind, value, path, objects)
    if (!isObject(value)) return value
    const { use, of, documents, questions, ...rest } = value
    if (kind === 'dataset' && Array.isArray(documents)) {
      const { dataset, digest } = dataInMemory({ documents, questions }, `config: ${path}`)
      return { ...rest, use: keep(objects.dataset, { item: dataset, digest }) }
    }
    return {
      ...value,
      ...(isPlugIn(kind, use) && { use: take(kind, use, `${path}.use`, objects) }),
      ...(kind === 'method' && of !== undefined && { of: takeItems(kind, of, `${path}.of`) }),
    }
  }
  const takeItems = (kind: PlugInKind, value: unknown, path: string): unknown =>
    Array.isArray(value)
      ? value.map((item, index) => takeItem(kind, item, `${path}.${index}`))
      : takeItem(kind, value, path)
  const result: Record<string, unknown> = { ...config }
  for (const [key, kind] of [
    ['dataset', 'dataset'],
    ['methods', 'method'],
    ['scorers', 'scorer'],
  ] as const)
    if (key in config) result[key] = takeItems(kind, config[key], key)
  if (isObject(config['models'])) {
    const models: Record<string, unknown> = {}
    for (const [role, model] of Object.entries(config['models']))
      models[role] = takeItem('provider', model, `models.${role}`)
    result['models'] = models
  }
  if (config['name'] === undefined && 'dataset' in config) result['name'] = nameOf(result['dataset'])
  return { config: result, objects }
}

const isPlugIn = <K extends PlugInKind>(kind: K, value: unknown): value is PlugIns[K] =>
  isObject(value) && typeof value[mark[kind]] === 'function'

function take<K extends PlugInKind>(kind: K, item: PlugIns[K], path: string, objects: Maps): string {
  const where = `config: ${path}`
  checkPlugIn(kind, item, where)
  if (item.version === undefined)
    throw new UserError(
      `${where}: ${kind} "${item.name}" has no version: give one, such as version: 1, and another with other results`,
    )
  // closures are not in the text of functions, so a change there needs a new version
  const texts = Object.entries(item).flatMap(([key, value]) =>
    typeof value === 'function' ? [[key, String(value)]] : [],
  )
  const digest = hashOf([item.version, texts])
  if (isPlugIn('dataset', item)) return keep(objects.dataset, { item: guardDataset(item, where), digest })
  if (isPlugIn('provider', item))
    return keep(objects.provider, { item: withParameter(item, { object: digest.slice(0, 12) }), digest })
  return keep<K>(objects[kind], { item, digest })
}

/** Equal objects share a key; others of the same name are numbered. */
function keep<K extends PlugInKind>(among: Map<string, PlugInObject<K>>, object: PlugInObject<K>): string {
  const { name } = object.item
  for (let number = 1; ; number++) {
    const key = number === 1 ? `${name} (object)` : `${name} (object ${number})`
    const existing = among.get(key)
    if (existing && (existing.item !== object.item || existing.digest !== object.digest)) continue
    among.set(key, object)
    return key
  }
}

/** A kind of model with a digest among its parameters, so that cached responses belong to this version. */
export const withParameter = (kind: ProviderKind, parameter: Readonly<Record<string, string>>): ProviderKind => ({
  ...kind,
  open: async (options, context) => {
    const provider = await kind.open(options, context)
    return { ...provider, parameters: { ...provider.parameters, ...parameter } }
  },
})

/** The name of a dataset, or of its file or folder, as one of a results folder. */
function nameOf(dataset: unknown): string {
  const { use, documents } = isObject(dataset) ? dataset : { use: dataset, documents: undefined }
  const name = [use, documents].find((value) => typeof value === 'string') ?? ''
  const [last = ''] = /[^\\/]+$/.exec(name.replace(/ \(object.*$|\.(ts|js|mjs)$|[\\/]+$/g, '')) ?? []
  const word = last.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return word.slice(0, 80) || 'run'
}

/** Whether a manifest names an object of the program that made the run. */
export const isObjectName = (use: string): boolean => / \(object( \d+)?\)$/.test(use)
