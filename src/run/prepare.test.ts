import { afterAll, beforeAll, expect, test } from 'vitest'
import { rm } from 'node:fs/promises'
import { scorers } from '../scorers/index.ts'
import { tinyPlan, tinyProject, tinySettings } from '../testing/tiny.ts'
import { prepare } from './prepare.ts'

let folder: string
beforeAll(async () => {
  folder = await tinyProject()
})
afterAll(() => rm(folder, { recursive: true }))

/** The scorers that a config gets; `scorers` as it would name them. */
async function judges(named?: readonly string[]): Promise<readonly string[]> {
  const set = named ? [`scorers=${JSON.stringify(named)}`] : []
  const prepared = await prepare(await tinyPlan(folder, set), tinySettings(folder, { cache: false }))
  await prepared.close()
  return prepared.judges.map(({ label }) => label)
}

test('a config that names no scorers gets those that ask no model and wait for no one to name them', async () => {
  const waiting = scorers.filter(({ judge, onRequest }) => judge || onRequest).map(({ name }) => name)
  expect(waiting).toContain('summary-share')
  expect(waiting).toContain('factual-correctness')
  const chosen = await judges()
  expect(chosen).toContain('squad')
  expect(chosen.filter((name) => waiting.includes(name))).toEqual([])
})

test('a scorer that waits for it is there when it is named', async () => {
  expect(await judges(['summary-share', 'musique'])).toEqual(['summary-share', 'musique'])
})
