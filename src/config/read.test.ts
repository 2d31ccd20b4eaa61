import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { configFolder, mistakesOf, readYaml } from '../test-support/fake-configs.ts'

const sound = 'name: a\ndataset: sample\nmethods: [bm25]\n'

const open: { remove: () => void }[] = []
afterEach(() => open.splice(0).forEach(({ remove }) => remove()))

function folderWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const made = configFolder(files)
  open.push(made)
  return made
}

test('the minimal config gets every default', async () => {
  const { sources, ...plan } = await readYaml(sound)
  expect(sources).toEqual([expect.stringMatching(/\/a\.yaml$/)])
  expect(plan).toEqual({
    name: 'a',
    dataset: { use: 'sample', options: {}, record: {} },
    chunks: { size: 100, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' },
    budget: { passages: 5, tokens: 1000 },
    usesDefaultPassages: true,
    models: {
      complete: { use: 'extractive', options: {}, record: {} },
      embed: { use: 'minilm', options: {}, record: {} },
      judge: { use: 'extractive', options: {}, record: {} },
    },
    prompts: {},
    methods: [
      {
        use: 'bm25',
        label: 'bm25',
        variant: '',
        variedValues: [],
        options: { k1: 1.5, b: 0.75 },
        record: { k1: 1.5, b: 0.75 },
      },
    ],
    repeats: 1,
    indexPerRepeat: true,
    judgeRuns: 1,
    seed: 42,
    concurrency: 16,
    limits: { indexSeconds: 600, retrieveSeconds: 600, scoreSeconds: 600 },
    train: {
      heads: 1,
      layers: 2,
      epochs: 25,
      rate: 1e-3,
      batch: 8,
      labels: 'bertscore',
      dropout: 0.2,
      attentionDropout: 0.1,
      contrastive: true,
      coe: 0.5,
      tieRule: 'position',
      direction: 'toResponse',
      duplicateSelfLoop: 'merge',
    },
    variedValues: [],
    selectedLabels: null,
    record: {
      name: 'a',
      dataset: { use: 'sample', options: {} },
      chunks: { size: 100, overlap: 0, by: 'tokens', tokenizer: 'o200k_base' },
      budget: { tokens: 1000 },
      models: { complete: { use: 'extractive' }, embed: { use: 'minilm' }, judge: { use: 'extractive' } },
      methods: [{ use: 'bm25', k1: 1.5, b: 0.75 }],
      repeats: 1,
      seed: 42,
      concurrency: 16,
      limits: { indexSeconds: 600, retrieveSeconds: 600, scoreSeconds: 600 },
    },
  })
})

test('a config with every key reads to a plan with every key', async () => {
  const { read, folder } = folderWith({
    'mine.ts': '',
    'all.yaml': `
$schema: ./schema.json
name: all-1.0_b
dataset: { use: qasper, path: ../papers, limit: 7, onBadRecord: skip, options: { split: dev } }
chunks: { size: 50, overlap: 10, by: sentences, tokenizer: cl100k_base }
budget: { passages: 4, tokens: 400 }
answers: sentence
models:
  complete: { use: openai, model: big }
  embed: { use: openai, model: wide }
  judge: { use: openai, model: wise, temperature: 0.5 }
methods:
  - bm25
  - { use: bm25, label: sharp BM25, k1: 3 }
  - ./mine.ts
  - { use: ./mine.ts, label: deep, depth: 9 }
scorers: [accuracy, { use: judged, label: "1–10", scale: 10 }]
repeats: { count: 2, index: false }
judgeRuns: 3
seed: 0
concurrency: 1
`,
  })
  const plan = await read(['all.yaml'])
  expect(plan).toMatchObject({
    name: 'all-1.0_b',
    dataset: {
      use: 'qasper',
      path: join(folder, '../papers'),
      limit: 7,
      onBadRecord: 'skip',
      options: { split: 'dev' },
    },
    chunks: { size: 50, overlap: 10, by: 'sentences', tokenizer: 'cl100k_base' },
    budget: { passages: 4, tokens: 400 },
    answers: 'sentence',
    repeats: 2,
    indexPerRepeat: false,
    judgeRuns: 3,
    seed: 0,
    concurrency: 1,
  })
  expect(plan.models.judge.options).toMatchObject({ model: 'wise', temperature: 0.5 })
  const mine = join(folder, 'mine.ts')
  expect(plan.methods.map(({ label, use, options, file }) => [label, use, options, file])).toEqual([
    ['bm25', 'bm25', { k1: 1.5, b: 0.75 }, undefined],
    ['sharp BM25', 'bm25', { k1: 3, b: 0.75 }, undefined],
    ['mine', 'mine', { depth: 1 }, mine],
    ['deep', 'mine', { depth: 9 }, mine],
  ])
  expect(plan.scorers?.map(({ label, use, options }) => [label, use, options])).toEqual([
    ['accuracy', 'accuracy', {}],
    ['1–10', 'judged', { scale: 10 }],
  ])
  expect(plan.record).not.toHaveProperty('$schema')
})

test('a byte order mark, CRLF, tabs between values and JSON are read', async () => {
  expect((await readYaml(`\uFEFF${sound.replaceAll('\n', '\r\n')}`)).name).toBe('a')
  expect((await readYaml('{\n\t"name": "j",\n\t"dataset": "sample",\n\t"methods": ["bm25"]\n}')).name).toBe('j')
})

describe('several files', () => {
  const base = 'name: base\ndataset: sample\nmethods: [bm25, gem-rag]\nbudget: { passages: 3, tokens: 300 }\n'

  test('mappings merge, scalars and lists are replaced, a name grows into a mapping', async () => {
    const { read, folder } = folderWith({
      'base.yaml': base,
      'over.yaml': 'budget: { tokens: 900 }\nmethods: [needy]\ndataset: { limit: 2 }\n',
      'last.yaml': 'methods: [{ use: needy, rounds: 3 }]\nname: last\n',
    })
    const plan = await read(['base.yaml', 'over.yaml', 'last.yaml'])
    expect(plan.name).toBe('last')
    expect(plan.budget).toEqual({ passages: 3, tokens: 900 })
    expect(plan.dataset).toMatchObject({ use: 'sample', limit: 2 })
    expect(plan.methods.map(({ use }) => use)).toEqual(['needy'])
    expect(plan.sources).toEqual(['base.yaml', 'over.yaml', 'last.yaml'].map((name) => join(folder, name)))
  })

  test('errors name their file and come in the order of the files', async () => {
    const { read } = folderWith({ 'base.yaml': base, 'over.yaml': '\nbudget:\n  tokens: 0\n  pages: 3\nseed: x\n' })
    expect(await mistakesOf(read(['base.yaml', 'over.yaml'], { set: ['budget.passages=0'], limit: -1 }))).toEqual([
      '--limit: dataset.limit: Too small: expected number to be >=1',
      '--set budget.passages: budget.passages: Too small: expected number to be >=1',
      'over.yaml:3:11: budget.tokens: Too small: expected number to be >=1',
      'over.yaml:4:3: unknown key in budget: "pages"; did you mean "passages"? (known: passages, tokens)',
      'over.yaml:5:7: seed: expected number, received string',
    ])
  })

  test('an invalid value that a later file replaces is not reported', async () => {
    const { read } = folderWith({ 'base.yaml': `${base}seed: "\${NONE}"\n`, 'over.yaml': 'seed: 7\n' })
    expect((await read(['base.yaml', 'over.yaml'])).seed).toBe(7)
  })
})

describe('unreadable config files', () => {
  test.each<[string, string, Parameters<typeof folderWith>[0]]>([
    [
      'quikstart.yaml',
      'no such file; did you mean "quickstart.yaml"?',
      { 'quickstart.yaml': sound, 'quickstart.txt': '' },
    ],
    ['nowhere/quickstart.yaml', 'no such file', {}],
    ['.', 'is a folder; name a config file in it', {}],
    ['a.yaml', 'is larger than 1 MB; is this a config?', { 'a.yaml': `# ${'x'.repeat(1_000_000)}` }],
    ['a.yaml', 'is not UTF-8 text; is this a config?', { 'a.yaml': Buffer.from('name: caf\u00e9\n', 'latin1') }],
  ])('%s is reported: %s', async (name, message, files) => {
    expect(await mistakesOf(folderWith(files).read([name]))).toEqual([`${name}: ${message}`])
  })

  test('a command without a config file is reported', async () => {
    expect(await mistakesOf(folderWith({}).read([]))).toEqual(['no config file is named; give one with --config FILE'])
  })
})

describe('--set and --limit', () => {
  test('values are YAML; later ones win; a name grows into a mapping; keys of vary keep their dots', async () => {
    const plan = await readYaml('name: a\ndataset: sample\nmethods: [bm25, gem-rag]\n', {
      set: [
        'seed=1',
        'seed=2',
        'name=b=c'.replace('=c', '-c'),
        'methods.0.k1=1.2',
        'budget={tokens: 77}',
        'models.complete={use: openai, model: x}',
        'models.complete.model=y',
        'vary.gem-rag.weights.alpha=[0, 1]',
      ],
      limit: 3,
    })
    expect(plan).toMatchObject({ seed: 2, name: 'b-c', budget: { passages: 5, tokens: 77 }, dataset: { limit: 3 } })
    expect(plan.models.complete.options).toMatchObject({ model: 'y' })
    expect(plan.methods.map(({ variant, options }) => [variant, options])).toMatchObject([
      ['', { k1: 1.2, b: 0.75 }],
      ['weights.alpha=0', { weights: { alpha: 0 } }],
      ['weights.alpha=1', { weights: { alpha: 1 } }],
    ])
    expect(plan.record.dataset).toEqual({ use: 'sample', limit: 3, options: {} })
  })

  test('paths on the command line start from the working folder, paths in a file from the file', async () => {
    const text = 'name: a\ndataset: { use: sample, path: data }\nmethods: [bm25]\n'
    const { read, folder } = folderWith({ 'a.yaml': text })
    expect((await read([join(folder, 'a.yaml')], { cwd: '/' })).dataset.path).toBe(join(folder, 'data'))
    expect((await read([join(folder, 'a.yaml')], { cwd: '/x', set: ['dataset.path=data'] })).dataset.path).toBe(
      '/x/data',
    )
  })
})

test('--methods selects rows in the order of the config, each once', async () => {
  const text = 'name: a\ndataset: sample\nmethods: [bm25, gem-rag, { use: bm25, label: "B, 2" }]\n'
  const plan = await readYaml(text, { methods: ['B, 2', 'bm25', 'bm25'] })
  expect(plan.selectedLabels).toEqual(['bm25', 'B, 2'])
  expect(plan.methods).toHaveLength(3)
})

describe('environment variables', () => {
  test('are expanded in every text, and $${ stands for a literal ${', async () => {
    const text = `name: run
dataset: { use: sample, path: "\${HERE}/x" }
models: { complete: { use: openai, model: "\${A}\${B}-$\${A}", apiKey: "\${A}" } }
methods: [{ use: "\${METHOD}" }]
`
    const environment = { HERE: '/data', A: '${B}', B: '', METHOD: 'bm25' }
    const plan = await readYaml(text, { environment })
    expect(plan.dataset.path).toBe('/data/x')
    expect(plan.methods[0]).toMatchObject({ use: 'bm25' })
    expect(plan.models.complete.options).toMatchObject({ model: '${B}-${A}', apiKey: '${B}' })
  })

  test.each([
    ['a name', sound.replace('name: a', 'name: run-${WHO}'), 'a.yaml:1:7: name: must'],
    ['a label', sound.replace('[bm25]', '[{ use: bm25, label: "by ${WHO}" }]'), 'a.yaml:3:31: methods.0.label: must'],
    [
      'that of a scorer',
      `${sound}scorers: [{ use: accuracy, label: "\${WHO}" }]\n`,
      'a.yaml:4:35: scorers.0.label: must',
    ],
  ])('are refused in %s, which appears in files and tables', async (_what, text, place) => {
    const [mistake] = await mistakesOf(readYaml(text, { environment: { WHO: 'ann' } }))
    expect(mistake).toMatch(place)
    expect(mistake).not.toContain('ann')
  })

  test('a short value is not redacted from unrelated words of an error', async () => {
    const text = `${sound}models: { complete: { use: openai, model: m, apiKey: "\${KEY}" } }\n`.replace(
      'bm25',
      './broken.ts',
    )
    const mistakes = async (KEY: string) => (await mistakesOf(readYaml(text, { environment: { KEY } }))).join()
    expect(await mistakes('k')).toContain('broken.ts')
    expect(await mistakes('k')).not.toContain('KEY')
    expect(await mistakes('broken')).not.toContain('broken')
  })
})
