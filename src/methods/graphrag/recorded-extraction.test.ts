import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onShelf } from '../../test-support/dataset-copies/shelf-files.ts'
import { fakeModels } from '../../testing/fake-models.ts'
import { md5 } from '../../text/hash.ts'
import type { Chunk } from '../../types.ts'
import { graphrag } from './graphrag.ts'
import { recordedExtraction } from './recorded-extraction.ts'

const cacheName = 'kv_store_llm_response_cache.json'
const texts = ['Ada Vale kept the lamp.', 'Edric Sloe rang the bell.', 'Maud baked bread.']
const chunks = texts.map((text, position): Chunk => {
  return {
    id: `c${position}`,
    documentId: 'd',
    position,
    start: position * 40,
    end: position * 40 + text.length,
    text,
    tokens: 6,
  }
})

/** The path of a cache in a folder of its own, with a chunk store beside it where chunks are given. */
function cacheOf(cache: object, stored?: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'gembench-recorded-calls-'))
  const store = stored?.map((content) => [
    `chunk-${md5(content)}`,
    { content, tokens: 6, chunk_order_index: 0, full_doc_id: 'doc' },
  ])
  if (store) writeFileSync(join(folder, 'kv_store_text_chunks.json'), JSON.stringify(Object.fromEntries(store)))
  const path = join(folder, cacheName)
  writeFileSync(path, JSON.stringify(cache))
  return path
}

const lightrag = (replies: Readonly<Record<string, string>>): object =>
  Object.fromEntries(
    Object.entries(replies).map(([text, reply], at) => {
      const said = { return: reply, cache_type: 'extract', chunk_id: `chunk-${md5(text)}`, original_prompt: '…' }
      return [`default:extract:${at}`, said]
    }),
  )

const lines = (...records: readonly (readonly string[])[]): string =>
  [...records.map((fields) => fields.join('<|#|>')), '<|COMPLETE|>'].join('\n')

const ada = lines(
  ['entity', 'Ada Vale', 'person', 'She kept the lamp.'],
  ['entity', 'Lamp', 'object', 'It was kept.'],
  ['relation', 'Ada Vale', 'Lamp', 'keeping', 'Ada kept the lamp.'],
  ['relation', 'Ada Vale', 'Orrin', 'place', 'Ada lived in Orrin.'],
  ['relation', 'Ada Vale', 'Lamp', 'keeping'],
  ['a line that goes on'],
)
const edric = lines(
  ['entity', 'Edric Sloe', 'person', 'He rang the bell.'],
  ['entity', 'Edric', 'person', 'A man.', 'more'],
)
const models = () =>
  fakeModels({
    replies: {
      'extract-graph': () => ({ entities: [{ name: 'Maud', type: 'person', description: '' }], relationships: [] }),
    },
  })
const indexed = (options: object, given = models(), of = chunks) =>
  graphrag.index(of, given, graphrag.options.parse(options))

test("LightRAG's cache names its chunks: records, ends that are no entity, and what lacks fields", async () => {
  const read = await recordedExtraction(cacheOf(lightrag({ [texts[0]!]: ada, [texts[1]!]: edric })))
  expect(read).toMatchObject({ chunks: 2, malformed: 3, unplaced: 0 })
  expect(read.of(texts[2]!)).toBeUndefined()
  expect(read.of(` ${texts[0]!}\n`)).toEqual({
    entities: [
      { name: 'ADA VALE', type: 'PERSON', description: 'She kept the lamp.' },
      { name: 'LAMP', type: 'OBJECT', description: 'It was kept.' },
      { name: 'ORRIN', type: 'UNKNOWN', description: 'Ada lived in Orrin.' },
    ],
    relationships: [
      { source: 'ADA VALE', target: 'LAMP', description: 'Ada kept the lamp.', strength: 1 },
      { source: 'ADA VALE', target: 'ORRIN', description: 'Ada lived in Orrin.', strength: 1 },
    ],
  })
})

