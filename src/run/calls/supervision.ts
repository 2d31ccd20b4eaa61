import { writeSync } from 'node:fs'
import { onGroups } from '../../basics/processes.ts'

/** The environment variable that tells a process that another one supervises it, and what is known from before. */
export const supervisedBy = 'GEMBENCH_SUPERVISED'

/** The pipe on which a supervised process says, a line of JSON each, which calls of plug-ins begin and end. */
export const reportsFd = 4

/**
 * What a supervisor knows from processes that it had to end: why calls failed, by key; why functions are called no more, by `functionOf`; and
 * that calls are to be made one at a time.
 */
export interface Known {
  readonly failed: Readonly<Record<string, string>>
  readonly withdrawn: Readonly<Record<string, string>>
  readonly oneAtATime: boolean
}

/**
 * A call that begins: its key, whose function it is (`mine`), of which file and options, which one (`index()`), and how long it may take, as
 * which key of a config says.
 */
export interface Begun {
  readonly begins: string
  readonly whose: string
  readonly who: string
  readonly doing: string
  readonly seconds: number
  readonly limit: string
}

/** Which function a call is of: rows of one plug-in with other options have their own. */
export const functionOf = ({ whose, doing }: Pick<Begun, 'whose' | 'doing'>): string => `${whose} ${doing}`

/** A line on the pipe: a call begins, or the one of that key ends; a group of processes lives, or has ended. */
export type Report = Begun | { readonly ends: string } | Group

/** A group of processes that must not outlive the run, by the id of its first one. */
export interface Group {
  readonly group: number
  readonly lives: boolean
}

/** What is said of a call that takes too long. */
export const tooLong = ({ doing, seconds, limit }: Pick<Begun, 'doing' | 'seconds' | 'limit'>): string =>
  `${doing} did not end within ${seconds} s (${limit})`

const given = process.connected ? process.env[supervisedBy] : undefined
// it is meant for this process alone, not for those that it starts
delete process.env.GEMBENCH_SUPERVISED

/** Whether another process supervises this one (`cli/start.ts`): that one listens to signals and ends calls that block. */
export const isSupervised = given !== undefined

/** What is known from processes before this one. */
export const known: Known =
  given !== undefined ? (JSON.parse(given) as Known) : { failed: {}, withdrawn: {}, oneAtATime: false }

let called = false

/** Whether a plug-in's function was called in this process: it may have left timers that never end. */
export const havePlugInsRun = (): boolean => called

/** Tells the supervisor at once, before anything else can block this process. */
export function report(line: Report): void {
  if (!('group' in line)) called = true
  if (!isSupervised) return
  try {
    writeSync(reportsFd, `${JSON.stringify(line)}\n`)
  } catch {
    // the supervisor has ended, and this process hears of it
  }
}

onGroups((group, lives) => report({ group, lives }))
