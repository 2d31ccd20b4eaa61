import { join } from 'node:path'
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
