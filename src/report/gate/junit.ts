import { escapeXml } from '../page-head.ts'

/** One result of a gate: `failure` for an outcome that must not pass, `error` for one that could not be determined. */
export interface GateCase {
  readonly name: string
  readonly failure?: string
  readonly error?: string
}

/** The beginning of a JUnit file of this program, by which it may be overwritten. */
export const junitMark = '<testsuites name="gembench"'

/** The cases of a gate as JUnit XML, which CI systems display. */
export function junitXml(suite: string, cases: readonly GateCase[]): string {
  const count = (kind: 'failure' | 'error'): number => cases.filter((gateCase) => gateCase[kind] !== undefined).length
  const totals = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`
  const children = ({ failure, error }: GateCase): string => {
    if (failure !== undefined) return `<failure message="${escapeXml(failure)}"/>`
    return error === undefined ? '' : `<error message="${escapeXml(error)}"/>`
  }
  const lines = cases.map(
    (gateCase) =>
      `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(gateCase.name)}">${children(gateCase)}</testcase>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
${junitMark} ${totals}>
  <testsuite name="${escapeXml(suite)}" ${totals}>
${lines.join('\n')}
  </testsuite>
</testsuites>
`
}
