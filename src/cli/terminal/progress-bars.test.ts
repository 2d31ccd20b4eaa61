import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pace, progressBars } from './progress-bars.ts'

const said: string[] = []
beforeEach(() => {
  said.length = 0
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
})
const nothing = { since: 0, tokens: 0, money: 0 }
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('where output is no terminal, a line every 30 seconds says what is worked on, how far, how fast and how long', () => {
  const progress = progressBars()
  progress.start('ask', 120)
  progress.at?.('ask', 'index of raptor')
  vi.advanceTimersByTime(31_000)
  progress.at?.('ask', 'raptor')
  for (let asked = 0; asked < 60; asked++) progress.tick('ask', asked < 3)
  vi.advanceTimersByTime(29_000)
  progress.end('ask')
  vi.advanceTimersByTime(60_000)
  progress.close()
  expect(said).toEqual([
    'asking: 0 of 120, 0 failed; index of raptor\n',
    'asking: 60 of 120, 3 failed, 1.0 per s, about 60.0 s left; raptor\n',
  ])
})

test('a stage without work, and a closed progress, say nothing', () => {
  const progress = progressBars()
  progress.start('judge', 0)
  progress.tick('judge', false)
  progress.close()
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual([])
})

test('a slow rate is told by the minute, and the last outcome leaves no time', () => {
  expect(pace({ ...nothing, done: 2, total: 3, failed: 0 }, 60_000)).toBe('0 failed, 2.0 per min, about 30.0 s left')
  expect(pace({ ...nothing, done: 3, total: 3, failed: 1 }, 1000)).toBe('1 failed, 3.0 per s')
})

const usage = (promptTokens: number, embeddedTokens = 0) => ({
  ...{ calls: 1, promptTokens, completionTokens: 100, embeddedTokens, estimated: 0 },
})
const model = { provider: 'openai', model: 'small', parameters: {} }
const price = { prompt: 1, completion: 10, embedding: 0.5 }

test.each([
  ['with prices', { complete: { ...model, price }, embed: { ...model, price }, judge: model }, ', $0.0035'],
  ['without a price of one model', { complete: { ...model, price }, embed: model, judge: model }, ''],
])('the tokens so far are told, and the money %s', (_name, models, money) => {
  const progress = progressBars()
  progress.models?.(models)
  progress.start('ask', 10)
  progress.spent?.('ask', { index: usage(400, 1000) })
  progress.spent?.('ask', { retrieve: { ...usage(0), calls: 0, completionTokens: 0 }, answer: usage(600) })
  vi.advanceTimersByTime(30_000)
  progress.close()
  expect(said).toEqual([`asking: 0 of 10, 0 failed, 2,200 tokens${money}\n`])
})

test('a stage in which nothing can fail says nothing of failures', () => {
  const progress = progressBars()
  progress.start('train', 10)
  vi.advanceTimersByTime(30_000)
  progress.tick('train', false)
  vi.advanceTimersByTime(30_000)
  progress.close()
  expect(said).toEqual(['training: 0 of 10\n', 'training: 1 of 10, 1.0 per min, about 9.0 min left\n'])
})
