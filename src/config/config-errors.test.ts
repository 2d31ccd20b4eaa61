import { test } from 'vitest'
import { expectMistakes, type MistakenConfig } from '../test-support/fake-configs.ts'

type Row = readonly [what: string, ...MistakenConfig]

const sound = 'name: a\ndataset: sample\nmethods: [bm25]\n'
const withMethods = (methods: string): string => `name: a\ndataset: sample\nmethods: ${methods}\n`
const topKeys =
  '(known: name, dataset, chunks, budget, answers, models, prompts, methods, scorers, compare, repeats, judgeRuns, seed, concurrency, limits, train, vary, design)'
const folderName =
  'name: must start with a letter or digit and contain only letters, digits, "-", "_" and "." (it names a folder)'

const syntax: readonly Row[] = [
  ['an empty file', '', 'a.yaml:1:1: is empty'],
  [
    'an unclosed list',
    'name: a\nmethods: [bm25\nseed: 1\n',
    'a.yaml:3:1: not valid YAML: flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  [
    'two documents',
    `${sound}---\nname: b\n`,
    'a.yaml:4:1: a second YAML document begins here; a config must be a single one',
  ],
  ['a key that is a list', `${sound}? [a]\n: b\n`, 'a.yaml:4:3: a key must be text'],
  ['a duplicate key', `${sound}seed: 1\nseed: 2\n`, 'a.yaml:5:1: this key is set twice in its mapping'],
  ['an alias without anchor', `${sound}seed: *lucky\n`, 'a.yaml:4:7: the alias *lucky has no anchor &lucky before it'],
  ['an alias of itself', 'name: &me { a: *me }\n', 'a.yaml:1:1: nested more than 64 levels deep'],
  ['deep nesting', `name: ${'['.repeat(50_000)}`, 'a.yaml:1:1: nested more than 64 levels deep'],
]

const shape: readonly Row[] = [
  ['only a name', 'name: a\n', ['a.yaml:1:1: "dataset" is missing', 'a.yaml:1:1: "methods" is missing']],
  ['an unknown key', `${sound}repeat: 3\n`, `a.yaml:4:1: unknown key "repeat"; did you mean "repeats"? ${topKeys}`],
  [
    'a misspelt required key, which is not reported as missing, too',
    'name: a\ndataset: sample\nmethod: [bm25]\n',
    `a.yaml:3:1: unknown key "method"; did you mean "methods"? ${topKeys}`,
  ],
  ['the key of a prototype', `${sound}__proto__: { a: 1 }\n`, `a.yaml:4:1: unknown key "__proto__" ${topKeys}`],
  [
    'a key with a line break',
    `${sound}"se\\ned": 3\n`,
    `a.yaml:4:1: unknown key "se ed"; did you mean "seed"? ${topKeys}`,
  ],
  ['text for a number', `${sound}seed: many\n`, 'a.yaml:4:7: seed must be a number, not the text "many"'],
  [
    'a fraction for a whole number',
    `${sound}budget:\n  tokens: 1.5\n`,
    'a.yaml:5:11: budget.tokens must be a whole number, not 1.5',
  ],
  [
    'a misspelt choice',
    `${sound}chunks: { by: sentence }\n`,
    'a.yaml:4:15: chunks.by must be "tokens", "sentences", "paragraphs", "headings", "recursive", "semantic" or "none", not the text "sentence"; did you mean "sentences"?',
  ],
  [
    'an overlap as large as the chunk',
    `${sound}chunks: { size: 50, overlap: 50 }\n`,
    'a.yaml:4:30: chunks.overlap: must be less than chunks.size',
  ],
  ['a name that leaves its folder', sound.replace('a\n', './a\n'), `a.yaml:1:7: ${folderName}`],
  ['no methods', 'name: a\ndataset: sample\nmethods: []\n', 'a.yaml:3:10: methods must have at least 1 item'],
]

const outside: readonly Row[] = [
  ['--set without value', sound, '--set seed: must be key=value, as in --set budget.tokens=500', { set: ['seed'] }],
  [
    '--set without key',
    sound,
    '--set =3: the key before "=" is incomplete; write names joined by single dots, as in budget.tokens',
    { set: ['=3'] },
  ],
  [
    '--set of an unknown key',
    sound,
    '--set budget.token=3: unknown key in budget: "token"; did you mean "tokens"? (known: passages, tokens)',
    { set: ['budget.token=3'] },
  ],
  [
    '--set of an absent item',
    sound,
    '--set methods.1.k1=2: the list methods has no item "1" (number of items: 1, counted from 0)',
    { set: ['methods.1.k1=2'] },
  ],
  [
    '--set of a secret',
    sound,
    [
      '--set models.complete=***: "models.complete.model" is missing',
      '--set models.complete=***: models.complete.apiKey must be text, not a number',
    ],
    { set: ['models.complete={use: openai, apiKey: 5}'] },
  ],
  [
    '--methods of an unknown label',
    sound,
    '--methods bm52: the config has no such row; unknown method "bm52"; did you mean "bm25"? (known: bm25)',
    { methods: ['bm52'] },
  ],
  [
    'an unset variable, with the most similar name that is set',
    `${sound}models:\n  complete: { use: openai, model: "\${MODEL}" }\n`,
    'a.yaml:5:35: environment variable MODEL is not set, neither in the environment nor in .env; did you mean MODLE, which is?',
    { environment: { MODLE: 'hush' } },
  ],
  [
    'a variable without name',
    `${sound}models:\n  complete: { use: openai, model: "\${my model}" }\n`,
    'a.yaml:5:35: "${my model}" does not name an environment variable; for a literal "${" write "$${"',
  ],
  [
    'a variable with the name of no method',
    withMethods('["${METHOD}"]'),
    'a.yaml:3:11: unknown method "${METHOD}" (known: bm25, gem-rag, needy, picky)',
    { environment: { METHOD: 'hush' } },
  ],
  [
    'a variable whose value a message of a schema repeats',
    withMethods('[{ use: picky, hint: "${KEY}" }]'),
    'a.yaml:3:31: methods.0.hint: {"low":0,"high":1,"hint":"${KEY}"} is a key',
    { environment: { KEY: 'sk-hush' } },
  ],
]

