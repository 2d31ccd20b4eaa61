import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { gembench, resultsOf } from '../../test-support/cli.ts'
import { folderOf } from '../../test-support/dataset-copies/write-files.ts'
import { tinyProject } from '../../test-support/tiny.ts'

let project: string
let results: string
beforeAll(async () => {
  const scorers = [{ use: 'retrieval', unit: 'document', k: [1, 2], show: ['ndcg@2', 'recall@1'] }]
  project = await tinyProject({ methods: ['bm25', 'vector'], scorers })
  results = await resultsOf(project)
})

test('requests no answers if no scorer reads them', async () => {
  const manifest = JSON.parse(await readFile(join(project, results, 'manifest.json'), 'utf8')) as { answers: string }
  expect(manifest.answers).toBe('none')
  const lines = (await readFile(join(project, results, 'trials.jsonl'), 'utf8')).trimEnd().split('\n')
  const trials = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ line }) => line === 'trial')
  expect(trials).toHaveLength(6)
  for (const trial of trials) {
    expect(trial).toMatchObject({ answer: null, usage: { answer: { calls: 0 } } })
  }
  const plan = await gembench(project, 'plan', '-c', 'tiny.yaml')
  expect(plan.out).toContain('without answers')
  expect(plan.out).not.toMatch(/ answer /)
})

test('prints only retrieval columns, and TREC files by document', async () => {
  const { out } = await gembench(project, 'table', results)
  const head = /^\| .*$/m.exec(out)?.[0] ?? ''
  expect(head).toContain('nDCG@2')
  expect(head).not.toMatch(/unreadable|canned|EM|accuracy/)
  const folder = folderOf({})
  expect((await gembench(project, 'table', results, '--format', 'trec', '-o', folder)).code).toBe(0)
  expect(await readFile(join(folder, 'qrels.txt'), 'utf8')).toBe(
    'builder 0 the-mill 1\noven 0 the-mill 1\noven 0 the-bakery 1\n',
  )
  const lines = (await readFile(join(folder, 'bm25.run'), 'utf8')).trimEnd().split('\n')
  expect(new Set(lines.map((line) => line.split(' ')[2]))).toEqual(new Set(['the-mill', 'the-bakery']))
})
