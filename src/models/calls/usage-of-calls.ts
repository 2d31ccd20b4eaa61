import type { EmbeddedText, Exchange, Reply } from '../cache/cache.ts'
import type { ResolvedCall } from '../cache/single-flight.ts'
import type { PhaseUsage } from '../meter.ts'
import type { EmbeddedCall } from './embed-texts.ts'
import type { Read } from './read-reply.ts'

/** Each reply of an exchange is one call; the task as a whole is clean, repaired, partial or failed. */
export function completionUsage(
  { entry, cached, own }: ResolvedCall<Exchange>,
  read: Read<unknown>,
): Partial<PhaseUsage> {
  const { replies, milliseconds } = entry
  const sum = (of: (reply: Reply) => number) => total(replies, of)
  const outcome =
    'error' in read ? 'failed' : replies.length > 1 && read.outcome === 'clean' ? 'repaired' : read.outcome
  const [promptTokens, completionTokens] = [sum((reply) => reply.promptTokens), sum((reply) => reply.completionTokens)]
  return {
    calls: replies.length,
    cached: cached ? replies.length : 0,
    promptTokens,
    completionTokens,
    ...(own && {
      sent: replies.length,
      sentPromptTokens: promptTokens,
      sentCompletionTokens: completionTokens,
      sentMilliseconds: milliseconds,
    }),
    estimated: sum((reply) => Number(reply.estimated)),
    cut: sum((reply) => Number(reply.finish === 'length')),
    withoutSchema: sum(({ fallbacks = [] }) => Number(fallbacks.includes('schema'))),
    withoutSystem: sum(({ fallbacks = [] }) => Number(fallbacks.includes('system'))),
    cutPrompts: sum((reply) => Number(reply.cutPrompt ?? false)),
    milliseconds,
    [outcome]: 1,
    skippedItems: 'error' in read ? 0 : read.skipped,
  }
}

/** A question with its texts is one call, whatever the cache holds of it. */
export function rerankingUsage(ranked: readonly ResolvedCall<EmbeddedText>[]): Partial<PhaseUsage> {
  const own = [...new Set(ranked.filter((one) => one.own).map(({ entry }) => entry))]
  const tokens = total(ranked, ({ entry }) => entry.tokens)
  return {
    calls: 1,
    cached: Number(ranked.every(({ cached }) => cached)),
    promptTokens: tokens,
    rankedTokens: tokens,
    rankedTexts: ranked.length,
    estimated: Number(ranked.some(({ entry }) => entry.estimated)),
    milliseconds: total(ranked, ({ entry }) => entry.milliseconds),
    ...(own.length > 0 && {
      sent: 1,
      sentPromptTokens: total(own, (one) => one.tokens),
      sentMilliseconds: total(own, (one) => one.milliseconds),
    }),
  }
}

/** Texts given twice are counted twice, as the caller asked for them, but took their time once; failed ones are not. */
export function embeddingUsage(calls: readonly EmbeddedCall[]): Partial<PhaseUsage> {
  const embedded = calls.filter(({ failure }) => !failure)
  if (embedded.length === 0) return {}
  const readings = embedded.map(({ reading }) => reading)
  const entries = new Map(embedded.map((one) => [one.entry, one]))
  const own = [...entries.values()].filter((one) => one.own)
  const milliseconds = total([...entries.keys()], (entry) => entry.milliseconds)
  return {
    calls: 1,
    embeddingCalls: 1,
    cached: Number(embedded.every(({ cached }) => cached)),
    embeddedTexts: readings.length,
    embeddedTokens: total(readings, ({ tokens }) => tokens),
    cutTexts: readings.filter(({ unread }) => unread > 0).length,
    unreadTokens: total(readings, ({ unread }) => unread),
    estimated: Number(readings.some(({ estimated }) => estimated)),
    milliseconds,
    embeddingMilliseconds: milliseconds,
    ...(own.length > 0 && {
      sent: 1,
      sentTexts: own.length,
      sentEmbeddedTokens: total(own, ({ reading }) => reading.tokens),
      sentMilliseconds: total(own, ({ entry }) => entry.milliseconds),
    }),
  }
}

const total = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)
