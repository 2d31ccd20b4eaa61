import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { printNotice } from './print.ts'
import { progressBars } from './progress-bars.ts'

const said: string[] = []
beforeEach(() => {
  said.length = 0
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('prints a progress line every 30 seconds without a terminal', () => {
  const progress = progressBars()
  progress.start('train', 120)
  progress.at?.('train', 'loss 0.5')
  vi.advanceTimersByTime(31_000)
  for (let step = 0; step < 60; step++) progress.tick('train', false)
  vi.advanceTimersByTime(29_000)
  progress.end('train')
  vi.advanceTimersByTime(60_000)
  progress.close()
  expect(said).toEqual(['training: 0 of 120; loss 0.5\n', 'training: 60 of 120, about 60.0 s left; loss 0.5\n'])
})

test('prints nothing for a stage without work or after close', () => {
  const progress = progressBars()
  progress.start('judge', 0)
  progress.tick('judge', false)
  progress.close()
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual([])
})

test('shows sent calls, tokens, what is worked on and the remaining time', () => {
  const progress = progressBars()
  progress.models?.({ complete: { ...model, price }, embed: { ...model, price }, judge: model })
  const sent = { index: usage(40, 400_000, 1000), answer: usage(1, 600) }
  progress.start('ask', 36, () => ({ sentUsage: sent, cached: 1200 }))
  progress.tick('ask', true)
  progress.at?.('ask', 'vector')
  vi.advanceTimersByTime(30_000)
  progress.close()
  expect(said).toEqual([
    'asking: 1 of 36, 1 failed, about 17.5 min left, 41 calls sent, 1,200 from the cache, 401.8K tokens, $0.4031; vector\n',
  ])
})

const usage = (calls: number, promptTokens: number, embeddedTokens = 0) => ({
  calls,
  promptTokens,
  completionTokens: 100,
  embeddedTokens,
  estimated: 0,
})
const model = { provider: 'openai', model: 'small', parameters: {} }
const price = { prompt: 1, completion: 10, embedding: 0.5 }
test('shows no money without prices, and no remaining time before the first outcome', () => {
  const progress = progressBars()
  progress.models?.({ complete: model, embed: model, judge: model })
  progress.start('ask', 2, () => ({ sentUsage: { answer: usage(1, 600, 5) }, cached: 0 }))
  vi.advanceTimersByTime(30_000)
  progress.close()
  expect(said).toEqual(['asking: 0 of 2, 1 call sent, 705 tokens\n'])
})

test('on a terminal, bars are redrawn below the notices, and the last line of a stage stays', () => {
  vi.useRealTimers()
  const { isTTY } = process.stderr
  Object.assign(process.stderr, { isTTY: true })
  try {
    const progress = progressBars()
    progress.start('ask', 2)
    printNotice('a notice')
    progress.tick('ask', true)
    progress.tick('ask', false)
    progress.end('ask')
    progress.close()
  } finally {
    Object.assign(process.stderr, { isTTY })
  }
  printNotice('afterwards')
  const lines = stripVTControlCharacters(said.join('')).split('\n')
  expect(lines).toEqual(expect.arrayContaining(['a notice', 'asking: 2 of 2, 1 failed', 'afterwards']))
})
