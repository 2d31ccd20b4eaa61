import { join } from 'node:path'
import { z, type ZodType } from 'zod'
import type { PlannedPlugIn, Registries } from '../../config/index.ts'
import { datasets } from '../../datasets/index.ts'
import { methods } from '../../methods/index.ts'
import { providers } from '../../models/index.ts'
import { scorers } from '../../scorers/index.ts'
import { packageFolder } from '../../basics/files.ts'
import { itemOf, type Registry } from '../../basics/loading.ts'
import { taskFields } from '../../tasks/index.ts'
import type { PlugInKind } from './check-plug-in.ts'
import type { PlugInObject, PlugInObjects } from './extract-objects.ts'
import { loadPlugIn, type PlugIns } from './import-plug-in.ts'

/** Everything that a config can name, as the reader of configs and `gembench ls` see it. */
export const registries = {
  datasets,
  methods,
  scorers,
  models: providers,
  prompts: { tasks: taskFields, folder: join(packageFolder, 'configs', 'prompts') },
  loadFile: (kind, file) => loadPlugIn(kind === 'model' ? 'provider' : kind, file),
} satisfies Registries

/** The same for the config of a results folder: options that no longer exist are left out. */
export const lenientRegistries: Registries = {
  ...registries,
  datasets: lenient(datasets),
  methods: lenient(methods),
  scorers: lenient(scorers),
  models: lenient(providers),
}

function lenient<T extends { readonly options: ZodType }>(registry: Registry<T>): Registry<T> {
  const load = async (name: string): Promise<T | undefined> => {
    const item = await registry.load(name)
    return item && { ...item, options: withoutUnknown(item.options) }
  }
  return { ...registry, load }
}

/** The schema, which leaves out unknown options in place of refusing them. */
export function withoutUnknown(schema: ZodType): ZodType {
  if (schema instanceof z.ZodObject) return schema.strip()
  return schema instanceof z.ZodPipe ? z.pipe(withoutUnknown(schema.in as ZodType), schema.out) : schema
}

const builtIn: { readonly [K in PlugInKind]: Registry<PlugIns[K]> } = {
  dataset: datasets,
  method: methods,
  scorer: scorers,
  provider: providers,
}

/** What a plan names: a built-in plug-in, one of a file, or an object with its digest. Throws UserError. */
export async function findPlugIn<K extends PlugInKind>(
  kind: K,
  { use, file, object: name }: Pick<PlannedPlugIn, 'use' | 'file' | 'object'>,
  objects: PlugInObjects = {},
): Promise<Pick<PlugInObject<K>, 'item'> & Partial<PlugInObject<K>>> {
  if (name === undefined)
    return { item: file === undefined ? await itemOf(builtIn[kind], use) : await loadPlugIn(kind, file) }
  const object = objects[kind]?.get(name)
  if (!object) throw new Error(`${name} is no object of the config`)
  return object
}
