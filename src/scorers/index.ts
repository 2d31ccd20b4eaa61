import { registryOf, type OptionsOf, type Registry } from '../basics/loading.ts'
import type { Scorer } from '../types.ts'
import { items } from './registry.generated.ts'

/** Every scorer that a config can name. */
export const scorers: Registry<Scorer> = registryOf<Scorer>(items)

export type ScorerName = keyof typeof items

/** The options of a scorer, as a config writes them. */
export type ScorerOptions<N extends ScorerName> = OptionsOf<(typeof items)[N]>
