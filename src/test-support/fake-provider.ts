import { z } from 'zod'
import {
  defineProvider,
  type Completion,
  type CompletionRequest,
  type Provider,
  type ProviderKind,
} from '../models/provider.ts'
import type { EmbedRole } from '../types.ts'

/** What a fake provider was asked. */
type FakeCall =
  | { readonly kind: 'complete'; readonly request: CompletionRequest }
  | { readonly kind: 'embed'; readonly texts: readonly string[]; readonly role: EmbedRole }

export interface FakeProvider extends Provider {
  /** Everything that was asked, in order. */
  readonly calls: readonly FakeCall[]
}

/** How a fake provider replies; whatever is thrown is its failure. */
export interface FakeScript extends Partial<Omit<Provider, 'complete' | 'embed'>> {
  readonly complete?: (
    request: CompletionRequest,
    signal: AbortSignal,
  ) => Promise<string | Completion> | string | Completion
  readonly embed?: (
    texts: readonly string[],
    role: EmbedRole,
  ) => Promise<readonly Float32Array[]> | readonly Float32Array[]
}

/** A provider made of functions, which records its calls; without functions it can do nothing. */
export function fakeProvider(script: FakeScript): FakeProvider {
  const { complete, embed, ...rest } = script
  const calls: FakeCall[] = []
  return {
    name: 'fake',
    model: 'scripted',
    parameters: {},
    ...rest,
    calls,
    ...(complete && {
      async complete(request, signal) {
        calls.push({ kind: 'complete', request })
        const reply = await complete(request, signal)
        return typeof reply === 'string' ? { text: reply, finish: 'stop' } : reply
      },
    }),
    ...(embed && {
      async embed(texts, role) {
        calls.push({ kind: 'embed', texts: [...texts], role })
        return { vectors: await embed(texts, role) }
      },
    }),
  }
}

/** A kind of model that opens as the given provider, wherever a kind is wanted. */
export const kindOf = (provider: Provider): ProviderKind =>
  defineProvider({
    name: provider.name,
    summary: 'An opened provider.',
    can: (['complete', 'embed', 'embedTokens'] as const).filter((ability) => provider[ability] !== undefined),
    options: z.strictObject({}),
    open: async () => provider,
  })
