import { expect, test } from 'vitest'
import { inReferenceData } from '../test-support/dataset-copies/reference-data.ts'
import { fileOf, jsonl } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { qmsum } from './qmsum.ts'

const meeting = (more: object = {}) => ({
  topic_list: [
    { topic: 'The lamp ', relevant_text_span: [['0', '1']] },
    { topic: 'The bell', relevant_text_span: [['2', '3']] },
  ],
  general_query_list: [
    { query: 'Summarize the whole meeting. ', answer: ' They spoke of lamp and bell.' },
    { query: 'What came of it?', answer: 'Nothing.' },
  ],
  specific_query_list: [
    {
      query: 'What of the bell?',
      answer: 'It rings.',
      relevant_text_span: [
        ['1', '2'],
        ['3', '3'],
      ],
    },
  ],
  meeting_transcripts: [
    { speaker: 'Keeper ', content: 'The {vocalsound} L_C_D_ lamp , um {disfmarker}' },
    { speaker: 'Pilot', content: '{pause}' },
    { speaker: 'Pilot', content: "Both T_V_'s and R_C_s ring ." },
    { speaker: 'Keeper', content: 'A_ file_name stays .' },
  ],
  ...more,
})

const readFrom = (file: string, options: object = {}) => gather(qmsum.corpora(file, qmsum.options.parse(options)))
const read = (values: readonly object[], options: object = {}) => readFrom(fileOf(jsonl(values)), options)

test('removes markers and joins spelled letters; drops turns without other text', async () => {
  const [corpus] = await read([meeting()])
  const text = "Keeper\nThe LCD lamp , um\n\nPilot\nBoth TV's and RCs ring .\n\nKeeper\nA file_name stays ."
  expect(corpus?.documents).toEqual([{ id: 'meeting-1', text }])
  expect(corpus?.leftOut).toEqual({ 'specific queries': 1 })
})

test('keeps everything if configured like the reference code', async () => {
  const [corpus] = await read([meeting()], { clean: 'reference' })
  expect(corpus?.documents[0]?.text).toMatch(
    /^Keeper\nThe \{vocalsound\} L_C_D_ lamp , um \{disfmarker\}\n\nPilot\n\{pause\}/,
  )
  expect(corpus?.leftOut).toEqual({ 'specific queries': 1 })
})

test('adds the topics of the meeting to the search text of a general query only', async () => {
  const [corpus] = await read([meeting()])
  expect(corpus?.questions).toEqual([
    {
      id: 'meeting-1-general-1',
      text: 'Summarize the whole meeting.',
      searchText: 'Summarize the whole meeting.\nThe lamp\nThe bell',
      reference: { kind: 'summary', accepted: ['They spoke of lamp and bell.'] },
      tags: ['general'],
      cluster: 'meeting-1',
    },
    expect.objectContaining({ id: 'meeting-1-general-2', searchText: 'What came of it?\nThe lamp\nThe bell' }),
  ])
})

test('the evidence of a specific query is the turns of its spans', async () => {
  const [corpus] = await read([meeting()], { queries: 'specific' })
  const text = corpus?.documents[0]?.text ?? ''
  expect(corpus?.questions).toHaveLength(1)
  expect(corpus?.questions[0]?.evidence?.map(({ text: quotes }) => quotes)).toEqual([
    "Pilot\nBoth TV's and RCs ring .",
    'Keeper\nA file_name stays .',
  ])
  for (const { text: quotes = '', start } of corpus?.questions[0]?.evidence ?? [])
    expect(text.slice(start, (start ?? 0) + quotes.length)).toBe(quotes)
})

test('takes meetings by number; ids do not depend on the kind of query', async () => {
  const all = await read([meeting(), meeting(), meeting()], { queries: 'all', items: 2 })
  expect(all.map(({ id }) => id)).toEqual(['meeting-1', 'meeting-2'])
  expect(all[1]?.leftOut).toMatchObject({ 'meetings beyond the number asked for': 1 })
  expect(all[1]?.questions.map(({ id }) => id)).toContain('meeting-2-specific-1')
})

test.each<[string, number]>([
  [fileOf(jsonl([meeting(), meeting()])), 2],
  ...inReferenceData(['qmsum/ALL.test.jsonl', 244]),
])('%s: has %i specific queries, all with evidence, and no markers', async (file, queries) => {
  const corpora = await readFrom(file, { queries: 'specific' })
  const request = corpora.flatMap(({ questions }) => questions)
  expect(request).toHaveLength(queries)
  expect(request.filter(({ evidence = [] }) => evidence.length === 0)).toEqual([])
  const texts = corpora.flatMap(({ documents }) => documents.map(({ text }) => text))
  expect(texts.filter((text) => /\{\s*\w+\s*\}/.test(text))).toEqual([])
})
