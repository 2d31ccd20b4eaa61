import { readFileSync } from 'node:fs'
import { z } from 'zod'

const caseOf = <I, E>(input: z.ZodType<I>, answerSchema: z.ZodType<E>) =>
  z.object({ id: z.string(), input, expected: answerSchema, tags: z.array(z.string()) })

const form = z.object({
  choice: z.array(
    caseOf(
      z.object({ options: z.array(z.string()), asked: z.enum(['number', 'letter']), reply: z.string() }),
      z.number().nullable(),
    ),
  ),
  verdict: z.array(caseOf(z.object({ reply: z.string() }), z.boolean().nullable())),
})

/** The gold cases of a section of vectors/answers.json. */
export function answersOf<S extends keyof z.output<typeof form>>(section: S): z.output<typeof form>[S] {
  return form.parse(JSON.parse(readFileSync(new URL('vectors/answers.json', import.meta.url), 'utf8')))[section]
}

interface GoldAnswer<I> {
  readonly id: string
  readonly input: I
  readonly expected: unknown
  readonly tags: readonly string[]
}

/** How many of the cases agree, by tag, a line each; `share`: of all that are not "hard"; `wrong`: ids of these. */
export function casesByTag<I>(cases: readonly GoldAnswer<I>[], read: (input: I) => unknown) {
  const tags = new Map<string, { right: number; all: number }>()
  const results = cases.map((testCase) => ({ ...testCase, isRight: read(testCase.input) === testCase.expected }))
  for (const { tags: names, isRight } of results)
    for (const name of names) {
      const { right, all } = tags.get(name) ?? { right: 0, all: 0 }
      tags.set(name, { right: right + Number(isRight), all: all + 1 })
    }
  const counting = results.filter(({ tags: names }) => !names.includes('hard'))
  const wrong = counting.flatMap(({ id, isRight }) => (isRight ? [] : [id]))
  const lines = [...tags].map(([name, { right, all }]) => `${name}: ${right} of ${all}`).join('\n')
  return { said: lines, wrong, share: 1 - wrong.length / counting.length }
}
