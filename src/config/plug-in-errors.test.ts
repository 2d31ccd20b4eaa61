import { test } from 'vitest'
import { expectMistakes, type MistakenConfig } from '../test-support/fake-configs.ts'

type Row = readonly [what: string, ...MistakenConfig]

const sound = 'name: a\ndataset: sample\nmethods: [bm25]\n'
const withMethods = (methods: string): string => `name: a\ndataset: sample\nmethods: ${methods}\n`

const registries: readonly Row[] = [
  [
    'an unknown dataset',
    `name: a\ndataset: smaple\nmethods: [bm25]\n`,
    'a.yaml:2:10: unknown dataset "smaple"; did you mean "sample"? (known: sample, qasper)',
  ],
  [
    'an unknown split',
    `name: a\ndataset: { use: qasper, split: tran }\nmethods: [bm25]\n`,
    'a.yaml:2:32: dataset.options.split must be one of "train", "dev", not the text "tran"; did you mean "train"?',
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
    'a.yaml:3:33: methods.0.mode must be "eigen" or "flat" or a number or a mapping, not a list',
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
    'an unknown method',
    `${sound}vary: { bm52.k1: [1] }\n`,
    'a.yaml:4:9: unknown method or key of the config "bm52"; did you mean "bm25"? (known: bm25, dataset, chunks, budget, answers, models, prompts, scorers, repeats, judgeRuns, seed, limits)',
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

for (const [room, rows] of Object.entries({ registries, vary }))
  for (const [what, ...config] of rows) test(`reports an error of ${room}: ${what}`, () => expectMistakes(config))
