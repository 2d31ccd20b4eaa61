import type { ProviderKind } from '../provider.ts'
import { extractive } from './extractive/extractive.ts'
import { fake } from './fake.ts'
import { gguf } from './gguf/gguf.ts'
import { minilm } from './minilm/minilm.ts'
import { openai } from './openai/openai.ts'
import { transformers } from './transformers/transformers.ts'

/** Every kind of model that a config can name. Kinds are light; what is heavy is loaded when one is opened. */
export const providers: readonly ProviderKind[] = [openai, minilm, transformers, gguf, extractive, fake]
