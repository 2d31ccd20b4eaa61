import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { fakeServer, type FakeServer } from '../test-support/servers/server.ts'
import { run } from './run.ts'

/** Questions with a short reference, and the sentence in which the server gives each answer. */
const asked: readonly (readonly [question: string, reference: string, sentence: string])[] = [
  ['How much vacation is there?', '27 days', 'Every employee gets 27 days of paid vacation a year.'],
  ['Who approves travel?', 'the team lead', 'Travel has to be approved by the team lead.'],
  ['When does the office open?', '7 am', 'The doors are open from 7 am on.'],
  ['What does lunch cost?', '5 euros', 'Lunch costs 5 euros in the canteen.'],
  ['When was the firm founded?', '3 July 1998', 'It was founded on July 3rd, 1998, in Leith.'],
  ['How many people work there?', '1,250', 'About 1250 people work there.'],
  ['Where is the archive?', 'in the cellar', 'The archive is in the cellar of building B.'],
  ['Who keeps the keys?', 'Edric Sloe', 'The keys are kept by Edric Sloe.'],
  ['May dogs come in?', 'Yes', 'Yes, dogs may come in on Fridays.'],
  ['How long is the notice?', 'three months', 'The period of notice is 3 months.'],
  ['Which form is for sick leave?', 'form S-12', 'Use form S-12 for sick leave.'],
  ['What share is paid?', '80 %', 'The insurance pays 80 percent of it.'],
]
const data = {
  documents: asked.map(([question, , sentence], i) => ({ id: `note-${i}`, text: `${question} ${sentence}` })),
  questions: asked.map(([question, answer]) => ({ question, answer })),
}

let server: FakeServer
beforeAll(async () => {
  server = await fakeServer({
    behave({ path, body }) {
      if (!path.endsWith('/chat/completions')) return undefined
      const text = (body['messages'] as { content: string }[]).at(-1)?.content ?? ''
      const judged = /^Question: (.*)\nReference answer: (.*)\nAnswer to judge: (.*)$/.exec(text)
      if (!judged) return { reply: asked.find(([question]) => question === text)?.[2] ?? 'I do not know.' }
      const [, question, , answer] = judged
      const [, reference, sentence] = asked.find(([one]) => one === question) ?? []
      return { reply: JSON.stringify({ reason: 'r', verdict: Number(answer === sentence || answer === reference) }) }
    },
  })
})
afterAll(() => server.close())

async function scored(scorers?: readonly ['contains']) {
  const cwd = folderOf({})
  const complete = { use: 'openai' as const, baseUrl: server.url, model: 'm' }
  const given = await run(
    {
      dataset: data,
      methods: ['bm25'],
      models: { complete, embed: 'fake' },
      ...(scorers && { scorers: [...scorers] }),
    },
    { cwd, cache: false },
  )
  return { ...given, table: await readFile(join(given.folder, 'table.md'), 'utf8') }
}

test('12 correct answers in full sentences score 12 of 12, with a judge and by text matching', async () => {
  const judged = await scored()
  expect(judged.rows[0]?.scores).toMatchObject({ correct: { mean: 1, n: 12 } })
  expect(judged.table).not.toContain('F1')
  expect(judged.table).toContain('right: the judge says that the answer says what an accepted answer says')
  const byWords = await scored(['contains'])
  expect(byWords.rows[0]?.scores).toMatchObject({ contains: { mean: 1, n: 12 } })
  expect(byWords.table).toContain('right: the answer contains an accepted answer')
})

test('the prompt asks for a short answer where the reference is short, else for a sentence', async () => {
  const prompts = () => server.hits.map(({ body }) => JSON.stringify(body['messages']))
  await scored(['contains'])
  expect(prompts().filter((prompt) => prompt.includes('shortest exact words')).length).toBeGreaterThan(0)
  expect(prompts().filter((prompt) => prompt.includes('complete sentence'))).toEqual([])
})
