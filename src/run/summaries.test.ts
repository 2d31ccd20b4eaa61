import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readResults } from '../test-support/read-results.ts'
import { tinyPlan, tinyProject, tinySettings } from '../test-support/tiny.ts'
import { query } from './query.ts'
import { run } from './run.ts'

const message = (speaker: string, content: string) => ({ speaker, content })

const meeting = {
  topic_list: [{ topic: 'The price of the foghorn', relevant_text_span: [['1', '1']] }],
  general_query_list: [{ query: 'Summarize the whole meeting.', answer: 'A foghorn costs forty crowns.' }],
  specific_query_list: [],
  meeting_transcripts: [
    message('Keeper', 'The weather was mild and the harbour was quiet for the whole week , as everybody could see .'),
    message('Clerk', 'The foghorn has a price of forty crowns , and the board will pay for it in the spring .'),
    message('Keeper', 'There is nothing else to be told about the quay , the nets or the boats of the harbour .'),
  ],
}

/** A project that asks bm25 for the summary of a meeting, one passage of it. */
async function project(): Promise<string> {
  const folder = await tinyProject({
    dataset: { use: 'qmsum', path: 'test.jsonl' },
    chunks: { size: 20, overlap: 0 },
    budget: { passages: 1, tokens: 100 },
    methods: ['bm25', 'vector', 'full-context', 'closed-book'],
  })
  await writeFile(join(folder, 'test.jsonl'), JSON.stringify(meeting))
  return folder
}

test('topics retrieve passages but are not in the answer prompt', async () => {
  const folder = await project()
  const request = { method: 'bm25', question: 'meeting-1-general-1' }
  const { passages, prompt } = await query(await tinyPlan(folder), request, tinySettings(folder))
  expect(passages[0]?.text).toContain('foghorn')
  expect(prompt?.messages.at(-1)?.content).toBe('Summarize the whole meeting.')
})

test('a run of summaries is answered, stored and read again', async () => {
  const folder = await project()
  const { folder: results, trials } = await run(await tinyPlan(folder), tinySettings(folder))
  expect(trials).toEqual({ made: 4, kept: 0, failed: 0 })
  const { manifest, trials: lines } = await readResults(results)
  expect(Object.keys(manifest.prompts)).toEqual(['answer-summary'])
  const { text, searchText, reference } = lines[0]?.question ?? {}
  expect({ text, searchText, reference }).toEqual({
    text: 'Summarize the whole meeting.',
    searchText: 'Summarize the whole meeting.\nThe price of the foghorn',
    reference: { kind: 'summary', accepted: ['A foghorn costs forty crowns.'] },
  })
  const of = (method: string) => lines.find((line) => line.method === method)?.answer?.text
  expect(of('full-context')).toMatch(/foghorn .* harbour/s)
  expect(of('closed-book')).toBe('The answer is not known.')
  const again = await run(await tinyPlan(folder), tinySettings(folder))
  expect(again.trials).toEqual({ made: 0, kept: 4, failed: 0 })
})
