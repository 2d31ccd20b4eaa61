import { test } from 'vitest'
import { expectMistakes, type MistakenConfig } from '../test-support/fake-configs.ts'

const sound = 'name: a\ndataset: sample\nmethods: [bm25]\n'
const withMethods = (methods: string): string => `name: a\ndataset: sample\nmethods: ${methods}\n`

const syntax: readonly MistakenConfig[] = [
  ['', 'a.yaml:1:1: is empty'],
  ['name: a\nmethods: [bm25\nseed: 1\n', 'a.yaml:3:1: not valid YAML'],
  [`${sound}---\nname: b\n`, 'a.yaml:4:1: a second YAML document begins here'],
  [`${sound}? [a]\n: b\n`, 'a.yaml:4:3: a key must be text'],
  [`${sound}seed: 1\nseed: 2\n`, 'a.yaml:5:1: this key is set twice in its mapping'],
  [`${sound}seed: *lucky\n`, 'a.yaml:4:7: the alias *lucky has no anchor &lucky before it'],
  ['name: &me { a: *me }\n', 'a.yaml:1:1: nested more than 64 levels deep'],
  [`name: ${'['.repeat(50_000)}`, 'a.yaml:1:1: nested more than 64 levels deep'],
]

const shape: readonly MistakenConfig[] = [
  ['name: a\n', ['a.yaml:1:1: "dataset" is missing', 'a.yaml:1:1: "methods" is missing']],
  [`${sound}repeat: 3\n`, `a.yaml:4:1: unknown key "repeat"; did you mean "repeats"?`],
  ['name: a\ndataset: sample\nmethod: [bm25]\n', `a.yaml:3:1: unknown key "method"; did you mean "methods"?`],
  [`${sound}__proto__: { a: 1 }\n`, `a.yaml:4:1: unknown key "__proto__"`],
  [`${sound}"se\\ned": 3\n`, `a.yaml:4:1: unknown key "se ed"; did you mean "seed"?`],
  [`${sound}budget:\n  tokens: 1.5\n`, 'a.yaml:5:11: budget.tokens: expected int, received number'],
  [`${sound}chunks: { by: sentence }\n`, 'a.yaml:4:15: chunks.by: expected one of "tokens"'],
  [`${sound}chunks: { size: 50, overlap: 50 }\n`, 'a.yaml:4:30: chunks.overlap: must be less than chunks.size'],
  [sound.replace('a\n', './a\n'), 'a.yaml:1:7: name: must start with a letter or digit'],
  ['name: a\ndataset: sample\nmethods: []\n', 'a.yaml:3:10: methods: Too small'],
]

const outside: readonly MistakenConfig[] = [
  [sound, '--set seed: must be key=value', { set: ['seed'] }],
  [sound, '--set : must be key=value', { set: ['=3'] }],
  [sound, '--set budget.token: unknown key in budget: "token"; did you mean "tokens"?', { set: ['budget.token=3'] }],
  [sound, '--set methods.1.k1: the list has no item "1"', { set: ['methods.1.k1=2'] }],
  [
    sound,
    [
      '--set models.complete: "models.complete.model" is missing',
      '--set models.complete: models.complete.apiKey: expected string, received number',
    ],
    { set: ['models.complete={use: openai, apiKey: 5}'] },
  ],
  [
    sound,
    '--methods bm52: the config has no such row; unknown method "bm52"; did you mean "bm25"?',
    { methods: ['bm52'] },
  ],
  [
    `${sound}models:\n  complete: { use: openai, model: "\${MODEL}" }\n`,
    'a.yaml:5:35: environment variable MODEL is not set, neither in the environment nor in .env; did you mean MODLE',
    { environment: { MODLE: 'hush' } },
  ],
  [
    `${sound}models:\n  complete: { use: openai, model: "\${my model}" }\n`,
    'a.yaml:5:35: "${my model}" does not name an environment variable',
  ],
  [withMethods('["${METHOD}"]'), 'a.yaml:3:11: unknown method "${METHOD}"', { environment: { METHOD: 'hush' } }],
  [
    withMethods('[{ use: picky, hint: "${KEY}" }]'),
    'a.yaml:3:31: methods.0.hint: {"low":0,"high":1,"hint":"${KEY}"} is a key',
    { environment: { KEY: 'sk-hush' } },
  ],
]

