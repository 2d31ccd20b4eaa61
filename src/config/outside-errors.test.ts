import { test } from 'vitest'
import { expectMistakes, type MistakenConfig } from '../test-support/fake-configs.ts'

type Row = readonly [what: string, ...MistakenConfig]

const sound = 'name: a\ndataset: sample\nmethods: [bm25]\n'
const withMethods = (methods: string): string => `name: a\ndataset: sample\nmethods: ${methods}\n`

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

for (const [room, rows] of Object.entries({ outside }))
  for (const [what, ...config] of rows)
    test(`reports an error from ${room} the config file: ${what}`, () => expectMistakes(config))
