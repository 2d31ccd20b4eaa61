import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { formOf, readReply } from '../models/calls/task-call.ts'
import { answerQuestion } from './answers.ts'
import { answerAndAsk, rateReport } from './graphrag-search.ts'
import { askForMore, extractGraph, writeReport } from './graphrag-index.ts'
import { attributeSentences, verifyClaims } from './claims.ts'
import { extractEntities, extractTriples, nameEntities, filterFacts } from './entities.ts'
import { tasks } from './index.ts'
import { relateEvents, relateSubjects, relateSubjectsBothWays } from './hlgraphrag.ts'
import { utilityQuestions } from './pieces.ts'
import { halvesOfText, promptHash, type SampledTask } from './task.ts'
import { answerStyles } from '../types.ts'
import { hashOf } from '../text/hash.ts'
import { inputWith } from '../test-support/task-inputs.ts'
const text = (prompt: { messages: readonly { content: string }[] }) =>
  prompt.messages.map(({ content }) => content).join('\n----\n')

test('lists every task once', () => {
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length)
})

describe.each(tasks)('$name', (task) => {
  const { messages } = task.prompt(task.sample)

  test('goes from system to user, with a worked pair between or none', () => {
    expect([
      ['system', 'user'],
      ['system', 'user', 'assistant', 'user'],
    ]).toContainEqual(messages.map(({ role }) => role))
  })

  test('fills every placeholder', () => {
    for (const { content } of messages) {
      expect(content).toBe(content.trim())
      expect(content).not.toMatch(/undefined|\[object|NaN|\n{3}/)
    }
  })
})

test.each(tasks.filter(({ reply }) => reply === 'json'))('$name shows a JSON reply that its schema takes', (task) => {
  const { messages } = task.prompt(task.sample)
  const shown = [...text({ messages }).matchAll(/^.*?([[{].*[\]}])$/gm)].map(([, json = '']) => json)
  expect(shown.some((json) => parses(json) && task.output.safeParse(JSON.parse(json)).success)).toBe(true)
})

// a program's own messages are as it wrote them
test.each(tasks.filter(({ name }) => name !== 'chat'))(
  '$name begins with its instructions, so that its prompts share a cacheable prefix',
  (task) => {
    const [one, other] = [task.sample, inputWith(task.sample, 'other')].map((input) => task.prompt(input).messages)
    const [instructions] = one![0]!.content.split('\n\n')
    expect(instructions!.length).toBeGreaterThan(100)
    expect(other![0]!.content.startsWith(instructions!)).toBe(true)
    expect(text({ messages: other! })).not.toBe(text({ messages: one! }))
  },
)

const parses = (json: string) => {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

/** Of the sample, and of inputs without and with text: what a context or a list that is empty changes counts, too. */
const promptsOf = (task: SampledTask): readonly unknown[] =>
  ['', ' A text.\nIt is "so". ']
    .map((text): unknown => inputWith(task.sample, text))
    .concat(task.sample)
    .map((input) => task.prompt(input))

test('keeps every prompt byte-equal, because caches and published results depend on it', () => {
  const hashes = Object.fromEntries(tasks.map((task) => [task.name, hashOf(promptsOf(task)).slice(0, 16)]))
  const styles = answerStyles.map((style) => [style, promptHash(answerQuestion, undefined, style).slice(0, 16)])
  const recorded: unknown = JSON.parse(readFileSync(new URL('./prompts.golden.json', import.meta.url), 'utf8'))
  expect({ ...hashes, styles: Object.fromEntries(styles) as unknown }).toEqual(recorded)
})

describe('schemas', () => {
  test('drop surplus fields and reject missing ones', () => {
    const full = { entity_name: 'Ann', entity_description: 'A keeper.' }
    expect(extractEntities.output.parse([{ ...full, type: 'PERSON' }])).toEqual([full])
    expect(extractEntities.output.safeParse([{ entity_name: 'Ann' }]).success).toBe(false)
  })

  test('count malformed triples, and reject replies without a valid one', () => {
    const triples = [['a', 'b', 1790], ['a', 'b'], ['a', 'b', 'c', 'd'], ['a', null, 'c'], 'a b c', ['a', true, 'c']]
    expect(extractTriples.output.parse({ triples })).toEqual({
      triples: [
        ['a', 'b', '1790'],
        ['a', 'true', 'c'],
      ],
      malformed: 4,
    })
    expect(extractTriples.output.parse({ triples: [] })).toEqual({ triples: [], malformed: 0 })
    expect(extractTriples.output.safeParse({ triples: [['a', 'b']] }).success).toBe(false)
    expect(filterFacts.output.parse({ fact: [['a', 'b', 3]] })).toEqual({ fact: [['a', 'b', '3']] })
    expect(nameEntities.output.parse({ named_entities: ['a', 1790] })).toEqual({ named_entities: ['a', '1790'] })
  })

  test('stay narrow: lenient reading does not change cached calls', () => {
    const triple = { type: 'array', items: { type: 'string' }, minItems: 3, maxItems: 3 }
    expect(formOf(extractTriples.output).schema).toMatchObject({ properties: { triples: { items: triple } } })
    expect(formOf(filterFacts.output).schema).toMatchObject({ properties: { fact: { items: triple } } })
    const [word, verdict] = [{ type: 'string' }, { type: 'number' }]
    const relation = { properties: { object1: word, object2: word }, required: ['meaning', 'object1', 'object2'] }
    expect(formOf(relateSubjects.output).schema).toMatchObject({ properties: { relations: { items: relation } } })
    const statement = { properties: { verdict }, required: ['statement', 'reason', 'verdict'] }
    expect(formOf(verifyClaims.output).schema).toMatchObject({ properties: { statements: { items: statement } } })
  })

  test.each(tasks)('of $name contain no tuple, which servers reject', ({ output }) => {
    expect(JSON.stringify(formOf(output).schema)).not.toMatch(/"prefixItems"|"items":false/)
  })

  test.each([relateSubjects, relateSubjectsBothWays])('$name reads replies with and without steps', (task) => {
    const relations = [{ meaning: 'built', object1: 'Ann', object2: 'mill', reverse: 'was built by' }]
    expect(formOf(task.output).schema).toMatchObject({
      properties: { steps: { type: 'string' } },
      required: ['steps', 'relations'],
    })
    for (const reply of [
      { steps: 'Ann built it.', relations },
      { steps: ['Ann'], relations },
      { relations },
      relations,
    ])
      expect(readReply(task, JSON.stringify(reply))).toMatchObject({
        value: { relations: [{ object1: 'Ann' }] },
        skipped: 0,
      })
  })

  test('accept keys in any case, also in lists', () => {
    const statements = [{ Statement: 's', Reason: 'r', Verdict: 'Yes' }]
    expect(readReply(verifyClaims, JSON.stringify({ Statements: statements }))).toMatchObject({
      value: { statements: [{ statement: 's', reason: 'r', verdict: 1 }] },
    })
    const attributions = [{ SENTENCE: 's', attributed: false }]
    expect(readReply(attributeSentences, JSON.stringify({ Attributions: attributions }))).toMatchObject({
      value: { attributions: [{ sentence: 's', attributed: 0 }] },
    })
  })
})

const [first, second] = [tasks[0]!, tasks[1]!]

test('the hash of a prompt changes only with name, version and words of the prompt', () => {
  const hash = promptHash(first)
  expect(promptHash({ ...first })).toBe(hash)
  expect(promptHash({ ...first, output: second.output })).toBe(hash)
  expect(promptHash({ ...first, name: 'other' })).not.toBe(hash)
  expect(promptHash({ ...first, version: first.version + 1 })).not.toBe(hash)
  const { messages } = first.prompt(first.sample)
  const reworded = messages.map((message) => ({ ...message, content: `${message.content}.` }))
  expect(promptHash({ ...first, prompt: () => ({ messages: reworded }) })).not.toBe(hash)
})

describe('extract-graph', () => {
  const delimited = `("entity"<|>Arden Mill<|>organization<|>A mill.)##
("entity"<|>John Bell<|>person<|>Its builder.)##
("relationship"<|>John Bell<|>Arden Mill<|>built it<|>8)
<|COMPLETE|>`
  const json = {
    entities: [
      { name: 'Arden Mill', type: 'organization', description: 'A mill.' },
      { name: 'John Bell', type: 'person', description: 'Its builder.' },
    ],
    relationships: [{ source: 'John Bell', target: 'Arden Mill', description: 'built it', strength: 8 }],
  }

  test('reads JSON and the delimiter form equally; the end marker ends a record', () => {
    const read = extractGraph.readsAlso?.(delimited)
    expect(read).toEqual({ value: { ...extractGraph.output.parse(json), delimited }, skipped: 0 })
    const relationship = { source: 'JOHN BELL', target: 'ARDEN MILL', description: 'built it', strength: 8 }
    expect(read).toMatchObject({ value: { relationships: [relationship] } })
    expect(extractGraph.readsAlso?.(JSON.stringify(json))).toBeUndefined()
  })

  test.each([
    ['JSON and the end marker', `${JSON.stringify(json)}\n<|COMPLETE|>`, { value: extractGraph.output.parse(json) }],
    ['the end marker alone', '<|COMPLETE|>\n', { value: { entities: [], relationships: [] }, outcome: 'clean' }],
    [
      'an incomplete last record',
      '("entity"<|>Arden Mill<|>organization<|>A mill.)##\n("relationship"<|>John Bell<|>Arden',
      { value: { entities: [{ name: 'ARDEN MILL' }], relationships: [] }, outcome: 'partial', skipped: 1 },
    ],
    ['a first record that breaks off', '("entity"<|>Arden Mill', { error: 'the reply holds no JSON object' }],
    ['prose and the end marker', 'Nothing. <|COMPLETE|>', { error: 'the reply holds no JSON object' }],
  ])('%s', (_name, reply, read) => expect(readReply(extractGraph, reply)).toMatchObject(read))

  test('gleans in the same chat, with each reply in its original form', () => {
    const reply = extractGraph.output.parse(json)
    const { messages } = extractGraph.prompt({
      text: 'x',
      entityTypes: ['geo'],
      replies: [reply, { ...reply, delimited }],
    })
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user'])
    expect(messages[2]?.content).toContain('"name":"ARDEN MILL"')
    expect(messages[4]?.content).toBe(delimited)
    expect(messages[5]?.content).toContain('were missed')
  })
})

test('continues only after an exact Y', () => {
  const said = ['Y', 'Yes', 'y', 'N', ''].map((reply) => askForMore.output.parse(reply))
  expect(said).toEqual([true, false, false, false, false])
})

describe('ratings and scores of graphrag', () => {
  const report = { title: 'Mill', summary: 'A mill.', findings: ['It ground corn.'] }
  const answer = { answer: 'Yes.', follow_up_questions: [] }
  const read = (number: unknown) => [
    rateReport.output.safeParse({ rating: number }).data,
    writeReport.output.safeParse({ ...report, rating: number }).data?.rating,
    answerAndAsk.output.safeParse({ ...answer, score: number }).data?.score,
  ]

  test.each([[3], ['3'], [8.5], [' 8.5 ']])('accept %j', (written) =>
    expect(read(written)).toEqual([Number(written), Number(written), Number(written)]),
  )

  test.each([[''], [' '], ['high'], ['8/10'], [null], [undefined]])(
    'reject %j, without reading it as zero',
    (written) => expect(read(written)).toEqual([undefined, undefined, undefined]),
  )
})

test('splits a text between the sentences nearest to its middle, without losing words', () => {
  expect(halvesOfText('One is here. Two is there. Three is far away from both.')).toEqual([
    'One is here. Two is there.',
    'Three is far away from both.',
  ])
  expect(halvesOfText('One sentence alone')).toBeUndefined()
})

test('halves the input of tasks that list items of a text or judge each item', () => {
  const text = 'The mill is old. The weir broke.'
  expect(extractEntities.halves?.({ text })).toEqual([{ text: 'The mill is old.' }, { text: 'The weir broke.' }])
  expect(extractTriples.halves?.({ passage: text, entities: ['mill'] })?.[1]).toEqual({
    passage: 'The weir broke.',
    entities: ['mill'],
  })
  expect(relateSubjects.halves?.({ text, subjects: ['mill'] })?.[0].text).toBe('The mill is old.')
  expect(relateEvents.halves?.({ text, subjects: [], events: ['a', 'b', 'c'] })?.[0].events).toEqual(['a', 'b'])
  expect(verifyClaims.halves?.({ claims: ['a', 'b'], context: text })?.[1]).toEqual({ claims: ['b'], context: text })
  expect(verifyClaims.halves?.({ claims: ['a'], context: text })).toBeUndefined()
  expect(extractGraph.halves?.({ text, entityTypes: ['mill'], replies: [] })?.[1].text).toBe('The weir broke.')
  expect(
    extractGraph.halves?.({ text, entityTypes: ['mill'], replies: [{ entities: [], relationships: [] }] }),
  ).toBeUndefined()
  expect(utilityQuestions.halves?.({ text, count: 5 })?.map(({ count }) => count)).toEqual([3, 2])
  expect(utilityQuestions.halves?.({ text, count: 1 })).toBeUndefined()
  expect(utilityQuestions.joined?.(['a', 'b'], ['b', 'c'])).toEqual(['a', 'b', 'c'])
  const verdict = (statement: string) => ({ statements: [{ statement, reason: '', verdict: 1 as const }] })
  expect(verifyClaims.joined?.(verdict('a'), verdict('b')).statements).toHaveLength(2)
})
