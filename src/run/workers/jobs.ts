import { createMeter, type Meter, type PhaseUsage } from '../../models/index.ts'
import type { IndexLine, TrialLine } from '../../records.ts'
import type { Phase } from '../../types.ts'
import type { IndexAt } from '../asking/build-index.ts'
import type { TrialAt } from '../asking/ask.ts'

/** What a worker is to do, as JSON: build an index, or ask a question of one, which it builds from the shared calls where it has not got it. */
export type Job = {
  /** The number of its corpus in the run, from 0. */
  readonly corpus: number
  /** The id of its row's method. */
  readonly method: string
  /** The repeat that the index was built for. */
  readonly repeat: number
} & ({ readonly kind: 'index'; readonly at: IndexAt } | { readonly kind: 'trial'; readonly at: TrialAt })

/** The name of a job: the id of its line. BullMQ takes no bare number, and adds no job whose name it has. */
export const jobName = ({ kind, at }: Pick<Job, 'kind' | 'at'>): string => `${kind}-${at.id}`

/** What a job made. */
export interface Made {
  readonly line: IndexLine | TrialLine
  /** Whether the index took random numbers. */
  readonly drew: boolean
  readonly spent: Spent
}

/** What came of a job, as JSON. `ended`: so many workers ended at it, and it was not begun again. */
export type JobResult = { readonly job: string } & (
  Made | { readonly ended: number } | { readonly mistake: string } | { readonly unexpected: string }
)

type Spent = Readonly<Partial<Record<Phase, PhaseUsage>>>

const phases: readonly Phase[] = ['index', 'retrieve', 'answer']

/** What a meter counted, by phase. */
export const spentOf = (meter: Meter): Spent => Object.fromEntries(phases.map((phase) => [phase, meter.spent(phase)]))

/** A meter that has counted that. */
export function meterOf(spent: Spent): Meter {
  const meter = createMeter()
  for (const phase of phases) meter.add(phase, spent[phase] ?? {})
  return meter
}
