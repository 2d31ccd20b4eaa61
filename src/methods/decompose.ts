import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { splitQuestion } from '../tasks/searching.ts'
import { askedMethod } from './shared/asked-methods.ts'
import { askingOne } from './shared/asking-one.ts'
import { inTurns, rewritten, withRewritten } from './shared/rewritten.ts'

const options = z.strictObject({
  of: askedMethod.default('vector').describe('The method that is asked them: a name, a file, or an entry with options'),
})

/** The most questions that one is split into (our reading). */
const count = 4

const over = askingOne<z.infer<typeof options>>({
  tasks: () => [splitQuestion],
  async index() {
    return {
      async rank(query, asked, models) {
        const found = await rewritten(models, splitQuestion, { question: query.text, count }, count)
        const texts = [query.text, ...found.texts.filter((text) => text !== query.text)]
        const rankings = await Promise.all(texts.map((text) => asked({ ...query, text }, models)))
        const names = texts.map((_, at) => (at === 0 ? 'the question' : `part ${at}`))
        return withRewritten(inTurns(rankings, names), found)
      },
    }
  },
})

/** A question and the simpler ones that it is made of, asked at the same time; their passages in turns. */
export const decompose = defineMethod({
  name: 'decompose',
  summary:
    'Asks a method the question and the simpler questions that a language model splits it into; takes their passages in turns.',
  options,
  ...over([]),
  over,
})
