import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { academicEval } from './academic-eval.ts'

const read = (path: string, options: object = {}) =>
  gather(academicEval.corpora(path, academicEval.options.parse(options)))

const paper = (url: string, more: object = {}) => ({
  url,
  title: 'Tide Clocks',
  abstract: 'They are late.',
  authors: 'Ada',
  gt: 'They are late.',
  main_content: `Tide Clocks of ${url} run.`,
  ...more,
})
const second = (url: string, more: object = {}) => ({
  url,
  title: `Title ${url}`,
  abstract: `Abstract ${url}.`,
  main_content: `Text ${url}.`,
  ...more,
})

test('an abstract question gives the title and searches the paper', async () => {
  const path = folderOf({ 'abs_9K/a_test_1.json': paper('u1') })
  const expected = {
    id: 'u1',
    documents: [{ id: 'u1', text: 'Tide Clocks of u1 run.' }],
    questions: [
      {
        id: 'u1',
        text: 'Write the abstract of this paper, in about 200 words. Its title is: Tide Clocks',
        reference: { kind: 'summary', accepted: ['They are late.'] },
        cluster: 'u1',
      },
    ],
    holds: { papers: 1 },
  }
  expect(await read(path)).toEqual([expected])
  expect(await read(join(path, 'abs_9K'), { setting: 'intro_8K' })).toEqual([expected])
})

test('a title question searches the paper without its title', async () => {
  const [corpus] = await read(folderOf({ 'title_10K/test.json': paper('u1', { gt: 'Tide Clocks' }) }), {
    setting: 'title_10K',
  })
  expect(corpus?.documents).toEqual([{ id: 'u1', text: ' of u1 run.' }])
  expect(corpus?.questions[0]?.text).toBe(
    'Write the title of this paper, in about 10 words. Its abstract is: They are late.',
  )
})

test('a related-work question lists and searches the cited papers', async () => {
  const citations = [
    { title: 'Cited', abstract: 'Of cited.' },
    { title: 'Other', abstract: null },
  ]
  const target = paper('u1', {
    gt: 'Cited is related.',
    additional_info: [[second('u2', { gt: 'Related of u2.' }), citations[0]]],
  })
  const [corpus] = await read(folderOf({ 'related_53K/test.json': [target, ...citations] }), { setting: 'related_53K' })
  expect(corpus?.documents.slice(1)).toEqual([
    { id: 'paper-1', text: 'Cited\n\nOf cited.', title: 'Cited' },
    { id: 'paper-2', text: 'Other', title: 'Other' },
    { id: 'u2', text: 'Title u2\n\nAbstract u2.\n\nRelated of u2.\n\nText u2.', title: 'Title u2' },
  ])
  expect(corpus?.questions[0]?.text).toMatch(
    /^Write the section "related work" of this paper, .* Its title is: Tide Clocks\nIts abstract is: They are late\.$/,
  )
})

test('co-author papers join the corpus without the paper itself and without duplicates', async () => {
  const node_feat = { Ada: [second('u1'), second('u2')], Ben: [second('u2'), second('u3'), { url: 'u4' }] }
  const target = paper('u1', { additional_graph_info: { graph: [['Ada', 'Ben']], node_feat } })
  const [corpus] = await read(folderOf({ 'abs_29K_G/test.json': target }), { setting: 'abs_29K_G' })
  expect(corpus?.documents.map(({ id }) => id)).toEqual(['u1', 'u2', 'u3'])
  expect(corpus?.leftOut).toEqual({ 'papers of co-authors that are the paper itself': 1 })
})

test('reads the first files of a split in byte order of their names', async () => {
  const path = folderOf({
    'abs_9K/b_test.json': paper('u2'),
    'abs_9K/a_test.json': paper('u1'),
    'abs_9K/c_test.json': paper('u3'),
    'abs_9K/train.json': paper('u4'),
    'abs_9K/test.txt': 'x',
  })
  expect((await read(path)).map(({ id }) => id)).toEqual(['u1', 'u2', 'u3'])
  const two = await read(path, { items: 2 })
  expect([two.map(({ id }) => id), two[1]?.leftOut]).toEqual([
    ['u1', 'u2'],
    { 'papers beyond the number asked for': 1 },
  ])
  expect((await read(path, { split: 'train' })).map(({ id }) => id)).toEqual(['u4'])
  await expect(read(path, { split: 'val' })).rejects.toThrow('contains no JSON file with "val" in its name')
  await expect(read(path, { setting: 'intro_8K' })).rejects.toThrow(/intro_8K: no such folder; expected folders/)
})
