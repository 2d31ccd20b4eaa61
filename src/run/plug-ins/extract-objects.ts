import { isObject } from '../../basics/plain-data.ts'
import { dataInMemory } from '../../datasets/data-in-memory.ts'
import { UserError } from '../../errors.ts'
import type { ProviderKind } from '../../models/index.ts'
import { hashOf } from '../../text/hash.ts'
import type { Dataset, Method, Scorer } from '../../types.ts'
import { checkPlugIn, type PlugInKind } from './check-plug-in.ts'
import { mark, type PlugIns } from './import-plug-in.ts'
import { guardDataset } from '../calls/guard-dataset.ts'

/**
 * A config with names in place of plug-ins, documents and questions that stand there as themselves. Throws UserError, a
 * line a fault, for an object that is no plug-in or has no version.
 */
export function extractObjects(config: Readonly<Record<string, unknown>>): {
  readonly config: Readonly<Record<string, unknown>>
  readonly objects: PlugInObjects
} {
  const objects = {
    datasets: new Map<string, PlugInObject<Dataset>>(),
    methods: new Map<string, PlugInObject<Method>>(),
    scorers: new Map<string, PlugInObject<Scorer>>(),
    models: new Map<string, PlugInObject<ProviderKind>>(),
  }
  const takeItem = (kind: PlugInKind, value: unknown, path: string): unknown => {
    if (isPlugIn(kind, value)) return take(kind, value, path, objects)
    if (!isObject(value)) return value
    if (kind === 'method' && value['of'] !== undefined) {
      const { of, ...rest } = value
      const submethods = Array.isArray(of) ? many(kind, of, `${path}.of`) : takeItem(kind, of, `${path}.of`)
      return { ...Object(takeItem(kind, rest, path)), of: submethods }
    }
    if (isPlugIn(kind, value['use'])) return { ...value, use: take(kind, value['use'], `${path}.use`, objects) }
    return kind === 'dataset' && Array.isArray(value['documents']) ? ownData(value, path, objects.datasets) : value
  }
  const many = (kind: PlugInKind, value: unknown, path: string): unknown =>
    Array.isArray(value) ? value.map((item, index) => takeItem(kind, item, `${path}.${index}`)) : value
  const { dataset, methods, scorers, models } = config
  const roles = isObject(models)
    ? Object.fromEntries(
        Object.entries(models).map(([role, model]) => [role, takeItem('provider', model, `models.${role}`)]),
      )
    : models
  const datasetSetting = takeItem('dataset', dataset, 'dataset')
  return {
    config: {
      ...(config['name'] === undefined && dataset !== undefined && { name: nameOf(datasetSetting) }),
      ...config,
      ...(dataset !== undefined && { dataset: datasetSetting }),
      ...(methods !== undefined && { methods: many('method', methods, 'methods') }),
      ...(scorers !== undefined && { scorers: many('scorer', scorers, 'scorers') }),
      ...(models !== undefined && { models: roles }),
    },
    objects,
  }
}

const isPlugIn = <K extends PlugInKind>(kind: K, value: unknown): value is PlugIns[K] =>
  isObject(value) && typeof value[mark[kind]] === 'function'

type Maps = {
  readonly [K in keyof PlugInObjects]: Map<string, PlugInObjects[K] extends ByName<infer T> ? PlugInObject<T> : never>
}

function take<K extends PlugInKind>(kind: K, item: PlugIns[K], path: string, objects: Maps): string {
  const where = `config: ${path}`
  checkPlugIn(kind, item, where)
  if (item.version === undefined)
    throw new UserError(
      `${where}: ${kind} "${item.name}" has no version: give one, such as version: 1, and another whenever its results change`,
    )
  const digest = digestOf(item)
  if (isPlugIn('dataset', item)) return keep(objects.datasets, item.name, { item: guardDataset(item, where), digest })
  if (isPlugIn('method', item)) return keep(objects.methods, item.name, { item, digest })
  if (isPlugIn('scorer', item)) return keep(objects.scorers, item.name, { item, digest })
  if (isPlugIn('provider', item))
    return keep(objects.models, item.name, { item: withParameter(item, { object: digest.slice(0, 12) }), digest })
  throw new Error(`${where} is no plug-in`)
}

/** Equal objects share a key; others of the same name are numbered. */
function keep<T>(among: Map<string, PlugInObject<T>>, name: string, object: PlugInObject<T>): string {
  for (let number = 1; ; number++) {
    const key = number === 1 ? `${name} (object)` : `${name} (object ${number})`
    const existing = among.get(key)
    if (existing && (existing.item !== object.item || existing.digest !== object.digest)) continue
    among.set(key, object)
    return key
  }
}

/** Closures are not in the text of functions, so a change there needs a new version. */
const digestOf = (item: PlugIns[PlugInKind]): string =>
  hashOf([
    item.version,
    Object.entries(item).flatMap(([key, value]) => (typeof value === 'function' ? [[key, String(value)]] : [])),
  ])

/** A kind of model with a digest among its parameters, so that cached responses belong to this version. */
export const withParameter = (kind: ProviderKind, parameter: Readonly<Record<string, string>>): ProviderKind => ({
  ...kind,
  open: async (options, context) => {
    const provider = await kind.open(options, context)
    return { ...provider, parameters: { ...provider.parameters, ...parameter } }
  },
})

function ownData(
  { documents, questions, ...rest }: Readonly<Record<string, unknown>>,
  path: string,
  datasets: Map<string, PlugInObject<Dataset>>,
): unknown {
  const { dataset, digest } = dataInMemory({ documents, questions }, `config: ${path}`)
  return { ...rest, use: keep(datasets, dataset.name, { item: dataset, digest }) }
}

/** The name of a dataset, or of its file or folder, as one of a results folder. */
function nameOf(dataset: unknown): string {
  const { use, documents } = isObject(dataset) ? dataset : { use: dataset, documents: undefined }
  const name = [use, documents].find((value) => typeof value === 'string') ?? ''
  const [last = ''] = /[^\\/]+$/.exec(name.replace(/ \(object.*$|\.(ts|js|mjs)$|[\\/]+$/g, '')) ?? []
  return (
    last
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 80) || 'run'
  )
}

/** An object in a config. `digest`: of its version and the text of its functions. */
interface PlugInObject<T> {
  readonly item: T
  readonly digest: string
}

type ByName<T> = ReadonlyMap<string, PlugInObject<T>>

/** The objects of a config, by the names that replace them. */
export interface PlugInObjects {
  readonly datasets: ByName<Dataset>
  readonly methods: ByName<Method>
  readonly scorers: ByName<Scorer>
  readonly models: ByName<ProviderKind>
}

/** The object of that name. Throws Error for an unknown name. */
export function objectOf<T>(objects: ByName<T> | undefined, name: string): PlugInObject<T> {
  const object = objects?.get(name)
  if (!object) throw new Error(`${name} is no object of the config`)
  return object
}

/** Whether a manifest names an object of the program that made the run. */
export const isObjectName = (use: string): boolean => / \(object( \d+)?\)$/.test(use)
