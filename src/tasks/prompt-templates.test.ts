import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../config/index.ts'
import { packageFolder } from '../basics/files.ts'
import { registries } from '../run/plug-ins/registries.ts'
import { promptFor, taskFields, tasks } from './index.ts'
import { answerChoice, answerTurn } from './answers.ts'
import { filterFacts } from './entities.ts'

const user = (content: string) => [{ role: 'user', content }] as const

test('replaces the messages of a prompt, but not reply length and sampling', () => {
  const prompt = promptFor(filterFacts, filterFacts.sample, { 'filter-facts': user('{{question}} {{facts:json}}') })
  expect(prompt).toEqual({
    messages: user(`${filterFacts.sample.question} ${JSON.stringify(filterFacts.sample.facts)}`),
    maxTokens: 512,
  })
  expect(promptFor(filterFacts, filterFacts.sample, {})).toEqual(filterFacts.prompt(filterFacts.sample))
})

test.each([
  ['{{options}}', '1. a\n2. b'],
  ['{{options:lettered}}', 'A. a\nB. b'],
  ['{{ options:lines }}', 'a\nb'],
  ['{{options:paragraphs}}', 'a\n\nb'],
  ['{{options:json}}', '["a","b"]'],
  ['{{question}}|{{question:json}}', 'Q $& {{context}}|"Q $& {{context}}"'],
])('fills %s once, without expanding the inserted text', (content, filled) => {
  const input = { question: 'Q $& {{context}}', options: ['a', 'b'], context: 'C' }
  expect(promptFor(answerChoice, input, { 'answer-choice': user(content) }).messages).toEqual(user(filled))
})

test('fills turns as a transcript, and nested fields by a dot', () => {
  const { messages } = promptFor(answerTurn, answerTurn.sample, {
    'answer-turn': user('{{history:lines}}\n{{roles.asks}}: {{message}}'),
  })
  expect(messages[0]?.content).toBe(
    'user1: Do you know the lighthouse on Cape Wrath?\nuser2: Yes, it was built in 1828.\nuser1: And who planned it?',
  )
})

const planOf = (prompts: object | string) =>
  readConfig(
    { value: { name: 'x', dataset: 'sample', methods: ['bm25'], prompts }, name: 'x.yaml' },
    { cwd: process.cwd(), environment: {} },
    registries,
  )

describe('the built-in prompt sets', () => {
  const folder = join(packageFolder, 'configs', 'prompts')
  const sets = readdirSync(folder).flatMap((set) => readdirSync(join(folder, set)).map((file) => [set, file] as const))

  test.each(sets)('%s/%s is valid for its task', async (set, file) => {
    const task = file.replace(/\.yaml$/, '')
    expect(taskFields.map(({ name }) => name)).toContain(task)
    const plan = await planOf({ [task]: set })
    const known = tasks.find(({ name }) => name === task)
    expect(known && promptFor(known, known.sample, plan.prompts).messages.at(-1)?.role).toBe('user')
  })

  test('has as many demonstrations in paper as are printed', async () => {
    const { prompts } = await planOf('paper')
    const answered = (task: string) => prompts[task]?.filter(({ role }) => role === 'assistant').length
    const outputs = (task: string) => prompts[task]?.at(-1)?.content.match(/^Output:? /gm)?.length
    expect(['filter-facts', 'name-entities', 'extract-triples', 'name-question-entities'].map(answered)).toEqual([
      10, 1, 1, 1,
    ])
    expect(['extract-graph', 'verify-claims', 'judge-usefulness', 'attribute-sentences'].map(outputs)).toEqual([
      3, 2, 3, 1,
    ])
    for (const { role, content } of prompts['filter-facts']?.slice(1, -1) ?? [])
      if (role === 'user') expect((JSON.parse(content.split('Facts: ')[1] ?? '') as unknown[]).length).toBe(5)
  })

  test('selects a whole set by its name, with overrides by task', async () => {
    const plan = await planOf({ use: 'paper', 'answer-question': 'hipporag2' })
    expect(Object.keys(plan.prompts)).toEqual(expect.arrayContaining(['judge-turn', 'summarise']))
    expect(plan.prompts['answer-question']?.[1]?.content).toContain('Thought:')
  })
})
