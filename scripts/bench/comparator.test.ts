import { mkdtempSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openComparator, inPairs, isMissing, median } from './pairs.ts'

/** An interpreter that runs this JavaScript, whatever script it is given. */
function interpreter(code: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'gembench-bench-')), 'python.cjs')
  writeFileSync(file, `#!${process.execPath}\n${code}`)
  chmodSync(file, 0o755)
  return file
}

const open = (python: string) => openComparator({ script: 'x.py', task: 't', result: z.number(), python })

test('every line asks for one repetition, with what is given', async () => {
  const comparator = await open(
    interpreter(`
console.log('{"about": "a 1.0, float32, 1 thread"}')
require('readline').createInterface(process.stdin).on('line', (line) =>
  console.log(JSON.stringify({ seconds: 0.5, result: JSON.parse(line).seed })))`),
  )
  if (isMissing(comparator)) throw new Error(comparator.missing)
  expect(comparator.about).toBe('a 1.0, float32, 1 thread')
  expect(await comparator.time({ seed: 3 })).toEqual({ seconds: 0.5, result: 3 })
  expect(await comparator.time({ seed: 4 })).toEqual({ seconds: 0.5, result: 4 })
  await comparator.close()
})

test('a missing interpreter and a missing package are no figures; any other failure is an error with its words', async () => {
  expect(await open('/no/such/python')).toEqual({
    missing: 'there is no /no/such/python (GEMBENCH_PYTHON names another)',
  })
  const lacks = await open(interpreter(`console.log('{"missing": "No module named faiss"}')`))
  expect(isMissing(lacks) && lacks.missing).toContain('No module named faiss')
  await expect(open(interpreter('console.error("ValueError: x"); process.exit(1)'))).rejects.toThrow(
    'has ended\nValueError: x',
  )
})

test('two works take turns after a warm-up that does not count; the ratio is the median of the pairs', async () => {
  const order: string[] = []
  const timed = (name: string, seconds: readonly number[]) => (pair: number) => {
    order.push(`${name}${pair}`)
    return Promise.resolve(seconds[pair] ?? NaN)
  }
  const found = await inPairs(timed('a', [9, 1, 2, 6]), timed('b', [1, 2, 2, 3]), 3)
  expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  expect(found).toEqual({ count: 3, ours: 2, theirs: 2, ratio: 1, low: 0.5, high: 2, difference: 0 })
  expect(median([4, 1, 3, 2])).toBe(2.5)
})
