import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { gemTiny } from '../../../scripts/vectors/gem.ts'

const shared = new URL('../../../../shared/vectors/gem-tiny.json', import.meta.url)

describe.skipIf(!existsSync(shared))(
  'the GEM construction of shared/vectors/gem-tiny.json, where it stands beside',
  () => {
    test('S, every variant of the graph, its spectrum and the product without S', async () => {
      const { passed, failed } = await gemTiny(JSON.parse(readFileSync(shared, 'utf8')))
      expect(failed).toEqual([])
      expect(passed).toBeGreaterThanOrEqual(10)
    })
  },
)
