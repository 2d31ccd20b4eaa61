import type { Tokenizer } from '../../text/tokens.ts'
import type { EmbedRole } from '../../types.ts'
import type { EmbeddedText } from '../cache/cache-entry.ts'
import type { Provider } from '../provider.ts'

/** What an embedder reads of one text, and what it cuts off, in tokens. `estimated`: counted by the run's tokenizer, not by the model's. */
export interface Reading {
  readonly tokens: number
  readonly unread: number
  readonly estimated: boolean
}

/** The reading of a text before it is embedded. */
export function readingOf(
  provider: Pick<Provider, 'readsTokens' | 'countTokens'>,
  tokenizer: Tokenizer,
  text: string,
  role: EmbedRole | 'tokens',
): Reading {
  const counted = provider.countTokens?.(text, role)
  const whole = counted ?? tokenizer.count(text)
  const tokens = Math.min(whole, provider.readsTokens ?? Infinity)
  return { tokens, unread: whole - tokens, estimated: counted === undefined }
}

/** The reading of a text that was embedded: counted anew, so that it is the same whichever version and tokenizer filled the cache; a server's own count of what it read stands. */
export function readingOfEntry(entry: EmbeddedText, ...asked: Parameters<typeof readingOf>): Reading {
  const reading = readingOf(...asked)
  if (entry.estimated || !reading.estimated) return reading
  return { ...reading, tokens: entry.tokens, estimated: reading.unread > 0 }
}
