import type { EmbeddedText, Exchange, Reply } from '../cache/cache.ts'
import type { ResolvedCall } from '../cache/single-flight.ts'
import type { PhaseUsage } from '../usage-counter.ts'
import type { EmbeddedCall } from './embed-texts.ts'
import type { Read } from './task-call.ts'

/** Each reply of an exchange counts as a call; the task counts once as clean, repaired, partial or failed. */
export function completionUsage(
  { entry, cached, isOwn }: ResolvedCall<Exchange>,
  read: Read<unknown>,
): Partial<PhaseUsage> {
  const { replies, milliseconds } = entry
  const sum = (of: (reply: Reply) => number) => total(replies, of)
  const outcome =
    'error' in read ? 'failed' : replies.length > 1 && read.outcome === 'clean' ? 'repaired' : read.outcome
  const promptTokens = sum((reply) => reply.promptTokens)
  const completionTokens = sum((reply) => reply.completionTokens)
  return {
    calls: replies.length,
    cached: cached ? replies.length : 0,
    promptTokens,
    completionTokens,
    ...(isOwn && {
      sent: replies.length,
      sentPromptTokens: promptTokens,
      sentCompletionTokens: completionTokens,
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

/** A question with its texts counts as one call, cached or not. */
export function rerankingUsage(calls: readonly ResolvedCall<EmbeddedText>[]): Partial<PhaseUsage> {
  const ownEntries = [...new Set(calls.filter((call) => call.isOwn).map(({ entry }) => entry))]
  const tokens = total(calls, ({ entry }) => entry.tokens)
  return {
    calls: 1,
    cached: Number(calls.every(({ cached }) => cached)),
    promptTokens: tokens,
    rankedTokens: tokens,
    rankedTexts: calls.length,
    estimated: Number(calls.some(({ entry }) => entry.estimated)),
    milliseconds: total(calls, ({ entry }) => entry.milliseconds),
    ...(ownEntries.length > 0 && {
      sent: 1,
      sentPromptTokens: total(ownEntries, (entry) => entry.tokens),
    }),
  }
}

/** Duplicate texts count as often as requested, their time once; failed ones do not count. */
export function embeddingUsage(calls: readonly EmbeddedCall[]): Partial<PhaseUsage> {
  const successes = calls.filter(({ failure }) => !failure)
  if (successes.length === 0) return {}
  const readings = successes.map(({ reading }) => reading)
  const entries = new Map(successes.map((call) => [call.entry, call]))
  const ownCalls = [...entries.values()].filter((call) => call.isOwn)
  const milliseconds = total([...entries.keys()], (entry) => entry.milliseconds)
  return {
    calls: 1,
    embeddingCalls: 1,
    cached: Number(successes.every(({ cached }) => cached)),
    embeddedTexts: readings.length,
    embeddedTokens: total(readings, ({ tokens }) => tokens),
    cutTexts: readings.filter(({ unread }) => unread > 0).length,
    unreadTokens: total(readings, ({ unread }) => unread),
    estimated: Number(readings.some(({ isEstimate }) => isEstimate)),
    milliseconds,
    embeddingMilliseconds: milliseconds,
    ...(ownCalls.length > 0 && {
      sent: 1,
      sentTexts: ownCalls.length,
      sentEmbeddedTokens: total(ownCalls, ({ reading }) => reading.tokens),
    }),
  }
}

const total = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)
