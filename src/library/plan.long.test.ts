import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tinyProject } from '../test-support/tiny.ts'
import { plan } from './plan.ts'
import { run } from './run.ts'

const configs = join(import.meta.dirname, '../../configs')

/** The largest share of the real usage by which a plan may differ, by phase. */
const tolerance = { index: 0.25, retrieve: 0.1, answer: 0.1, judge: 0.1 } as const

test.each(['quickstart', 'practice'])(
  'the plan of %s has the calls and prompt tokens of every row of its run',
  async (name) => {
    const cwd = await tinyProject()
    const config = join(configs, `${name}.yaml`)
    const { costs } = await run(config, { cwd, cache: false })
    const { runs } = await plan(config, { cwd })
    const differing = costs.flatMap(({ method, variant, phase, ...real }) => {
      const planned = runs[0]?.rows.find(
        (one) => one.method === method && one.variant === variant && one.phase === phase,
      )
      return (['calls', 'promptTokens'] as const).flatMap((kind) => {
        const difference = Math.abs((planned?.[kind] ?? NaN) - real[kind])
        return difference <= tolerance[phase] * real[kind] ? [] : [{ method, phase, kind, planned, real }]
      })
    })
    expect(costs.length).toBeGreaterThan(20)
    expect(differing).toEqual([])
  },
  900_000,
)

test('the plan of a large corpus samples it and scales index and full-context calls by its chunks', async () => {
  const documents = Array.from({ length: 400 }, (_, n) => ({
    id: `d${n}`,
    text: `Mill ${n} stands at Orrin. Tamsin Vale built it in ${1500 + n}, and Edric Sloe sold it to the baker of Lisk.`,
  }))
  const questions = Array.from({ length: 60 }, (_, n) => ({
    question: `Who built mill ${n} at Orrin?`,
    answer: 'Tamsin Vale',
  }))
  const config = {
    name: 'many',
    dataset: { documents, questions },
    methods: ['bm25', 'vector', 'hipporag', 'full-context'],
    models: { complete: 'extractive', embed: 'fake' },
  } as const
  const cwd = await tinyProject()
  const { costs } = await run(config, { cwd, cache: false })
  const { runs } = await plan(config, { cwd })
  for (const { method, phase, calls, promptTokens } of costs) {
    const planned = runs[0]?.rows.find((one) => one.method === method && one.phase === phase)
    expect([method, phase, (planned?.calls ?? NaN) / Math.max(1, calls)]).toEqual([
      method,
      phase,
      expect.closeTo(calls && 1, 1),
    ])
    const share = (planned?.promptTokens ?? NaN) / Math.max(1, promptTokens)
    expect([method, phase, share]).toEqual([method, phase, expect.closeTo(promptTokens && 1, 1)])
  }
}, 120_000)