const registries: readonly MistakenConfig[] = [
  [`name: a\ndataset: smaple\nmethods: [bm25]\n`, 'a.yaml:2:10: unknown dataset "smaple"; did you mean "sample"?'],
  [
    `name: a\ndataset: { use: qasper, options: { split: tran } }\nmethods: [bm25]\n`,
    'a.yaml:2:43: dataset.options.split: expected one of "train"|"dev"; did you mean "train"?',
  ],
  [
    `name: a\ndataset: { use: qasper, split: dev }\nmethods: [bm25]\n`,
    'a.yaml:2:25: unknown key in dataset: "split" (known: use, path, limit, onBadRecord, options); an option of the dataset stands under options: { split: … }',
  ],
  [withMethods('[bm52]'), 'a.yaml:3:11: unknown method "bm52"; did you mean "bm25"?'],
  [
    withMethods('\n  - bm25\n  - gem-rag\n  - { use: bm25, k1: 2 }'),
    'a.yaml:6:12: two methods have the name "bm25" (the other: a.yaml:4:5)',
  ],
  [withMethods('[{ use: bm25, label: 007 }]'), 'a.yaml:3:31: methods.0.label: expected string, received number'],
  [withMethods('[{ use: bm25, k2: 2 }]'), 'a.yaml:3:24: unknown key in methods.0: "k2"; did you mean "k1"?'],
  [
    withMethods('[{ use: gem-rag, mode: [eigen] }]'),
    'a.yaml:3:33: methods.0.mode: expected one of "eigen"|"flat", or expected number',
  ],
  [withMethods('[bm25, needy]'), 'a.yaml:3:17: "methods.1.rounds" is missing'],
  [withMethods('[{ use: picky, high: -1 }]'), 'a.yaml:3:11: methods.0.low: must be below high'],
  [`${sound}scorers: [acuracy]\n`, 'a.yaml:4:11: unknown scorer "acuracy"; did you mean "accuracy"?'],
  [
    `${sound}models: { embed: extractive }\n`,
    'a.yaml:4:18: models.embed: "extractive" cannot embed (can: minilm, openai)',
  ],
  [withMethods('[./mien.ts]'), 'a.yaml:3:11: no such file "./mien.ts" (full path: …/mien.ts)'],
  [withMethods('[{ use: ./broken.ts }]'), 'a.yaml:3:18: …/broken.ts exports no method'],
  [withMethods('[./mine.py]'), 'a.yaml:3:11: unknown method "./mine.py"'],
]

const vary: readonly MistakenConfig[] = [
  [`${sound}vary: { bm25: [1] }\n`, 'a.yaml:4:9: key "bm25" in vary must be method.option'],
  [withMethods('[{ use: bm25, b: 7 }]') + 'vary: { bm25.k1: [1, 2] }\n', 'a.yaml:3:27: methods.0.b: Too big'],
  [`${sound}vary: { bm25.label: [x, y] }\n`, 'a.yaml:4:9: "label" cannot be varied'],
  [
    withMethods('[{ use: bm25, label: x }]') + 'vary: { x.b: [0], bm25.b: [1] }\n',
    'a.yaml:4:19: "b" of x is varied twice',
  ],
  [
    `${sound}vary: { bm25.b: [${list(40)}], bm25.k1: [${list(40)}] }\n`,
    'a.yaml:4:259: gives 1600 variants of bm25; the limit is 1000',
  ],
]

/** That many different numbers. */
function list(length: number): string {
  return Array.from({ length }, (_, index) => (index / 100).toFixed(2)).join(', ')
}

for (const [part, rows] of Object.entries({ syntax, shape, outside, registries, vary }))
  for (const config of rows) test(`reports an error of ${part}: ${config[1].toString()}`, () => expectMistakes(config))
