import { describe, expect, test } from 'vitest'
import { z, type ZodType } from 'zod'
import { defineTask } from '../../define.ts'
import { readReply } from './task-call.ts'

const prompt = () => ({ messages: [] })
const names = defineTask({ name: 'names', version: 1, reply: 'json', prompt, output: z.array(z.string().min(1)) })
const listOf = <T>(item: ZodType<T>) =>
  defineTask({ name: 'list', version: 1, reply: 'json', prompt, output: z.array(item) })
const answer = defineTask({ name: 'answer', version: 1, reply: 'text', prompt, output: z.string().min(1) })

describe('JSON', () => {
  test.each([
    ['as it stands', '["a", "b"]', { value: ['a', 'b'], outcome: 'clean', skipped: 0 }],
    ['after reasoning', '<think>["x"]</think>["a"]', { value: ['a'], outcome: 'clean', skipped: 0 }],
    ['wrapped, as structured output has it', '{"items": ["a"]}', { value: ['a'], outcome: 'clean', skipped: 0 }],
    ['with items that do not fit', '["a", 7, ""]', { value: ['a'], outcome: 'partial', skipped: 2 }],
    ['a list in a list', '[["a", "b"]]', { value: ['a', 'b'], outcome: 'clean', skipped: 0 }],
    ['lists under each other', '["a"]\n["b"]', { value: ['a', 'b'], outcome: 'repaired', skipped: 0 }],
    ['prose as an item', '["The names are:", ["a", 7]]', { value: ['a'], outcome: 'partial', skipped: 1 }],
  ])('%s', (_name, reply, read) => expect(readReply(names, reply)).toEqual(read))

  test('reads nested lists and objects', () => {
    const people = listOf(z.object({ name: z.string() }))
    const read = { value: [{ name: 'a' }, { name: 'b' }], skipped: 0 }
    expect(readReply(people, '[[{"name": "a"}, {"name": "b"}]]')).toEqual({ ...read, outcome: 'clean' })
    expect(readReply(people, '[{"name": "a"}]\n[{"name": "b"}]')).toEqual({ ...read, outcome: 'repaired' })
    const pairs = listOf(z.tuple([z.string(), z.string()]))
    expect(readReply(pairs, '[["a", "b"], ["c"]]')).toEqual({ value: [['a', 'b']], outcome: 'partial', skipped: 1 })
  })
})

test('reads the alternative form of a task', () => {
  const readsAlso = (reply: string) => {
    const items = reply.startsWith('names: ') ? reply.slice(7).split(', ') : []
    const value = items.filter((item) => item !== '')
    return value.length > 0 ? { value, skipped: items.length - value.length } : undefined
  }
  const nameTask = { ...names, readsAlso }
  const clean = { value: ['a', 'b'], outcome: 'clean', skipped: 0 }
  expect(readReply(nameTask, '<think>hm</think> names: a, b')).toEqual(clean)
  expect(readReply(nameTask, 'names: a, , b')).toEqual({ ...clean, outcome: 'partial', skipped: 1 })
  expect(readReply(nameTask, '["a", "b"]')).toEqual(clean)
  expect(readReply(nameTask, 'none found')).toEqual({ error: 'the reply holds no JSON list' })
})

const output = z.object({ names: z.array(z.string().min(1)) })
const all = defineTask({ name: 'all', version: 1, reply: 'json', whole: true, prompt, output })
const read = (names: readonly string[], outcome: string) => ({ value: { names }, outcome, skipped: 0 })

test.each([
  ['mended', "{'names': ['a', 'b',]}", read(['a', 'b'], 'repaired')],
  ['a list alone', '["a"]', read(['a'], 'clean')],
  [
    'with an item that does not fit',
    '{"names": ["a", ""]}',
    { error: expect.stringMatching(/^names\[1\]: /) as string },
  ],
  ['cut in an item', '{"names": ["a", "b', { error: 'a part of the reply is missing' }],
  ['cut after an item', '{"names": ["a", "b"]', { error: 'a part of the reply is missing' }],
  ['in two parts', 'One: {"names": ["a"]} Two: {"names": ["b"]}', { error: 'a part of the reply is missing' }],
])('JSON that counts as a whole: %s', (_name, reply, expected) => expect(readReply(all, reply)).toEqual(expected))

test.each([
  [
    'trimmed, without reasoning',
    '<think>hm</think>\n In 1871. \n',
    { value: 'In 1871.', outcome: 'clean', skipped: 0 },
  ],
  ['brackets are only words', '["a"', { value: '["a"', outcome: 'clean', skipped: 0 }],
  ['why it is invalid', '<think>only thought</think>', { error: 'the reply has reasoning and no answer after it' }],
])('text: %s', (_name, reply, expected) => expect(readReply(answer, reply)).toEqual(expected))
