import { expect, test } from 'vitest'
import { readYaml } from '../test-support/fake-configs.ts'
import type { ReadSettings } from './index.ts'

async function planned(methods: string, vary: string, settings: Partial<ReadSettings> = {}) {
  const plan = await readYaml(`name: a\ndataset: sample\nmethods: ${methods}\nvary:\n${vary}`, settings)
  return plan.methods.map(({ label, variant, options }) => ({ label, variant, options }))
}

test('vary makes all combinations, the last option changing fastest, and leaves other methods alone', async () => {
  const found = await planned('[gem-rag, bm25]', '  gem-rag.components: [1, 2]\n  gem-rag.questions: [5, 3, 4]\n')
  expect(found.map(({ label, variant }) => `${label} ${variant}`)).toEqual([
    'gem-rag components=1, questions=5',
    'gem-rag components=1, questions=3',
    'gem-rag components=1, questions=4',
    'gem-rag components=2, questions=5',
    'gem-rag components=2, questions=3',
    'gem-rag components=2, questions=4',
    'bm25 ',
  ])
  expect(found[4]?.options).toMatchObject({ components: 2, questions: 3, mode: 'eigen' })
})

test('a key of vary matches a label first, then every entry of that method', async () => {
  const methods = '[bm25, { use: bm25, label: v1.2 }, { use: bm25, label: v1 }]'
  const rows = async (vary: string) =>
    (await planned(methods, vary)).map(({ label, variant }) => `${label} ${variant}`.trim())
  expect(await rows('  v1.2.b: [0]\n')).toEqual(['bm25', 'v1.2 b=0', 'v1'])
  expect(await rows('  v1.b: [0, 1]\n')).toEqual(['bm25', 'v1.2', 'v1 b=0', 'v1 b=1'])
  expect(await rows('  bm25.b: [0]\n')).toEqual(['bm25 b=0', 'v1.2', 'v1'])
  const relabelled = await planned('[{ use: bm25, label: x }, { use: bm25, label: y }]', '  bm25.b: [0]\n')
  expect(relabelled.map(({ label, variant }) => `${label} ${variant}`)).toEqual(['x b=0', 'y b=0'])
})

test('vary accepts values of every type, nested options and derived options', async () => {
  const found = await planned(
    '[{ use: gem-rag, mode: flat, weights: { alpha: 1 } }]',
    '  gem-rag.mode: [eigen, 3, { kind: walk }]\n  gem-rag.weights.alpha: [0.5]\n',
  )
  expect(found.map(({ variant, options }) => [variant, options])).toMatchObject([
    ['mode=eigen, weights.alpha=0.5', { mode: 'eigen', weights: { alpha: 0.5 } }],
    ['mode=3, weights.alpha=0.5', { mode: 3 }],
    ['mode={"kind":"walk"}, weights.alpha=0.5', { mode: { kind: 'walk' } }],
  ])
})

test('ambiguous texts are quoted in variant names, and variables keep their names', async () => {
  const values = '[plain, "5", "true", "", "a b", "x,y", "line\\nbreak", "${HINT}"]'
  const found = await planned('[picky]', `  picky.hint: ${values}\n`, { environment: { HINT: 'hush' } })
  expect(found.map(({ variant }) => variant)).toEqual([
    'hint=plain',
    'hint="5"',
    'hint="true"',
    'hint=""',
    'hint="a b"',
    'hint="x,y"',
    'hint="line\\nbreak"',
    'hint="${HINT}"',
  ])
  expect(found.at(-1)?.options).toMatchObject({ hint: 'hush' })
})

test('a required option can come from vary alone', async () => {
  const found = await planned('[needy]', '  needy.rounds: [1, 2]\n')
  expect(found.map(({ options }) => options)).toEqual([
    { rounds: 1, words: [] },
    { rounds: 2, words: [] },
  ])
})
