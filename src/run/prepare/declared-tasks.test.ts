import { beforeAll, expect, test } from 'vitest'
import { answerTasks } from '../../answering/index.ts'
import { methods } from '../../methods/index.ts'
import { tasksOf } from '../../define.ts'
import { createUsageCounter, inMemoryCache, openModels, type OpenedModels } from '../../models/index.ts'
import { scorers } from '../../scorers/index.ts'
import { tasks } from '../../tasks/index.ts'
import { tokenizer } from '../../text/tokens.ts'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'
import { requiredInput } from '../../testing/scorer.ts'
import type { AnyTask, Models, Phase, Reference } from '../../types.ts'
import { checkScore } from '../scoring/score-lines.ts'

const everyScorer = await scorers.all()

let opened: OpenedModels
beforeAll(async () => {
  const { signal } = new AbortController()
  const context = { cache: inMemoryCache(), tokenizer: tokenizer('o200k_base'), cacheFolder: '', signal }
  const [offline, embed] = [
    { use: 'extractive', options: {} },
    { use: 'fake', options: {} },
  ]
  opened = await openModels({ complete: offline, judge: offline, embed }, context)
})

/** The models offline, with the names of the tasks that were run. */
function recording(phase: Phase, request: Set<string>): Models {
  const models = opened.scope({ phase, sample: 0, seed: [1], counter: createUsageCounter() })
  return { ...models, run: (task, input) => (request.add(task.name), models.run(task, input)) }
}

const namesOf = (declared: readonly AnyTask[] = []): readonly string[] => declared.map(({ name }) => name).sort()

const text =
  'Tamsin Vale, the keeper of the mill at Orrin, built the weir of Lisk in 1801. Maud Sloe moved to Harrowgate.'

/** The options of scorers that read a file. */
const ofFiles: Readonly<Record<string, string>> = {
  assertions: JSON.stringify([{ question_id: 'q', assertions: [{ statement: 'Vale built the weir of Lisk.' }] }]),
  labels: JSON.stringify({ question: 'Who?', response: 'Vale.', adherence_score: true }),
}

function optionsOf({ name, options }: (typeof everyScorer)[number]): unknown {
  const content = ofFiles[name]
  return options.parse(content === undefined ? {} : { file: fileOf(content) })
}

const references: readonly Reference[] = [
  { kind: 'choice', options: ['Tamsin Vale', 'Nobody'], correct: 0 },
  { kind: 'answer', accepted: [{ text: 'Tamsin Vale built the weir of Lisk.' }] },
  { kind: 'summary', accepted: ['Tamsin Vale built the weir of Lisk.'] },
  { kind: 'turn', accepted: 'Tamsin Vale built the weir of Lisk.' },
]
test.each(everyScorer)('$name declares every task that it runs and stays within its ranges', async (scorer) => {
  const request = new Set<string>()
  for (const reference of references.filter(({ kind }) => scorer.kinds.includes(kind))) {
    const passage = { text, score: 1, from: ['d#0'], kind: 'chunk', tokens: 9, documents: ['d'], spans: [] } as const
    const input = {
      question: { id: 'q', text: 'Who built the weir of Lisk?', reference, evidence: [{ documentId: 'd' }] },
      context: [{ ...passage, evidence: [0], paragraphs: [] }],
      answer: { text: 'Tamsin Vale built the weir of Lisk in 1801.', choice: 1 },
      relevant: ['d#0'],
      ...requiredInput(scorer.needs?.(optionsOf(scorer))),
    }
    const score = await scorer.score(input, recording('judge', request), optionsOf(scorer))
    checkScore(score, { label: scorer.name, scorer })
  }
  expect([...request].sort()).toEqual(namesOf(scorer.tasks))
})

test('the offline provider supports every built-in task', async () => {
  const declared = [...(await methods.all()), ...everyScorer].flatMap((item) => tasksOf(item, item.options.parse({})))
  for (const task of [...Object.values(answerTasks), ...tasks, ...declared])
    expect(opened.refusal('answer', task)).toBeUndefined()
})
