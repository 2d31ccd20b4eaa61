import pc from 'picocolors'
import { refuseForeignFile } from '../basics/files.ts'
import type { Threshold, ThresholdCheck } from '../report/gate/thresholds.ts'
import { escapeXml } from '../report/page-head.ts'
import { replaceFile } from '../run/index.ts'
import { plain } from '../text/characters.ts'
import { exitCodes } from './ending.ts'
import { printNotice } from './terminal/print.ts'

/** The flags of every command that can end as a gate of a CI job. */
export interface GateFlags {
  readonly min?: readonly Threshold[]
  readonly junit?: string
}

/** One result of a gate: `failure` for an outcome that must not pass, `error` for one that could not be determined. */
export interface GateCase {
  readonly name: string
  readonly failure?: string
  readonly error?: string
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
  for (const { name, isMet, value } of checks) {
    const outcome = isMet ? pc.green('passed') : pc.red('failed')
    printNotice(`${outcome} ${plain(`--min: ${name}; it is ${value}`)}`)
  }
  if (checks.some(({ isMet }) => !isMet)) process.exitCode = exitCodes.worse
  if (junit === undefined) return
  const thresholdCases = checks.map(({ name, isMet, value }): GateCase => ({
    name,
    ...(!isMet && { failure: `it is ${value}` }),
  }))
  await replaceFile(junit, junitXml(suite, [...cases, ...thresholdCases]))
}

/** The beginning of a JUnit file of this program, by which it may be overwritten. */
const junitMark = '<testsuites name="gembench"'

/** The cases of a gate as JUnit XML, which CI systems display. */
function junitXml(suite: string, cases: readonly GateCase[]) {
  const count = (kind: 'failure' | 'error') => cases.filter((gateCase) => gateCase[kind] !== undefined).length
  const failureCount = count('failure')
  const errorCount = count('error')
  const totals = `tests="${cases.length}" failures="${failureCount}" errors="${errorCount}"`
  const children = ({ failure, error }: GateCase) => {
    if (failure !== undefined) return `<failure message="${escapeXml(failure)}"/>`
    return error === undefined ? '' : `<error message="${escapeXml(error)}"/>`
  }
  const lines = cases.map((gateCase) => {
    const attributes = `classname="${escapeXml(suite)}" name="${escapeXml(gateCase.name)}"`
    return `    <testcase ${attributes}>${children(gateCase)}</testcase>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
${junitMark} ${totals}>
  <testsuite name="${escapeXml(suite)}" ${totals}>
${lines.join('\n')}
  </testsuite>
</testsuites>
`
}
