import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { writeTables } from '../library/write-tables.ts'
import { readResults } from '../test-support/read-results.ts'
import { fakeServer, type FakeServer } from '../test-support/servers/server.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { run } from './run.ts'

const runTiny = async (project: string, set: readonly string[] = [], settings = {}): Promise<string> => {
  const { folder } = await run(await tinyPlan(project, set), tinySettings(project, settings))
  await writeTables(folder)
  return folder
}

const read = (folder: string, name: string): Promise<string> => readFile(join(folder, name), 'utf8')

const lossy = `import { defineMethod, z } from 'gembench'
  export const lossy = defineMethod({
    name: 'lossy', summary: 'loses things', options: z.strictObject({ quiet: z.boolean().default(false) }),
    async index(chunks, models, { quiet }) {
      return {
        async retrieve({ id }) {
          const why = id === 'oven' ? { why: { fallback: 'dense: no fact was found' } } : {}
          return chunks.map(({ id, text }, rank) => ({ text, from: [id], kind: 'chunk', score: 1 / (1 + rank), ...why }))
        },
        stats: () => ({ leaves: chunks.length }),
        warnings: () => (quiet ? { burnt: 0 } : { burnt: 0, 'pages that the mice ate': 2 }),
      }
    },
  })`

test('the line of an index, the manifest and the notes have the losses and fallbacks of an index', async () => {
  const methods = [{ use: './lossy.ts' }, { use: './lossy.ts', label: 'quiet', quiet: true }, 'random']
  const project = await tinyProject({ methods })
  await writeFile(join(project, 'lossy.ts'), lossy)
  const folder = await runTiny(project)
  const { indexes: lines } = await readResults(folder)
  expect(lines.map(({ warnings }) => warnings)).toEqual([{ 'pages that the mice ate': 2 }, undefined, undefined])
  const table = await read(folder, 'table.md')
  expect(table).toContain('- Pages that the mice ate: lossy 2.\n')
  expect(table).toContain(
    '- Trials that used a fallback: lossy 1 of 3 (dense: no fact was found), quiet 1 of 3 (dense: no fact was found).\n',
  )
})

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
