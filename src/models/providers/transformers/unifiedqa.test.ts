import { expect, test } from 'vitest'
import { unifiedqaInput } from './load.ts'

test.each([
  {
    name: 'a choice',
    task: 'answer-choice',
    input: { question: 'What shone?', options: ['The Lamp', 'the sea'], context: 'All night\nthe Lamp  shone.' },
    expected: 'what shone? \\n (a) the lamp (b) the sea \\n all night the lamp shone.',
  },
  {
    name: 'a choice without a context',
    task: 'answer-choice',
    input: { question: 'What shone?', options: ['x', 'y', 'z'], context: '' },
    expected: 'what shone? \\n (a) x (b) y (c) z',
  },
  {
    name: 'a free question',
    task: 'answer-question',
    input: { question: 'When?', context: 'In 1871.', style: 'short' },
    expected: 'when? \\n in 1871.',
  },
  { name: 'another task', task: 'summarise', input: { texts: ['a'] }, expected: undefined },
])('$name', ({ task, input, expected }) => {
  expect(unifiedqaInput({ task, input })).toBe(expected)
})
