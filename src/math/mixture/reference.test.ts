import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isFit, mixtureFitter } from './fit.ts'
import { chooseMixture } from './soft-clusters.ts'

interface Layout {
  readonly name: string
  readonly rows: number
  readonly columns: number
  /** What scikit-learn chooses with ten seeds. */
  readonly choices: readonly number[]
  /** Its BIC by number of components, where it does not depend on the seed. */
  readonly bics: Readonly<Record<string, number>>
  readonly data: readonly number[]
}

const file = new URL('../../test-support/layouts.json', import.meta.url)
const { layouts } = JSON.parse(readFileSync(file, 'utf8')) as { readonly layouts: readonly Layout[] }
const cases = layouts.map(({ name, data, rows, columns, ...theirs }) => ({
  name,
  theirs,
  points: { data: Float64Array.from(data), rows, columns },
}))
const options = { covariance: 'full', regularisation: 'scikit-learn' } as const

describe.each(cases)('$name', ({ points, theirs }) => {
  // the more rows, the more the start of k-means decides: of ours as of theirs
  const spread = points.rows < 50 ? 1 : 2
  test('chooses like scikit-learn, up to initialisation, for every seed', () => {
    for (const seed of [224, 0, 1]) {
      const choice = chooseMixture(points, { ...options, search: 'exhaustive', seed })
      if (!isFit(choice)) throw new Error(choice.reason)
      const { components } = choice.mixture
      expect(components).toBeGreaterThanOrEqual(Math.min(...theirs.choices) - spread)
      expect(components).toBeLessThanOrEqual(Math.max(...theirs.choices) + spread)
    }
  })

  test.each(Object.entries(theirs.bics))('the BIC of %s is that of scikit-learn', (components, bic) => {
    const mixture = mixtureFitter(points, options)(Number(components))
    if (!isFit(mixture)) throw new Error(mixture.reason)
    expect(mixture.bic).toBeCloseTo(bic, 3)
    expect(mixture.components).toBe(Number(components))
  })
})

test('keeps a component of one row', () => {
  const points = { data: Float32Array.of(0, 0.1, 0.2, 0.3, 50), rows: 5, columns: 1 }
  expect(mixtureFitter(points, options)(2)).toMatchObject({ components: 2 })
})
