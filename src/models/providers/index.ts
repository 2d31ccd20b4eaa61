import { menuOf, type Menu, type OptionsOf } from '../../basics/loading.ts'
import type { ProviderKind } from '../provider.ts'

const items = {
  openai: () => import('./openai/openai.ts').then(({ openai }) => openai),
  'rerank-server': () => import('./rerank-server.ts').then(({ rerankServer }) => rerankServer),
  minilm: () => import('./minilm/minilm.ts').then(({ minilm }) => minilm),
  transformers: () => import('./transformers/transformers.ts').then(({ transformers }) => transformers),
  gguf: () => import('./gguf/gguf.ts').then(({ gguf }) => gguf),
  extractive: () => import('./extractive.ts').then(({ extractive }) => extractive),
  fake: () => import('./fake.ts').then(({ fake }) => fake),
} as const

/** The menu: every kind of model that a config can name. What is heavy is loaded when a model is opened. */
export const providers: Menu<ProviderKind> = menuOf<ProviderKind>(items)

export type ProviderName = keyof typeof items

/** The options of a kind of model, as a config writes them. */
export type ProviderOptions<N extends ProviderName> = OptionsOf<(typeof items)[N]>
