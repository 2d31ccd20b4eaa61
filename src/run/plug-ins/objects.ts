import type { ProviderKind } from '../../models/index.ts'
import type { Dataset, Method, Scorer } from '../../types.ts'

/** A plug-in that stands in a config as itself. Its results are told apart by `digest`: of its version and of the text of its functions. */
export interface PlugInObject<T> {
  readonly item: T
  readonly digest: string
}

/** Objects by the names that stand for them. */
export type ByName<T> = ReadonlyMap<string, PlugInObject<T>>

/** The plug-ins that stand in a config as themselves, by the names that stand for them there. */
export interface PlugInObjects {
  readonly datasets: ByName<Dataset>
  readonly methods: ByName<Method>
  readonly scorers: ByName<Scorer>
  readonly models: ByName<ProviderKind>
}

/** The object that a name stands for. Throws Error where the config that the plan was read from had none. */
export function objectNamed<T>(objects: ByName<T> | undefined, name: string): PlugInObject<T> {
  const object = objects?.get(name)
  if (!object) throw new Error(`${name} is no object of the config`)
  return object
}

/** Whether a manifest names an object of the program that made the run. */
export const isObjectName = (use: string): boolean => / \(object( \d+)?\)$/.test(use)
