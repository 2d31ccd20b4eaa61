import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutReasoning } from './reasoning.ts'

describe("removes reasoning between a model's markers", () => {
  test.each([
    ['DeepSeek R1', '<think>\nOkay, the user asks for 7.\n</think>\n\nParis'],
    ['Qwen 3 that does not think', '<think>\n\n</think>\n\nParis'],
    ['Qwen 3, whose template opens', 'Okay, the user asks.\n</think>\n\nParis'],
    ['GLM 4.5, whose template opens', 'So it is Paris.</think>Paris'],
    ['Hunyuan', '<think>\nhm\n</think>\n<answer>\nParis\n</answer>'],
    ['Hunyuan, in its own tag', '<think:opensource>hm</think:opensource>Paris'],
    ['Ernie', '<think>\nhm\n</think>\n\n<response>\nParis\n</response>\n'],
    ['Reflection', '<thinking>a <reflection>no</reflection> b</thinking>\n<output>Paris</output>'],
    ['EXAONE Deep', '<thought>\nhm\n</thought>\n\nParis'],
    ['Reka Flash', '<reasoning> It is known. </reasoning> Paris'],
    ['Hermes 3', '<SCRATCHPAD>\nhm\n</SCRATCHPAD>\n<SOLUTION>\nParis\n</SOLUTION>'],
    ['Seed-OSS', '<seed:think>hm<seed:cot_budget_reflect>9</seed:cot_budget_reflect></seed:think>Paris'],
    ['LongCat', '<longcat_think>\nhm\n</longcat_think>\nParis'],
    ['Magistral', '[THINK]Is it [1] or [2]?[/THINK]Paris'],
    ['Kimi-VL', '◁think▷hm◁/think▷Paris'],
    ['Cohere', '<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Paris<|END_RESPONSE|>'],
    [
      'OpenThinker',
      '<|begin_of_thought|>\nhm\n<|end_of_thought|>\n\n<|begin_of_solution|>\nParis\n<|end_of_solution|>',
    ],
    ['Apertus', '<|inner_prefix|>hm<|inner_suffix|>Paris'],
    ['MedGemma', '<unused94>thought\nhm<unused95>Paris'],
    ['Gemma 4', '<|channel>thought\nhm\n<channel|>Paris'],
    ['Solar', '<|think|>hm<|end|><|begin|>assistant<|content|>Paris<|end|>'],
    [
      'gpt-oss',
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary<|message|>b<|end|><|start|>assistant<|channel|>final<|message|>Paris<|return|>',
    ],
    [
      'gpt-oss, held to a schema',
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>Paris',
    ],
    ['gpt-oss, whose template opens', 'analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Paris'],
    ['gpt-oss without reasoning', '<|channel|>final<|message|>Paris'],
    ['gpt-oss without its special tokens', 'analysisWe need a capital.assistantfinalParis'],
    ['Granite 3.2', 'Here is my thought process:\nA capital. 2.\n\nHere is my response:\n\nParis'],
    ['Granite 3.2, in one line', "Here's my thought process: a capital. Here's my response: Paris"],
    [
      'Open WebUI',
      '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n> hm\n</details>\nParis',
    ],
    ['GLM 4.1V', '<think>hm</think><answer><|begin_of_box|>Paris<|end_of_box|></answer>'],
    ['upper case', '<THINK>hm</THINK>Paris'],
    ['attributes', '<thinking effort="low">hm</thinking>Paris'],
    ['one tag within another', '<think>x<think>y</think>z</think>Paris'],
    ['its own tag as a word', '<think>the tag <think> is mine</think>Paris'],
    ['a tag that the user asks about', 'What is the <think> tag?\n</think>\n\nParis'],
    ['a closing as a word', '<think>I write </think> after it.\n</think>\nParis'],
    ['a closing of another model', '<thinking>hm</think>Paris'],
    ['no closing before a marked answer', '<think>hm\n<answer>Paris</answer>'],
    ['blocks one after the other', '<think>a</think>\n<think>b</think>\n<reflection>c</reflection>Paris'],
    ['words in small letters', '<think> okay, paris </think> Paris'],
  ])('%s', (_name, reply) => expect(withoutReasoning(reply)).toBe('Paris'))

  test('removes reasoning between parts of the answer', () => {
    expect(withoutReasoning('<think>a</think>One.\n<think>b</think>\nTwo.')).toBe('One.\n\nTwo.')
    expect(withoutReasoning('<think>a</think>One.\n<think>b')).toBe('One.')
  })

  test.each([
    '<think>',
    '<|begin_of_thought|>\nhm',
    '<think>Okay, 7',
    '<|channel|>analysis<|message|>hm<|end|>',
    '[THINK]x',
  ])('removes all of %j, which never ends', (reply) => expect(withoutReasoning(reply)).toBe(''))
})

test.each([
  ['<answer>Paris</answer>', 'Paris'],
  ['<response>\nParis\n</response>', 'Paris'],
  ['<ANSWER>Paris', 'Paris'],
  ['Paris</answer>', 'Paris'],
  ['<|begin_of_box|>Paris<|end_of_box|>', 'Paris'],
  ['The answer is <|begin_of_box|>Paris<|end_of_box|>.', 'The answer is Paris.'],
  ['<answer>Paris</answer>\nIt is the capital.', 'Paris\nIt is the capital.'],
  ['<response><answer>Paris</answer></response>', 'Paris'],
])('removes the wrapper of the answer %j', (reply, answer) => expect(withoutReasoning(reply)).toBe(answer))

describe('keeps a marker that is a word of the answer', () => {
  test.each([
    'Write <thinking> before the plan.',
    'Write <thinking> before the plan and </thinking> after it.',
    'Write <thinking>plan</thinking> first.',
    'Close the block with </think> before you answer.',
    'The tag `</think>` ends it. Then comes the answer.',
    '<thinking> is the tag to write before the plan.',
    '<thinking> and </thinking> enclose the plan.',
    'Use this:\n<thinking>\nplan\n</thinking>\nThen answer.',
    '```\n<think>\nplan\n</think>\n```',
    'Put it in <answer> tags.',
    'End with </answer>',
    '<answer> is the tag around it.',
    '{"text": "so it ends.</think>b"}',
    '["so it ends.</think>b"]',
    'a [THINKING] b',
    'nothing < to > strip',
    'analysis of the text',
    'Here is my response: Paris',
  ])('%j', (reply) => expect(withoutReasoning(reply)).toBe(reply))

  test('keeps it after reasoning, too', () => {
    expect(withoutReasoning('<think>hm</think>Write <think> first, then </think> and the plan.')).toBe(
      'Write <think> first, then </think> and the plan.',
    )
  })
})

test('gives the text after any reasoning', () => {
  const word = fc.stringMatching(/^[A-Za-z.]{1,8}$/)
  const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((all) => all.join(' '))
  const markers = fc.constantFrom(
    ...(['<think>|</think>', '◁think▷|◁/think▷', '[THINK]|[/THINK]', '<unused94>|<unused95>'] as const),
  )
  fc.assert(
    fc.property(words, words, markers, (reasoning, answer, pair) => {
      const [open = '', close = ''] = pair.split('|')
      expect(withoutReasoning(`${open}\n${reasoning}\n${close}\n${answer}`)).toBe(answer)
      expect(withoutReasoning(`${reasoning}\n${close}\n${answer}`)).toBe(answer)
      expect(withoutReasoning(answer)).toBe(answer)
    }),
  )
})
