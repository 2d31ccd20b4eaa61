import { join } from 'node:path'
import { itemNamed } from '../../basics/loading.ts'
import { packageFolder } from '../../basics/files.ts'
import type { Plan } from '../../config/index.ts'
import { datasets } from '../../datasets/index.ts'
import type { Dataset } from '../../types.ts'
import { loadPlugIn } from '../plug-ins/load-plug-in.ts'
import { objectNamed, type PlugInObjects } from '../plug-ins/objects.ts'

/** The dataset that a plan names. */
export async function datasetOf(
  { dataset: { use, file, object } }: Pick<Plan, 'dataset'>,
  objects?: PlugInObjects,
): Promise<Dataset> {
  if (object !== undefined) return objectNamed(objects?.datasets, object).item
  return file === undefined ? itemNamed(datasets, use) : loadPlugIn('dataset', file)
}

/** Where a dataset lies when the config does not say: the sample in this package, all others below the working directory. */
export const defaultPath = (name: string): string =>
  join(name === 'sample' ? packageFolder : process.cwd(), 'datasets', name)
