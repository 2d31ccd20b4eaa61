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
import { run } from './run.ts'

/** A method that notes in `log` when it builds and is asked; "a" answers once "b" is built. */
const notingInto = (log: string[]) =>
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
          while (!log.includes('index b')) await sleep(1)
          return chunks.slice(0, 1).map(({ id, text }) => ({ text, from: [id], kind: 'chunk', score: 1 }))
        },
      }
    },
  })

test('a run builds the next index early', async () => {
  const project = await tinyProject()
  const log: string[] = []
  const use = notingInto(log)
  const tiny = JSON.parse(await readFile(join(project, 'tiny.yaml'), 'utf8')) as object
  const { config, objects } = extractObjects({ ...tiny, methods: ['a', 'b'].map((as) => ({ use, label: as, as })) })
  const plan = await readConfig(
    { value: config, name: 'config' },
    { cwd: project, environment: {} },
    { ...registries, objects },
  )
  const settings = { ...tinySettings(project), objects, results: join(project, 'results') }
  expect((await run(plan, settings)).trials.failed).toBe(0)
  expect(log.toSorted()).toEqual([...threeTimes('ask a'), ...threeTimes('ask b'), 'index a', 'index b'])
})

const threeTimes = (line: string): readonly string[] => Array.from({ length: 3 }, () => line)
