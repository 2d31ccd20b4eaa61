import { describe, expect, test } from 'vitest'
import type { Manifest } from '../records.ts'
import { madeRun } from '../test-support/fake-run.ts'
import { conflictBetween, differences } from './differences.ts'

const { manifest } = madeRun({ rows: {} })
const second = { ...manifest.models.complete, model: 'm' }

const run = (name: string, dataset: Partial<Manifest['dataset']>, more: Partial<Manifest> = {}) => ({
  name,
  manifest: {
    ...manifest,
    dataset: {
      ...manifest.dataset,
      name: 'musique',
      files: ['dev.jsonl'],
      checksum: 'aaaabbbbccccdddd',
      questions: 9,
      options: { corpus: 'all' },
      ...dataset,
    },
    ...more,
  },
})

describe('runs that cannot share a table', () => {
  test.each([
    [{ options: { corpus: 'gold' } }, 'options.corpus all → gold'],
    [{ options: {} }, 'options.corpus all → none'],
    [{ options: { corpus: 'all', split: 'dev' } }, 'options.split none → dev'],
    [{ checksum: 'eeeeffff0000111122' }, 'checksum aaaabbbbcccc → eeeeffff0000'],
    [{ options: { corpus: 'gold' }, files: ['dev.jsonl', 'corpus.json'], checksum: 'x' }, 'options.corpus all → gold'],
  ])('names both folders and the difference for %j', (dataset, message) => {
    const quality = run('q', { name: 'quality', files: ['quality.jsonl'], options: { split: 'dev' } })
    expect(conflictBetween([run('a', {}), quality, run('b', dataset)])).toBe(
      `a and b cannot share a table: they read musique with different options or files: ${message}`,
    )
  })

  test('allows other datasets, files, models, seeds, budgets and limits in one table', () => {
    const runs = [
      run('a', {}),
      run(
        'b',
        {},
        { seed: 7, budget: { ...manifest.budget, passages: 1 }, models: { ...manifest.models, complete: second } },
      ),
      run('c', { name: 'quality', files: ['quality.jsonl'], checksum: 'x', options: {}, questions: 1 }),
      run('d', { files: ['train.jsonl'], checksum: 'y', options: { corpus: 'all', split: 'train' } }),
    ]
    expect(conflictBetween(runs)).toBeUndefined()
    const [difference] = differences(runs.map(({ manifest }) => manifest))
    for (const setting of ['dataset.name', 'dataset.questions', 'budget.passages', 'models.complete.model', 'seed'])
      expect(difference).toContain(setting)
  })
})
