import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { vectorsFolder } from './golden.ts'

interface GoldAnswer<I> {
  readonly id: string
  readonly input: I
  readonly expected: unknown
  readonly tags: readonly string[]
}

/** The inputs of the sections of answers.json. */
interface GoldInputs {
  readonly contains: {
    readonly reference: string | readonly string[]
    readonly answer: string
    readonly question?: string
  }
  readonly choice: {
    readonly options: readonly string[]
    readonly asked: 'number' | 'letter'
    readonly reply: string
  }
  readonly verdict: { readonly reply: string }
}

/** The gold cases of a section that are read otherwise; `hard`: how many more there are that need a language model. */
export function disagreements<S extends keyof GoldInputs>(section: S, read: (input: GoldInputs[S]) => unknown) {
  const file = JSON.parse(readFileSync(join(vectorsFolder, 'answers.json'), 'utf8')) as Record<string, unknown>
  const cases = file[section] as readonly GoldAnswer<GoldInputs[S]>[]
  const wrong = cases.filter(({ input, expected }) => read(input) !== expected)
  const isHard = ({ tags }: GoldAnswer<unknown>): boolean => tags.includes('hard')
  const ids = wrong.flatMap((one) => (isHard(one) ? [] : [one.id]))
  return { ids, hard: wrong.filter(isHard).length, share: ids.length / cases.filter((one) => !isHard(one)).length }
}
