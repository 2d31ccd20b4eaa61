import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pace, progressBars } from './progress-bars.ts'

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
  expect(pace({ done: 2, total: 3, failed: 0, since: 0 }, 60_000)).toBe('0 failed, 2.0 per min, about 30.0 s left')
  expect(pace({ done: 3, total: 3, failed: 1, since: 0 }, 1000)).toBe('1 failed, 3.0 per s')
})
