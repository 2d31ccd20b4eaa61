import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { writeTables } from '../library/write-tables.ts'
import { fakeServer, type FakeServer } from '../test-support/servers/server.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { run } from './run.ts'

const runTiny = async (project: string, set: readonly string[] = [], settings = {}): Promise<string> => {
  const { folder } = await run(await tinyPlan(project, set), tinySettings(project, settings))
  await writeTables(folder)
  return folder
}

const read = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8')

describe('replies that were cut off or repaired', () => {
  let server: FakeServer
  afterEach(() => server.close())

  test('have the same counts from a server and from the cache, at any concurrency', async () => {
    server = await fakeServer({
      behave: ({ path, body }) => {
        if (!path.endsWith('/chat/completions')) return undefined
        const prompt = JSON.stringify(body['messages'])
        if (prompt.includes('key entities'))
          return {
            reply: `[{"entity_name": "Orrin", "entity_description": "a place"}, 7${prompt.includes('Maud') ? '' : ', 8'}]`,
          }
        return { reply: 'Tamsin Vale', finish: prompt.includes('Who built') ? 'length' : 'stop' }
      },
    })
    const complete = { use: 'openai', model: 'm', baseUrl: server.url, apiKey: 'none' }
    const config = { models: { complete, embed: 'fake' }, methods: ['bm25', 'unweaver'] }
    const project = await tinyProject(config)
    const names = ['trials.jsonl', 'scores.jsonl', 'table.md', 'table.csv', 'table.tex']
    const bytes = (folder: string) => Promise.all(names.map((name) => read(folder, name)))
    const first = await runTiny(project, ['concurrency=1'])
    const request = server.hits.length
    const elsewhere = { results: join(project, 'again') }
    const cached = await runTiny(project, ['concurrency=16'], elsewhere)
    expect(server.hits.length).toBe(request)
    const runWithoutCache = await runTiny(await tinyProject(config), ['concurrency=16'], { cache: false })
    expect(await bytes(cached)).toEqual(await bytes(first))
    expect(await bytes(runWithoutCache)).toEqual(await bytes(first))
    const warnings = (await read(first, 'table.md'))
      .split('\n')
      .filter((line) => /^- Replies (cut off|with dropped)/.test(line))
    expect(warnings).toEqual([
      '- Replies cut off at the token limit: bm25 1 (answer 1), unweaver 1 (answer 1).',
      '- Replies with dropped malformed items: unweaver 4 (index 4).',
    ])
  })
})
