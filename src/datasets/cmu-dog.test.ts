import { describe, expect, test } from 'vitest'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import type { Question } from '../types.ts'
import { cmuDog } from './cmu-dog.ts'
import { checkDataset } from './shared/check.ts'

const options = (overrides: object = {}) => cmuDog.options.parse(overrides)

const film = (number: number, more: object = {}) => ({
  '0': { movieName: `Film ${number}`, introduction: 'It begins.', cast: ['Ann', 'Bob'], year: '1974', ...more },
  '1': 'First.',
  '2': '',
  '3': ' Third. ',
  wikiDocumentIdx: number,
})

const conversation = (message: readonly string[], more: object = {}) => ({
  wikiDocumentIdx: 0,
  whoSawDoc: ['user1'],
  history: message.map((item) => {
    const [, uid, docIdx, text] = /^(\w+) (\d): (.*)$/.exec(item) ?? []
    return { uid, docIdx: Number(docIdx), text }
  }),
  ...more,
})

const talk = ['user2 0: Hi', 'user1 0: Hello', 'user1 1: you', 'user2 1: So?', 'user2 2:  ', 'user1 3: It ends.']

/** A copy with these conversation files, by `split/name`. */
function copy(
  conversations: Readonly<Record<string, unknown>>,
  wiki: Readonly<Record<string, unknown>> = { a: film(0) },
) {
  const files = {
    ...Object.fromEntries(Object.entries(wiki).map(([name, value]) => [`WikiData/${name}`, value])),
    'Conversations/valid/v': conversation(talk),
    'Conversations/test/t': conversation(talk),
    ...Object.fromEntries(Object.entries(conversations).map(([name, value]) => [`Conversations/${name}`, value])),
  }
  return folderOf(Object.fromEntries(Object.entries(files).map(([name, value]) => [`${name}.json`, value as object])))
}

async function questions(message: unknown, overrides: object = {}): Promise<readonly Question[]> {
  const path = copy({ 'train/x': message })
  const result = await gather(cmuDog.corpora(path, options({ unit: 'turn', ...overrides })))
  return result.flatMap(({ questions }) => questions.filter(({ id }) => id.startsWith('x:')))
}

test('a film is one document: one line per field of its first section, then the other sections with text', async () => {
  const [corpus] = await gather(cmuDog.corpora(copy({ 'train/x': conversation(talk) }), options()))
  const text = 'Film: Film 0\nYear: 1974\nCast: Ann; Bob\nIntroduction: It begins.\n\nFirst.\n\nThird.'
  expect(corpus?.documents).toEqual([{ id: 'a', text, title: 'Film 0' }])
})

describe('turns', () => {
  test('joins consecutive messages; the question is the last one, the history the ones before', async () => {
    const [first, second, ...rest] = await questions(conversation(talk))
    expect(rest).toEqual([])
    expect(first).toMatchObject({
      id: 'x:2',
      text: 'Hi',
      history: [],
      reference: { kind: 'turn', accepted: 'Hello you' },
    })
    expect(second).toMatchObject({
      id: 'x:4',
      text: 'So?',
      reference: { accepted: 'It ends.' },
      cluster: 'a',
      roles: { asks: 'user2', replies: 'user1' },
      history: [
        { speaker: 'user2', text: 'Hi' },
        { speaker: 'user1', text: 'Hello you' },
      ],
    })
  })

  test('evidence is the section that the writer of the reply saw', async () => {
    const [first, second] = await questions(conversation(talk))
    expect(first?.evidence?.map(({ text }) => text?.split('\n')[0])).toEqual(['Film: Film 0', 'First.'])
    const text = 'Film: Film 0\nYear: 1974\nCast: Ann; Bob\nIntroduction: It begins.\n\nFirst.\n\nThird.'
    expect(second?.evidence).toEqual([{ documentId: 'a', text: 'Third.', start: text.indexOf('Third.') }])
  })

  test('evidence is the whole document if the option says so', async () => {
    const request = await questions(conversation(talk), { evidence: 'document' })
    expect(request.length).toBeGreaterThan(1)
    for (const { evidence } of request)
      expect(evidence?.map(({ text }) => text?.split('\n')[0])).toEqual(['Film: Film 0', 'First.', 'Third.'])
  })

  test('user2 replies if both saw the document; the first reply answers an opening', async () => {
    const message = conversation(['user2 0: Hi', 'user1 0: Hello', 'user2 1: So?'], { whoSawDoc: ['user1', 'user2'] })
    expect((await questions(message)).map(({ id, text, roles }) => [id, text, roles?.asks])).toEqual([
      ['x:1', 'Let us talk about the film Film 0.', 'user1'],
      ['x:3', 'Hello', 'user1'],
    ])
  })

  test('draws one reply per file, seeded by the file name', async () => {
    const long = conversation(Array.from({ length: 40 }, (_, i) => `user${(i % 2) + 1} 0: ${i}`))
    // pinned: it must not differ between machines
    expect((await questions(long, { unit: 'conversation' })).map(({ id }) => id)).toEqual(['x:37'])
  })
})

describe('the selection of conversations', () => {
  test('reads each name once in byte order and counts skipped files', async () => {
    const path = copy(
      Object.fromEntries(
        ['train/b', 'train/B', 'train/é', 'test/b', 'valid/a'].map((name) => [name, conversation(talk)]),
      ),
    )
    const files = await cmuDog.files(path, options())
    expect(files.map((file) => file.slice(path.length + 1).normalize())).toEqual([
      ...['WikiData/a.json', 'Conversations/train/B.json', 'Conversations/valid/a.json'],
      ...['Conversations/train/b.json', 'Conversations/test/t.json', 'Conversations/valid/v.json'],
      'Conversations/train/é.json',
    ])
    expect(await checkDataset(cmuDog, path, options())).toMatchObject({
      corpora: 1,
      questions: 6,
      holds: { 'conversation files': 7, 'distinct names': 6 },
    })
  })

  test('counts films without a conversation and conversations without a reply', async () => {
    const silent = { 'train/s': conversation(talk, { whoSawDoc: [] }), 'train/u': conversation(['user2 0: Hi']) }
    const path = copy(silent, { a: film(0), b: film(1) })
    expect(await checkDataset(cmuDog, path, options())).toMatchObject({
      corpora: 1,
      documents: 1,
      questions: 2,
      leftOut: {
        'conversations without a reply of a participant who saw the document': 2,
        'films without a conversation': 1,
      },
    })
  })
})

describe('names the place of malformed input', () => {
  test.each<[string, Parameters<typeof copy>, string]>([
    [
      'an unknown film',
      [{ 'train/x': conversation(talk, { wikiDocumentIdx: 9 }) }],
      'no file in WikiData has wikiDocumentIdx 9',
    ],
    [
      'two films of one number',
      [{ 'train/x': conversation(talk) }, { a: film(0), b: film(0) }],
      'the id "0" is used by',
    ],
  ])('%s', async (_name, overrides, message) => {
    await expect(gather(cmuDog.corpora(copy(...overrides), options()))).rejects.toThrow(message)
  })

  test('skips and counts a malformed conversation if configured', async () => {
    const path = copy({ 'train/x': {}, 'train/y': 'no JSON' })
    expect(await checkDataset(cmuDog, path, options(), 'skip')).toMatchObject({
      questions: 2,
      leftOut: { 'records that could not be read': 2 },
      firstBadRecord: expect.stringContaining('x.json:1') as string,
    })
  })
})