const registries: readonly Row[] = [
  [
    'an unknown dataset',
    `name: a\ndataset: smaple\nmethods: [bm25]\n`,
    'a.yaml:2:10: unknown dataset "smaple"; did you mean "sample"? (known: sample, qasper)',
  ],
  [
    'an unknown split',
    `name: a\ndataset: { use: qasper, split: tran }\nmethods: [bm25]\n`,
    'a.yaml:2:32: dataset.options.split must be "train" or "dev", not the text "tran"; did you mean "train"?',
  ],
  [
    'a split of a dataset without splits',
    `name: a\ndataset: { use: sample, split: dev }\nmethods: [bm25]\n`,
    'a.yaml:2:25: unknown key in dataset.options: "split" (no keys are known here)',
  ],
  [
    'a split twice',
    `name: a\ndataset: { use: qasper, split: dev, options: { split: dev } }\nmethods: [bm25]\n`,
    'a.yaml:2:32: dataset.split is set twice: here and in dataset.options; remove one',
  ],
  [
    'an unknown method',
    withMethods('[bm52]'),
    'a.yaml:3:11: unknown method "bm52"; did you mean "bm25"? (known: bm25, gem-rag, needy, picky)',
  ],
  [
    'a method twice',
    withMethods('\n  - bm25\n  - gem-rag\n  - { use: bm25, k1: 2 }'),
    'a.yaml:6:12: two methods have the name "bm25" (the other: a.yaml:4:5); give one of them a label',
  ],
  [
    'an unknown option',
    withMethods('[{ use: bm25, k2: 2 }]'),
    'a.yaml:3:24: unknown key in methods.0: "k2"; did you mean "k1"? (known: use, label, budget, k1, b)',
  ],
  [
    'an option of several types with a value of another type',
    withMethods('[{ use: gem-rag, mode: [eigen] }]'),
    'a.yaml:3:33: methods.0.mode must be "eigen", "flat", a number or a mapping, not a list',
  ],
  ['a missing option', withMethods('[bm25, needy]'), 'a.yaml:3:17: "methods.1.rounds" is missing'],
  [
    'options that contradict a default',
    withMethods('[{ use: picky, high: -1 }]'),
    'a.yaml:3:11: methods.0.low: must be below high',
  ],
  [
    'an unknown scorer',
    `${sound}scorers: [acuracy]\n`,
    'a.yaml:4:11: unknown scorer "acuracy"; did you mean "accuracy"? (known: accuracy, judged)',
  ],
  [
    'a model that cannot embed',
    `${sound}models: { embed: extractive }\n`,
    'a.yaml:4:18: models.embed: "extractive" cannot embed (can: minilm, openai)',
  ],
  [
    'a bad address',
    `${sound}models: { complete: { use: openai, model: m, baseUrl: here } }\n`,
    'a.yaml:4:55: models.complete.baseUrl must be a valid url, not the text "here"',
  ],
  [
    'an API key that is a number',
    `${sound}models: { complete: { use: openai, model: m, apiKey: 12345 } }\n`,
    'a.yaml:4:54: models.complete.apiKey must be text, not a number',
  ],
  [
    "a plug-in's file that is absent",
    withMethods('[./mien.ts]'),
    'a.yaml:3:11: no such file "./mien.ts" (full path: …/mien.ts)',
  ],
  ["a plug-in's file of no use", withMethods('[{ use: ./broken.ts }]'), 'a.yaml:3:18: …/broken.ts exports no method'],
  [
    'a file in another language',
    withMethods('[./mine.py]'),
    'a.yaml:3:11: unknown method "./mine.py" (known: bm25, gem-rag, needy, picky); the path of a file must end in .ts, .js or .mjs',
  ],
]

const vary: readonly Row[] = [
  [
    'a method without an option',
    `${sound}vary: { bm25: [1] }\n`,
    'a.yaml:4:9: key "bm25" in vary must be method.option, as in gem-rag.components, or a key of the config, as in chunks.size',
  ],
  [
    'a wrong value that all variants share, reported once',
    withMethods('[{ use: bm25, b: 7 }]') + 'vary: { bm25.k1: [1, 2] }\n',
    'a.yaml:3:27: methods.0.b must be at most 1, not 7',
  ],
  [
    'a label',
    `${sound}vary: { bm25.label: [x, y] }\n`,
    'a.yaml:4:9: "label" cannot be varied; only the options of a method can be',
  ],
  [
    'an option twice',
    withMethods('[{ use: bm25, label: x }]') + 'vary: { x.b: [0], bm25.b: [1] }\n',
    'a.yaml:4:19: "b" of x is varied twice',
  ],
  [
    'too many variants',
    `${sound}vary: { bm25.b: [${list(40)}], bm25.k1: [${list(40)}] }\n`,
    'a.yaml:4:259: gives 1600 variants of bm25; the limit is 1000',
  ],
]

/** That many different numbers. */
function list(length: number): string {
  return Array.from({ length }, (_, index) => (index / 100).toFixed(2)).join(', ')
}

for (const [part, rows] of Object.entries({ syntax, shape, outside, registries, vary }))
  for (const [what, ...config] of rows) test(`reports an error of ${part}: ${what}`, () => expectMistakes(config))
