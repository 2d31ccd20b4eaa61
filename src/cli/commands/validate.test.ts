import { expect, test } from 'vitest'
import { tinyProject } from '../../test-support/tiny.ts'
import { gembench, type CliEnded } from '../../test-support/cli.ts'

const validate = (cwd: string, ...args: readonly string[]): Promise<CliEnded> =>
  gembench(cwd, 'validate', '-c', 'tiny.yaml', ...args)

const config = (maxTokens: number) => ({
  chunks: { by: 'none' },
  methods: ['bm25', 'vector', { use: 'vector', label: 'again' }],
  models: { complete: 'extractive', embed: { use: 'minilm', maxTokens } },
})

test('one line says how much of the chunks the embedder does not read', async () => {
  const project = await tinyProject(config(45))
  const { out, err } = await validate(project)
  expect(out).toMatch(
    /^valid: tiny-[0-9a-f]{8}: 3 methods x 3 questions = 9 trials\nsample: 2 documents, 3 questions\n$/,
  )
  expect(err).toMatch(
    /^note: all-MiniLM-L6-v2 reads 45 tokens of a text, and 1 of 2 chunks is longer: \d+\.\d % of the tokens of all chunks will not be embedded \(vector, again\); to embed everything, set "chunks" so that no chunk is longer\n$/,
  )
  const { unread } = JSON.parse((await validate(project, '--json')).out) as { unread: Record<string, number> }
  expect(unread).toMatchObject({ methods: ['vector', 'again'], readsTokens: 45, chunks: 2, cutChunks: 1 })
  expect(err).toContain(`: ${((100 * unread['unreadTokens']!) / unread['tokens']!).toFixed(1)} % of`)
})

test('nothing is said where nothing is cut, or no method embeds the chunks', async () => {
  expect((await validate(await tinyProject(config(256)))).err).toBe('')
  expect((await validate(await tinyProject({ ...config(45), methods: ['bm25'] }))).err).toBe('')
})
