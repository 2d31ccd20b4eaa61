import { registryOf, type OptionsOf, type Registry } from '../basics/loading.ts'
import type { Method } from '../types.ts'
import { items } from './registry.generated.ts'

/** The built-in methods, baselines first. */
export const methods: Registry<Method> = registryOf<Method>(items)

export type MethodName = keyof typeof items

/** The options of a method, as a config writes them. */
export type MethodOptions<N extends MethodName> = OptionsOf<(typeof items)[N]>
