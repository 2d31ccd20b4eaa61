import { registryOf, type OptionsOf, type Registry } from '../../basics/loading.ts'
import type { ProviderKind } from '../provider.ts'
import { items } from './registry.generated.ts'

/** Every kind of model that a config can name. What is heavy is loaded when a model is opened. */
export const providers: Registry<ProviderKind> = registryOf<ProviderKind>(items)

export type ProviderName = keyof typeof items

/** The options of a kind of model, as a config writes them. */
export type ProviderOptions<N extends ProviderName> = OptionsOf<(typeof items)[N]>
