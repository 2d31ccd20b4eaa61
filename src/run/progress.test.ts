import { expect, test } from 'vitest'
import { callCounts } from './progress.ts'

test('cached calls and sent calls have separate counts', () => {
  const counts = callCounts()
  const usage = { calls: 1, promptTokens: 10, completionTokens: 2 }
  counts.onUsage('answer', { ...usage, cached: 1 })
  counts.onUsage('index', { ...usage, sent: 1, sentPromptTokens: 10, sentCompletionTokens: 2 })
  counts.onUsage('index', { ...usage, sent: 1, sentPromptTokens: 10, sentCompletionTokens: 2 })
  const sentCalls = { calls: 2, promptTokens: 20, completionTokens: 4, embeddedTokens: 0, estimated: 0 }
  expect(counts.soFar()).toEqual({ sentUsage: { index: sentCalls }, cached: 1 })
})
