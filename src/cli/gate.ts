import pc from 'picocolors'
import { refuseForeignFile } from '../basics/files.ts'
import { junitMark, junitXml, type GateCase } from '../report/gate/junit.ts'
import type { Threshold, ThresholdCheck } from '../report/gate/thresholds.ts'
import { replaceFile } from '../run/index.ts'
import { plain } from '../text/characters.ts'
import { exitCodes } from './ending.ts'
import { printNotice } from './terminal/print.ts'

/** The flags of every command that can end as a gate of a CI job. */
export interface GateFlags {
  readonly min?: readonly Threshold[]
  readonly junit?: string
}

/** Throws UserError if another program has written the file of `--junit`. */
export async function refuseOtherJunit({ junit }: GateFlags): Promise<void> {
  if (junit !== undefined) await refuseForeignFile(junit, junitMark, 'name another file with --junit')
}

/** Ends a command as a gate: prints the thresholds, writes the JUnit file, and sets the exit code. */
export async function closeGate(
  suite: string,
  cases: readonly GateCase[],
  checks: readonly ThresholdCheck[],
  { junit }: GateFlags,
): Promise<void> {
  for (const { name, isMet, value } of checks)
    printNotice(`${isMet ? pc.green('passed') : pc.red('failed')} ${plain(`--min: ${name}; it is ${value}`)}`)
  if (checks.some(({ isMet }) => !isMet)) process.exitCode = exitCodes.worse
  if (junit === undefined) return
  const thresholdCases = checks.map(({ name, isMet, value }): GateCase => ({
    name,
    ...(!isMet && { failure: `it is ${value}` }),
  }))
  await replaceFile(junit, junitXml(suite, [...cases, ...thresholdCases]))
}
