import { registryOf, type OptionsOf, type Registry } from '../../basics/loading.ts'
import type { ProviderKind } from '../provider.ts'
import { items } from './registry.generated.ts'

/** The registry of kinds of models. Heavy packages are loaded when a model is opened. */
export const providers: Registry<ProviderKind> = registryOf<ProviderKind>(items)

export type ProviderName = keyof typeof items

/** The raw options of a kind of model. */
export type ProviderOptions<N extends ProviderName> = OptionsOf<(typeof items)[N]>
