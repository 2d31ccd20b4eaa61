import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fileOf, jsonl } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { wcep } from './wcep.ts'

const read = (content: string | Uint8Array, options: object = {}) =>
  gather(wcep.corpora(fileOf(content), wcep.options.parse(options)))

/** An article that makes an event long enough. */
const pad = 'w '.repeat(6001).trim()

const ten = [
  { document: ['One two three.', '', 'Four.', pad], summary: ' A bridge closes. ' },
  { document: ['Same.', 'Same.', pad], summary: 'Twice.' },
]
const original = [
  {
    id: 1000,
    date: '2017-03-01',
    summary: 'A ferry sinks.',
    collection: 'test',
    wiki_links: [],
    category: null,
    articles: [
      { title: 'Ferry', text: 'It sank.', origin: 'WCEP', state: 'successful' },
      { archive_url: 'http://a', state: 'failed', error: 'x', origin: 'WCEP' },
      { id: 'cc-1', title: '', text: 'It sank fast.', origin: 'CommonCrawl' },
      { id: 'cc-2', title: '', text: pad, origin: 'CommonCrawl' },
    ],
  },
]

test('WCEP-10: one document per article with text, equal ones included', async () => {
  const [first, second] = await read(jsonl(ten))
  expect(first).toMatchObject({
    id: 'event-1',
    documents: [
      { id: 'event-1-1', text: 'One two three.' },
      { id: 'event-1-3', text: 'Four.' },
      { id: 'event-1-4', text: pad },
    ],
    questions: [{ id: 'event-1', reference: { kind: 'summary', accepted: ['A bridge closes.'] }, cluster: 'event-1' }],
    leftOut: { 'articles without text': 1 },
  })
  expect(second?.documents.map(({ text }) => text)).toEqual(['Same.', 'Same.', pad])
})

test('the original, gzipped: title and text per article, without failed extractions', async () => {
  const [event] = await read(gzipSync(jsonl(original)))
  expect(event).toMatchObject({
    id: '1000',
    documents: [
      { id: '1000-1', text: 'Ferry\n\nIt sank.' },
      { id: '1000-3', text: 'It sank fast.' },
      { id: '1000-4', text: pad },
    ],
    leftOut: { 'articles without text': 1 },
  })
})

test('takes the first events whose articles have more than 6000 words together', async () => {
  const words = (count: number) => ({
    document: [
      'a b',
      Array(count - 2)
        .fill('c')
        .join(' '),
    ],
    summary: 's',
  })
  const content = jsonl([words(6000), words(6001), words(6002), words(6003)])
  const cachedCalls = await read(content, { items: 2 })
  expect(cachedCalls.map(({ id }) => id)).toEqual(['event-2', 'event-3'])
  expect(cachedCalls.map(({ holds }) => holds)).toEqual([
    { events: 3, 'events of more than 6000 words': 2 },
    { events: 1, 'events of more than 6000 words': 1 },
  ])
  const omissions = cachedCalls.map(({ leftOut }) => leftOut)
  expect(omissions).toEqual([{ 'events of at most 6000 words': 1 }, { 'events beyond the number asked for': 1 }])
})

test('reports the counts if no event passes', async () => {
  await expect(read(jsonl(ten.map((event) => ({ ...event, document: ['Short.'] }))))).rejects.toThrow(
    /file\.jsonl: no questions remain of events \(2\) \(left out: events of at most 6000 words \(2\)\)/,
  )
})