test('an index of recorded calls asks for no extraction; what they lack is refused, asked or left', async () => {
  const index = cacheOf(lightrag({ [texts[0]!]: ada, [texts[1]!]: edric, 'another chunk': edric }))
  await expect(indexed({ index })).rejects.toThrow(
    `${index}: has nothing of 1 of 3 chunks, such as "Maud baked bread."; cut the documents as it does (chunks), or set lacking: ask`,
  )
  const given = models()
  const left = await indexed({ index, lacking: 'leave' }, given)
  expect(given.calls.filter(({ task }) => task === 'extract-graph')).toEqual([])
  expect(left.warnings?.()).toMatchObject({
    'chunks of the recorded calls that are none of the run': 1,
    'chunks of the run that the recorded calls do not have': 1,
    'recorded records or lines that lack fields': 4,
  })
  expect(left.stats?.()).toMatchObject({ recordedChunks: 3, recordedUsed: 2, extractionCalls: 0, entities: 4 })
  const asked = await indexed({ index, lacking: 'ask', maxGleanings: 0 })
  expect(asked.stats?.()).toMatchObject({ extractionCalls: 1, entities: 5 })
  await expect(indexed({ index, lacking: 'ask' }, models(), [{ ...chunks[2]!, text: 'Other.' }])).rejects.toThrow(
    /nothing of 1 of 1/,
  )
})

const quoted = (...records: readonly string[]): string => `${records.join('##')}<|COMPLETE|>`
const reply = (text: string) => ({ return: text, model: 'm' })

test("nano-graphrag's replies go to the one chunk that holds most of their names; without the chunks they are refused", async () => {
  const cache = {
    a1: reply(
      quoted(
        '("entity"<|>"Ada Vale"<|>"person"<|>"She kept the lamp.")',
        '("relationship"<|>"Ada Vale"<|>"lamp"<|>"kept"<|>9)',
      ),
    ),
    b2: reply(quoted('("entity"<|>"Edric Sloe"<|>"person"<|>"He rang.")')),
    c3: reply(quoted('("entity"<|>"the"<|>"word"<|>"It stands in two chunks.")')),
    d4: reply('{"title": "A report"}'),
  }
  const read = await recordedExtraction(cacheOf(cache, texts))
  expect(read).toMatchObject({ chunks: 2, unplaced: 2 })
  expect(read.of(texts[0]!)).toEqual({
    entities: [
      { name: 'ADA VALE', type: 'PERSON', description: 'She kept the lamp.' },
      { name: 'LAMP', type: 'UNKNOWN', description: 'kept' },
    ],
    relationships: [{ source: 'ADA VALE', target: 'LAMP', description: 'kept', strength: 9 }],
  })
  const alone = cacheOf(cache)
  // known before anything is asked
  await expect(graphrag.requires?.(graphrag.options.parse({ index: alone }))).rejects.toThrow(/its keys are hashes/)
  await expect(recordedExtraction(alone)).rejects.toThrow(
    `${alone}: its keys are hashes of prompts that it does not keep, so that no reply can be told to be of a chunk; put nano-graphrag's kv_store_text_chunks.json beside it`,
  )
})

test.each([
  [{ a: 1 }, ': is no cache of LightRAG (return, chunk_id, cache_type) or nano-graphrag (return, model)'],
  [[1], ': is not an object of replies'],
])('%j is refused in one line', async (cache, said) => {
  const path = cacheOf(cache)
  await expect(recordedExtraction(path)).rejects.toThrow(`${path}${said}`)
})

test('fast, which reads no calls, refuses a file of them', () => {
  expect(graphrag.options.safeParse({ index: 'x.json', method: 'fast' }).error?.issues[0]?.message).toBe(
    'a file of recorded calls is read with method: standard alone',
  )
})

const stored = (path: string): readonly string[] =>
  Object.values(
    JSON.parse(readFileSync(path.replace(cacheName, 'kv_store_text_chunks.json'), 'utf8')) as Record<
      string,
      { content: string }
    >,
  ).map(({ content }) => content)

test.each(
  onShelf(
    [
      'recorded/sge-lightrag/output/crossmodel_gpt_5_mini_inpatient/lightrag_storage/kv_store_llm_response_cache.json',
      317,
      317,
      0,
    ],
    ['recorded/sge-lightrag/output/nanographrag_who/kv_store_llm_response_cache.json', 196, 185, 72],
  ),
)('%s of %i chunks has those of %i, and %i replies fit none', async (path, all, found, unplaced) => {
  const contents = stored(path)
  const read = await recordedExtraction(path)
  expect(contents).toHaveLength(all)
  expect(contents.filter((text) => read.of(text))).toHaveLength(found)
  expect(read.unplaced).toBe(unplaced)
})

test.each(onShelf(['recorded/nano-graphrag/tests/fixtures/mock_cache.json']))(
  '%s has no chunks beside it',
  async (path) => {
    await expect(recordedExtraction(path)).rejects.toThrow(
      /^[^\n]*mock_cache\.json: its keys are hashes of prompts[^\n]*$/,
    )
  },
)
