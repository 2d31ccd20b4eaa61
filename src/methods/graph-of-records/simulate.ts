import { ModelError } from '../../errors.ts'
import { mulberry32 } from '../../math/random.ts'
import { simulateQuery } from '../../tasks/records/simulate-query.ts'
import type { Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import type { GraphOptions } from './options.ts'

/** A question about a chunk, by its place. */
export interface SimulatedQuery {
  readonly text: string
  readonly chunk: number
}

/** `lost`: attempts whose reply could not be read or was refused. */
export interface Simulated {
  readonly queries: readonly SimulatedQuery[]
  readonly attempts: number
  readonly lost: number
}

/** `outcomes`: of each attempt the reply, or the error where it was lost. */
export interface Simulation {
  readonly simulated: Simulated
  readonly outcomes: readonly (string | ModelError)[]
}

type Limits = Pick<GraphOptions, 'simulatedQueries' | 'attempts' | 'maxCalls' | 'queryTemperature'>

/**
 * Distinct questions about chunks that are drawn uniformly with replacement (section 2, step 2); a chunk that is drawn again is asked about
 * with another seed. Attempts end after `attempts` for each question, or where the calls that are left are needed to answer what was asked.
 * Lost attempts are counted, even where all are: other documents may have questions.
 */
export async function simulate(
  chunks: readonly string[],
  models: Models,
  { simulatedQueries: wanted, attempts: most, maxCalls, queryTemperature: temperature }: Limits,
  seed: number,
): Promise<Simulation> {
  const random = mulberry32(seed)
  const drawn = chunks.map(() => 0)
  const accepted = new Map<string, number>()
  const outcomes: (string | ModelError)[] = []
  for (;;) {
    const calls = (maxCalls ?? 2 * wanted) - outcomes.length - accepted.size
    // as many as must be asked whatever their replies are: so they may be asked at once
    const open = Math.min(wanted - accepted.size, most * wanted - outcomes.length, Math.floor(calls / 2))
    if (open <= 0 || chunks.length === 0) break
    const asked = Array.from({ length: open }, () => {
      const chunk = Math.floor(random() * chunks.length)
      const variant = drawn[chunk] ?? 0
      drawn[chunk] = variant + 1
      return { chunk, input: { passage: plain(chunks[chunk] ?? ''), temperature, variant } }
    })
    const replies = await Promise.all(asked.map(({ input }) => attempt(models, simulateQuery, input)))
    for (const [place, { chunk }] of asked.entries()) {
      const reply = replies[place] ?? ''
      outcomes.push(reply)
      const text = reply instanceof ModelError ? '' : questionIn(reply)
      if (text !== '' && !accepted.has(text)) accepted.set(text, chunk)
    }
  }
  const simulated = {
    queries: Array.from(accepted, ([text, chunk]) => ({ text, chunk })),
    attempts: outcomes.length,
    lost: outcomes.filter((one) => one instanceof ModelError).length,
  }
  return { simulated, outcomes }
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The first line of a reply from its first letter on: lists begin with numbers and dashes. */
const questionIn = (reply: string): string => (reply.trim().split('\n')[0] ?? '').replace(/^[^\p{L}]+/u, '').trim()
