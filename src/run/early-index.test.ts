import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../config/index.ts'
import { defineMethod } from '../define.ts'
import { tinyProject, tinySettings } from '../test-support/tiny.ts'
import { registries } from './plug-ins/registries.ts'
import { extractObjects } from './plug-ins/extract-objects.ts'
import { createProfile, type Profile } from './progress.ts'
import { files } from './results/journal.ts'
import { run } from './run.ts'

/** A method that notes in `log` when it builds and is asked; where `waits`, "a" answers once "b" is built. */
const notingInto = (log: string[], waits: () => boolean) =>
  defineMethod({
    name: 'noting',
    version: 1,
    summary: 'Notes what it does.',
    options: z.strictObject({ as: z.string() }),
    async index(chunks, _models, { as }) {
      log.push(`index ${as}`)
      return {
        async retrieve() {
          log.push(`ask ${as}`)
          while (waits() && !log.includes('index b')) await sleep(1)
          return chunks.slice(0, 1).map(({ id, text }) => ({ text, from: [id], kind: 'chunk', score: 1 }))
        },
      }
    },
  })

test('a run builds the next index early; with --profile it does one thing at a time and gives the same lines', async () => {
  const project = await tinyProject()
  const log: string[] = []
  let isUsual = true
  const use = notingInto(log, () => isUsual)
  const tiny = JSON.parse(await readFile(join(project, 'tiny.yaml'), 'utf8')) as object
  const { config, objects } = extractObjects({ ...tiny, methods: ['a', 'b'].map((as) => ({ use, label: as, as })) })
  const plan = await readConfig(
    { value: config, name: 'config' },
    { cwd: project, environment: {} },
    { ...registries, objects },
  )
  const ran = async (results: string, profile?: Profile) => {
    log.length = 0
    const settings = { ...tinySettings(project), objects, results: join(project, results), ...(profile && { profile }) }
    const { folder } = await run(plan, settings)
    return { order: [...log], lines: await readFile(files(folder).trials, 'utf8') }
  }
  const usual = await ran('usual')
  isUsual = false
  const profile = createProfile()
  const profileRun = await ran('profiled', profile)
  // no question of "a" had ended when "b" was built
  expect(usual.order).toContain('index b')
  expect(profileRun.order).toEqual(['index a', ...threeTimes('ask a'), 'index b', ...threeTimes('ask b')])
  expect(profileRun.lines).toBe(usual.lines)
  for (const phase of ['index', 'retrieve', 'answer', 'score'] as const)
    for (const row of ['a', 'b']) expect(profile.timeOf(phase, row).wall).toBeGreaterThan(0)
  expect(profile.timeOf('prepare', '').wall).toBeGreaterThan(0)
})

const threeTimes = (line: string): readonly string[] => Array.from({ length: 3 }, () => line)
