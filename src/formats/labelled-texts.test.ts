import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { onShelf } from '../test-support/dataset-copies/shelf-files.ts'
import { readLabelled } from './labelled-texts.ts'

const folder = mkdtempSync(join(tmpdir(), 'gembench-labelled-'))

function written(name: string, content: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const pair = (id: number, overall: number, more: object = {}) => ({
  ...{ instance_id: id, query: `Q${id}?`, gt_answer: 'G', model1: { response: 'one' }, model2: { response: 'two' } },
  ...{ correctness_label: -overall, overall_label: overall, ...more },
})

describe('pairs', () => {
  test('the records of one pair are its annotators', async () => {
    const file = written('pairs.json', [pair(0, 1), pair(0, -2), pair(1, 0)])
    const { labelled, by } = await readLabelled(file, {})
    expect(by).toEqual([])
    expect(labelled).toMatchObject({
      kind: 'pairs',
      items: [
        { question: 'Q0?', reference: 'G', first: 'one', second: 'two', labels: [1, -2] },
        { question: 'Q1?', labels: [0] },
      ],
    })
    const other = await readLabelled(file, { label: 'correctness_label' })
    expect(other.labelled.items[0]).toMatchObject({ labels: [-1, 2] })
  })

  test.each([
    [[pair(0, 1), pair(0, 1, { model1: { response: 'x' } })], 'the pair 0 has other answers than at'],
    [[pair(0, 1, { model2: {} })], 'model2 lacks "response"'],
    [[pair(0, 1, { overall_label: 'better' })], 'overall_label: "better" is no label'],
  ])('what is wrong is said', async (records, said) => {
    await expect(readLabelled(written('wrong.json', records), {})).rejects.toThrow(said)
  })
})

describe('answers', () => {
  test('CSV under its own names, blank labels counted', async () => {
    const file = written('a.csv', 'q;text;reply;ok\nWho?;"T; 1";Vale;yes\nWhen?;;1841;0,5\nWhere?;T;Orrin;\n')
    const columns = { question: 'q', context: 'text', answer: 'reply', label: 'ok' }
    const { labelled, blank } = await readLabelled(file, columns)
    expect(blank).toBe(1)
    expect(labelled.items).toMatchObject([
      { where: `${file}:2`, cluster: 'Who?', context: ['T; 1'], answer: 'Vale', label: 1 },
      { context: [], label: 0.5 },
    ])
    await expect(readLabelled(file, { ...columns, label: 'reply2' })).rejects.toThrow('did you mean "reply"?')
    await expect(readLabelled(file, {})).rejects.toThrow('--columns question=NAME')
  })

  test('RAGBench as published; the model that gave the labels is known', async () => {
    const row = { question: 'Q?', documents: ['D', ' '], response: 'R', adherence_score: false }
    const file = written('r.jsonl', JSON.stringify({ ...row, relevance_score: 0.25, annotating_model_name: 'gpt-x' }))
    const read = await readLabelled(file, {})
    expect(read).toMatchObject({ by: ['gpt-x'], labelled: { items: [{ answer: 'R', context: ['D'], label: 0 }] } })
    expect((await readLabelled(file, { label: 'relevance_score' })).labelled.items).toMatchObject([{ label: 0.25 }])
  })
})

test('triplets need contexts, and an answer without any is left out', async () => {
  const triplets = [
    { triplet: ['Vale', 'built', 'the mill'], human_label: 'Entailment' },
    { triplet: ['Vale', 'was', 'a baker'], human_label: 'Neutral' },
    { triplet: ['Vale', 'built', 'a bakery'], human_label: 'Contradiction' },
  ]
  const record = { id: '1', response: 'R', claude2_response_kg: triplets }
  await expect(readLabelled(written('t.json', [record]), {})).rejects.toThrow('which the files of RefChecker lack')
  const joined = [
    { ...record, context: 'C' },
    { ...record, claude2_response_kg: [], context: 'C' },
  ]
  const { labelled } = await readLabelled(written('j.json', joined), {})
  expect(labelled).toMatchObject({ kind: 'claims', items: [{ context: ['C'] }] })
  expect(labelled.kind === 'claims' && labelled.items[0]?.claims).toEqual([
    { text: 'Vale built the mill', label: 1 },
    { text: 'Vale was a baker', label: 0 },
    { text: 'Vale built a bakery', label: 0 },
  ])
})

test.each(onShelf(['recorded/ragchecker/data/meta_evaluation/human_labeled_data.json']))(
  'RAGChecker as published: 140 pairs, two annotators each',
  async (file) => {
    const { labelled } = await readLabelled(file, {})
    if (labelled.kind !== 'pairs') throw new Error(labelled.kind)
    expect(labelled.items).toHaveLength(140)
    const labels = labelled.items.map((one) => one.labels)
    expect(labels.every(({ length }) => length === 2)).toBe(true)
    expect(labels.filter(([a, b]) => a === b)).toHaveLength(79)
    const counts = [-2, -1, 0, 1, 2].map((wanted) => labels.flat().filter((one) => one === wanted).length)
    expect(counts).toEqual([23, 79, 77, 77, 24])
  },
)
