import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { stepBack as stepBackTask } from '../tasks/searching.ts'
import { askedMethod } from './shared/asked-methods.ts'
import { askingOne } from './shared/asking-one.ts'
import { inTurns, rewritten, withRewritten } from './shared/rewritten.ts'

const options = z.strictObject({
  of: askedMethod.default('vector').describe('The method that is asked both: a name, a file, or an entry with options'),
})

const over = askingOne<z.infer<typeof options>>({
  tasks: () => [stepBackTask],
  async index() {
    return {
      async rank(query, asked, models) {
        const found = await rewritten(models, stepBackTask, { question: query.text }, 1)
        const rankings = await Promise.all(
          [query.text, ...found.texts].map((text) => asked({ ...query, text }, models)),
        )
        return withRewritten(inTurns(rankings, ['the question', 'the general question']), found)
      },
    }
  },
})

/** A question and a more general one; their passages in turns (our reading of "both are given to the model"). */
export const stepBack = defineMethod({
  name: 'step-back',
  summary:
    'Asks a method the question and a more general one that a language model writes; takes their passages in turns.',
  paper: 'Zheng et al. 2024, Take a Step Back: Evoking Reasoning via Abstraction in Large Language Models',
  options,
  ...over([]),
  over,
})
