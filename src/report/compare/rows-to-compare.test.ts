import { expect, test } from 'vitest'
import type { Manifest } from '../../records.ts'
import { madeRun } from '../../test-support/fake-run.ts'
import { baselineIn } from './rows-to-compare.ts'

const { manifest } = madeRun({ rows: { a: { q0: 1 }, b: { q0: 0 }, c: { q0: 0 } } })
const series = { runs: [manifest], varied: ['size'], missing: [] }

/** Three rows of these labels, each with another value of an option. */
const variedManifest = (labels: readonly string[], more: Partial<Manifest> = {}): Manifest => ({
  ...manifest,
  methods: manifest.methods.map((row, index) => ({
    ...row,
    method: labels[index] ?? '',
    variant: `size=${index}`,
    varied: [{ option: 'size', value: index, text: `${index}` }],
  })),
  ...more,
})

test('makes the first value of a varied option the baseline, unless all pairs are compared', () => {
  expect(baselineIn(variedManifest(['m', 'm', 'm']))).toMatchObject({ variant: 'size=0' })
  expect(baselineIn(variedManifest(['m', 'm', 'm'], { series }))).toMatchObject({ variant: 'size=0' })
  const compare = { allPairs: true } as const
  expect(baselineIn(variedManifest(['m', 'm', 'm'], { compare }))).toBeUndefined()
})

test('compares rows of several methods in all pairs, also over the datasets of a series', () => {
  expect(baselineIn(manifest)).toBeUndefined()
  const ofRun = { varied: [{ option: 'size', text: '0' }] }
  expect(baselineIn(variedManifest(['m', 'n', 'o'], ofRun))).toBeUndefined()
  expect(baselineIn(variedManifest(['m', 'n', 'o'], { series }))).toBeUndefined()
})
