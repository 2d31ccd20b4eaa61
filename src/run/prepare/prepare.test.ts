import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig, type Plan } from '../../config/index.ts'
import { scorers } from '../../scorers/index.ts'
import { tinyPlan, tinyProject, tinySettings } from '../../test-support/tiny.ts'
import { registries } from '../plug-ins/registries.ts'
import { prepare } from './prepare.ts'
import { plannedScorers } from './scorer-entries.ts'
import type { Kind } from '../../types.ts'

let folder: string
beforeAll(async () => {
  folder = await tinyProject()
})
afterAll(() => rm(folder, { recursive: true }))

async function prepareClosed(...set: readonly string[]): ReturnType<typeof prepare> {
  const setup = await prepare(await tinyPlan(folder, set), tinySettings(folder, { cache: false }))
  await setup.close()
  return setup
}

const idOf = async (method: object): Promise<string | undefined> =>
  (await prepareClosed(`methods=${JSON.stringify([method])}`)).methods[0]?.id

test('a config without scorers gets the default ones, which call no model', async () => {
  const waiting = (await scorers.all())
    .filter(({ judge, onRequest }) => judge || onRequest === true)
    .map(({ name }) => name)
  expect(waiting).toContain('summary-share')
  expect(waiting).toContain('factual-correctness')
  const selection = (await prepareClosed()).scorers.map(({ label }) => label)
  expect(selection).toContain('squad')
  expect(selection.filter((name) => waiting.includes(name))).toEqual([])
})

/** The default scorers for questions of these kinds. */
async function defaultScorers(kinds: readonly Kind[], counts: object = {}, plan: Pick<Plan, 'answers'> = {}) {
  const statistics = { questions: 1, withoutReference: 0, withoutEvidence: 1, withAssertions: 0, ...counts }
  const scorerPlans = await plannedScorers(plan, {}, { kinds: new Map(kinds.map((kind) => [kind, 1])), ...statistics })
  return scorerPlans.map(({ use }) => use)
}

test('a scorer may be a default for some kinds of questions only', async () => {
  expect(await defaultScorers(['answer'])).not.toContain('rouge')
  expect(await defaultScorers(['summary'])).toContain('rouge')
  expect(await defaultScorers(['summary', 'answer'])).toContain('rouge')
})

describe('an option that is a file', () => {
  const id = (openie: string) => idOf({ use: 'hipporag2', openie })

  test('counts by its content, not by its path', async () => {
    await writeFile(join(folder, 'openie.json'), '{"docs": []}')
    const first = await id('openie.json')
    await mkdir(join(folder, 'moved'))
    await rename(join(folder, 'openie.json'), join(folder, 'moved', 'openie.json'))
    expect(await id('moved/openie.json')).toBe(first)
    await writeFile(join(folder, 'moved', 'openie.json'), '{"docs": [] }')
    expect(await id('moved/openie.json')).not.toBe(first)
  })

  test('is reported as missing before any call', async () => {
    await expect(id('none.json')).rejects.toThrow(
      `option "openie" of hipporag2: cannot read ${join(folder, 'none.json')}: ENOENT`,
    )
  })

  test('has a path relative to the config that names it', async () => {
    await mkdir(join(folder, 'below'))
    await writeFile(join(folder, 'below', 'methods.yaml'), 'methods: [{ use: hipporag2, openie: ../openie.json }]')
    const plan = await readConfig(
      ['tiny.yaml', 'below/methods.yaml'],
      { cwd: folder, set: [], environment: {} },
      registries,
    )
    expect(plan.methods[0]?.options).toMatchObject({ openie: join(folder, 'openie.json') })
  })
})

test('results depend on how a store is searched, not on its address', async () => {
  const id = (store: object | string) => idOf({ use: 'vector', store })
  const at = (host: string, more: object = {}) =>
    id({ use: 'pgvector', url: `postgresql://ann:hush@${host}/db`, ...more })
  const item = await at('one')
  expect(await at('two')).toBe(item)
  expect(await at('one', { ef: 10 })).not.toBe(item)
  expect(await id('memory')).not.toBe(item)
})

test('questions with assertions are scored by must-contain, unless no answer is generated', async () => {
  const names = (withAssertions: number, plan: Pick<Plan, 'answers'> = {}) =>
    defaultScorers(['answer'], { withoutReference: 1, withoutEvidence: 0, withAssertions }, plan)
  expect(await names(1)).toEqual(['must-contain', 'retrieval'])
  expect(await names(0)).toEqual(['retrieval'])
  expect(await names(1, { answers: 'none' })).toEqual(['retrieval'])
})
