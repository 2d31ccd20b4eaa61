import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { methods } from '../../methods/index.ts'
import { datasets } from '../../datasets/index.ts'
import { scorers } from '../../scorers/index.ts'
import { UserError } from '../../errors.ts'
import { checkPlugIn } from './check-plug-in.ts'

const noop = (): undefined => undefined
const task = { name: 'rate', version: 1, reply: 'text', prompt: noop, output: z.string() }
const common = { name: 'x', summary: '', options: z.strictObject({}) }
const sound = {
  method: { ...common, index: noop, tasks: [task] },
  scorer: { ...common, version: 1, source: '', kinds: ['answer'], columns: [{ metric: 'f1' }], score: noop },
  dataset: { ...common, source: '', licence: '', evidence: false, files: noop, corpora: noop },
} as const

const faultsOf = (kind: keyof typeof sound, plugIn: object): readonly string[] => {
  try {
    checkPlugIn(kind, plugIn, './mine.ts')
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(UserError)
    return (error as UserError).message.split('\n')
  }
}

const without = (plugIn: object, field: string): object =>
  Object.fromEntries(Object.entries(plugIn).filter(([name]) => name !== field))

test('valid plug-ins and all built-in ones pass', async () => {
  for (const kind of ['method', 'scorer', 'dataset'] as const) expect(faultsOf(kind, sound[kind])).toEqual([])
  for (const method of await methods.all()) expect(faultsOf('method', method)).toEqual([])
  for (const scorer of await scorers.all()) expect(faultsOf('scorer', scorer)).toEqual([])
  for (const dataset of await datasets.all()) expect(faultsOf('dataset', dataset)).toEqual([])
})

test.each([
  ['method', ['summary', 'options', 'index']],
  ['scorer', ['summary', 'options', 'version', 'source', 'kinds', 'columns', 'score']],
  ['dataset', ['summary', 'options', 'source', 'licence', 'evidence', 'files', 'corpora']],
] as const)('a %s that lacks a field: one line that names it and says what to give', (kind, fields) => {
  for (const field of fields) {
    const [line, ...rest] = faultsOf(kind, without(sound[kind], field))
    expect(line).toMatch(new RegExp(`^\\./mine\\.ts: ${kind} "x": "${field}" is missing: give `))
    expect(rest).toEqual([])
  }
})

describe('invalid values', () => {
  test.each<[keyof typeof sound, object, string]>([
    ['scorer', { kinds: [] }, '"kinds" must not be an empty list: give the kinds of question it scores'],
    ['scorer', { kinds: ['anwser'] }, '"kinds[0]" must not be "anwser" (did you mean "answer"?): give the kinds'],
    ['scorer', { kinds: 'answer' }, '"kinds" must not be "answer": give the kinds'],
    ['scorer', { version: 1.5 }, '"version" must not be 1.5: give a whole number'],
    ['scorer', { columns: [{}] }, '"columns[0].metric" is missing: give what a table shows'],
    ['scorer', { score: 3 }, '"score" must be a function: give async score(input, models, options)'],
    ['scorer', { ranges: { f1: [1, 0] } }, '"ranges.f1" must hold the least value, then the greatest: give the least'],
    ['scorer', { ranges: { f1: [0, 20] } }, `"columns[0]" must say unit: 'number', because "ranges" lets f1 lie`],
    ['scorer', { ranges: { f1: [0, 'x'] } }, '"ranges.f1[1]" must be a number'],
    ['method', { sees: 'evidnce' }, `"sees" must not be "evidnce" (did you mean "evidence"?)`],
    ['method', { context: 'all' }, `"context" must not be "all": give 'none', 'unlimited' or 'evidence'`],
    ['method', { options: { k: 1 } }, '"options" must be a zod object: give a zod object, such as'],
    ['method', { options: z.string() }, '"options" must be a zod object'],
    ['method', { tasks: [{ ...task, prompt: 'Rate.' }] }, '"tasks[0].prompt" must be a function: give prompt(input)'],
    ['method', { tasks: [{ ...task, reply: 'xml' }] }, `"tasks[0].reply" must not be "xml": give 'text' or 'json'`],
    ['method', { tasks: [{ ...task, output: {} }] }, '"tasks[0].output" must be a zod schema'],
    ['dataset', { evidence: 'yes' }, '"evidence" must not be "yes": give true where'],
    ['dataset', { files: ['a.json'] }, '"files" must be a function: give async files(path, options)'],
  ])('%s %o', (kind, more, message) => {
    const lines = faultsOf(kind, { ...sound[kind], ...more })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`./mine.ts: ${kind} "x": ${message}`)
  })

  test('a metric with a range beyond 1 is shown as a number', () => {
    const counts = { ranges: { steps: [0, Infinity] }, columns: [{ metric: 'steps@5', unit: 'number' }] }
    expect(faultsOf('scorer', { ...sound.scorer, ...counts })).toEqual([])
  })

  test('a misspelt field is reported once, and extra fields are accepted', () => {
    const { options, ...rest } = sound.method
    expect(faultsOf('method', { ...rest, optoins: options })).toEqual([
      './mine.ts: method "x": unknown field "optoins"; did you mean "options"?',
    ])
    expect(faultsOf('method', { ...sound.method, contxt: 'none' })[0]).toContain('did you mean "context"?')
    expect(faultsOf('method', { ...sound.method, cacheOfMine: {}, option: 1 })).toEqual([])
  })

  test('every fault is a line', () => {
    expect(faultsOf('scorer', { name: 'x' })).toHaveLength(7)
  })
})
