import { describe, expect, test } from 'vitest'
import { configFolder, fakeRegistries, mistakesOf } from '../test-support/fake-configs.ts'
import { readConfig } from './index.ts'

const config = (prompts: string) => `name: x\ndataset: sample\nmethods: [bm25]\nprompts: ${prompts}\n`

const good = `- role: system
  content: |
    Only from this: {{context}}
- { role: user, content: '{{question}} costs $\{PRICE}, {{options}}' }
`.replace('$\\{', '${')

async function mistakes(prompts: string, file = good): Promise<readonly string[]> {
  const { read, remove } = configFolder({ 'a.yaml': config(prompts), 'mine.yaml': file })
  return mistakesOf(read(['a.yaml'])).finally(remove)
}

describe('prompts of a config', () => {
  test('a prompt file is found next to the config, and the recorded prompts read back', async () => {
    const { folder, read, remove } = configFolder({
      'a.yaml': config('{ answer-choice: ./mine.yaml }'),
      'mine.yaml': good,
    })
    const { prompts, record } = await read(['a.yaml']).finally(remove)
    expect(prompts['answer-choice']?.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Only from this: {{context}}'],
      ['user', '{{question}} costs ${PRICE}, {{options}}'],
    ])
    const settings = { cwd: folder, environment: {} }
    expect((await readConfig({ value: record, name: 'manifest.json' }, settings, fakeRegistries)).prompts).toEqual(
      prompts,
    )
  })

  const mine = '{ answer-choice: ./mine.yaml }'
  test.each<[RegExp, prompts: string, file?: string]>([
    [
      /^a.yaml:4:12: prompts: unknown task "answr-choice"; did you mean "answer-choice"/,
      '{ answr-choice: ./mine.yaml }',
    ],
    [/^a.yaml:4:10: prompts: unknown set "papr"; did you mean "paper"\?/, 'papr'],
    [/^a.yaml:4:28: prompts.draft-question: the set "paper" has no prompt/, '{ draft-question: paper }'],
    [/^.*mime.yaml: no such file; did you mean "mine.yaml"\?$/, '{ answer-choice: ./mime.yaml }'],
    [/mine.yaml:1:1: the prompt of answer-choice: must be a list of messages/, mine, 'Decide!'],
    [/mine.yaml:1:9: .*role: expected one of "system"/, mine, good.replace('system', 'sistem')],
    [
      /mine.yaml:2:3: .*unknown key in 0: "contents"; did you mean "content"/,
      mine,
      good.replace('content: |', 'contents: |'),
    ],
    [/the last message must be one of the user$/, mine, good.replace('role: user', 'role: assistant')],
    [
      /mine.yaml:2:12: .*unknown placeholder "contxt"; did you mean "context"/,
      mine,
      good.replace('{context}', '{contxt}'),
    ],
    [/mine.yaml:1:1: .*lacks the placeholder \{\{options\}\}$/, mine, good.replace(', {{options}}', '')],
    [/mine.yaml:4:26: .*unknown layout "list"/, mine, good.replace('options}}', 'options:list}}')],
    [/a placeholder is written \{\{field\}\} or/, mine, good.replace('{{options}}', '{{options}')],
  ])('%s is reported in one line with its place', async (said, prompts, file) => {
    expect(await mistakes(prompts, file)).toContainEqual(expect.stringMatching(said))
  })

  test('a prompt can be inline and can be varied', async () => {
    const text = `name: x
dataset: sample
methods: [bm25]
vary:
  prompts.answer-choice: [./mine.yaml, [{ role: user, content: '{{context}} {{question}} {{options}}' }]]
`
    const { readAll, remove } = configFolder({ 'a.yaml': text, 'mine.yaml': good })
    const plans = await readAll(['a.yaml']).finally(remove)
    expect(plans.map(({ prompts }) => prompts['answer-choice']?.length)).toEqual([2, 1])
    expect(plans[0]?.variedValues).toMatchObject([{ option: 'prompts.answer-choice', text: './mine.yaml' }])
  })
})
