import { test } from 'vitest'
import { expectMistakes, type MistakenConfig } from '../test-support/fake-configs.ts'

type Row = readonly [what: string, ...MistakenConfig]

const sound = 'name: a\ndataset: sample\nmethods: [bm25]\n'
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
    'a.yaml:4:15: chunks.by must be one of "tokens", "sentences", "paragraphs", "headings", "recursive", "semantic", "none", not the text "sentence"; did you mean "sentences"?',
  ],
  [
    'an overlap as large as the chunk',
    `${sound}chunks: { size: 50, overlap: 50 }\n`,
    'a.yaml:4:30: chunks.overlap: must be less than chunks.size',
  ],
  ['a name that leaves its folder', sound.replace('a\n', './a\n'), `a.yaml:1:7: ${folderName}`],
  ['no methods', 'name: a\ndataset: sample\nmethods: []\n', 'a.yaml:3:10: methods must have at least 1 item'],
]

for (const [room, rows] of Object.entries({ syntax, shape }))
  for (const [what, ...config] of rows) test(`reports an error of ${room}: ${what}`, () => expectMistakes(config))
