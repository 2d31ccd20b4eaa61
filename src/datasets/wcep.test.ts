import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { gather } from '../testing/dataset.ts'
import { download } from './download/download.ts'
import { wcep } from './wcep.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-wcep-'))
const options = (given: object = {}) => wcep.options.parse(given)

const jsonl = (values: readonly object[]): string => values.map((value) => JSON.stringify(value)).join('\n')

function written(content: string | Uint8Array, as = 'file.jsonl'): string {
  const file = join(folder, as)
  writeFileSync(file, content)
  return file
}

const read = (content: string | Uint8Array, given: object = {}) =>
  gather(wcep.corpora(written(content), options(given)))

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

test('WCEP-10: a document per article; one without text is left out, equal ones both stay', async () => {
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

test('the original, gzipped: title and text; what could not be extracted is left out', async () => {
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

test('the articles of an event must have more than 6000 words, together; the first events are those that pass', async () => {
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
  const kept = await read(content, { items: 2 })
  expect(kept.map(({ id }) => id)).toEqual(['event-2', 'event-3'])
  const sum = (of: 'holds' | 'leftOut') => kept.map((corpus) => corpus[of])
  expect(sum('holds')).toEqual([
    { events: 2, 'events of more than 6000 words': 1 },
    { events: 2, 'events of more than 6000 words': 2 },
  ])
  expect(sum('leftOut')).toEqual([{ 'events of at most 6000 words': 1 }, { 'events beyond the number asked for': 1 }])
})

test('where no event passes, the counts are said', async () => {
  await expect(read(jsonl(ten.map((event) => ({ ...event, document: ['Short.'] }))))).rejects.toThrow(
    /file\.jsonl: no question is left; it holds events \(2\); left out: events of at most 6000 words \(2\)$/,
  )
})

test.each<[string, string, RegExp]>([
  [
    'no articles',
    jsonl([...ten, { summary: 'x' }]),
    /:3: lacks "document"; expected WCEP-10 \(document and summary\) or/,
  ],
  ['no summary', jsonl([{ ...original[0], summary: undefined }]), /:1: lacks "summary"/],
  ['broken JSON', `${jsonl(ten)}\n{"document": ["a" "b"]}`, /:3:19: malformed JSON at/],
])('%s: named by line', async (_, content, message) => {
  await expect(read(content)).rejects.toThrow(message)
})

test('what the archive of a split holds lies where it is looked for', async () => {
  const server = createServer((request, response) => {
    const split = basename(request.url ?? '', '.zip')
    response.end(zipSync({ [`${split}.txt`]: strToU8(jsonl(ten)), 'other.txt': strToU8('x') }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const brought = mkdtempSync(join(tmpdir(), 'gembench-wcep-get-'))
    const files = wcep.download!.files.map((file) => ({ ...file, url: `${base}/${basename(file.url)}` }))
    await download({ ...wcep, download: { files } }, brought)
    for (const split of ['train', 'val', 'test'])
      expect(await gather(wcep.corpora(brought, options({ split })))).toHaveLength(2)
  } finally {
    server.close()
  }
})
