import { expect, test } from 'vitest'
import type { Manifest } from '../../records.ts'
import { madeRun } from '../../test-support/fake-run.ts'
import { baselineIn } from './rows-to-compare.ts'

const { manifest } = madeRun({ rows: { a: { q0: 1 }, b: { q0: 0 }, c: { q0: 0 } } })
const series = { runs: [manifest], varied: ['size'], missing: [] }

/** Three rows of these labels, each with another value of an option. */
const varied = (labels: readonly string[], more: Partial<Manifest> = {}): Manifest => ({
  ...manifest,
  methods: manifest.methods.map((row, index) => ({
    ...row,
    method: labels[index] ?? '',
    variant: `size=${index}`,
    varied: [{ option: 'size', value: index, text: `${index}` }],
  })),
  ...more,
})

test('of an option that is varied the first value is the baseline, unless all pairs are asked for', () => {
  expect(baselineIn(varied(['m', 'm', 'm']))).toMatchObject({ variant: 'size=0' })
  expect(baselineIn(varied(['m', 'm', 'm'], { series }))).toMatchObject({ variant: 'size=0' })
  const compare = { allPairs: true } as const
  expect(baselineIn(varied(['m', 'm', 'm'], { compare }))).toBeUndefined()
})

test('other methods are compared in pairs: rows as they are, and those of a series over datasets', () => {
  expect(baselineIn(manifest)).toBeUndefined()
  const ofRun = { varied: [{ option: 'size', text: '0' }] }
  expect(baselineIn(varied(['m', 'n', 'o'], ofRun))).toBeUndefined()
  expect(baselineIn(varied(['m', 'n', 'o'], { series }))).toBeUndefined()
})
