import { plain } from '../../text/characters.ts'

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
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `${junitMark} ${totals}>`,
    `  <testsuite name="${escapeXml(suite)}" ${totals}>`,
    ...cases.map((gateCase) => `    ${caseXml(suite, gateCase)}`),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function caseXml(suite: string, { name, failure, error }: GateCase): string {
  const start = `<testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"`
  const children = [
    ...(failure === undefined ? [] : [`<failure message="${escapeXml(failure)}"/>`]),
    ...(error === undefined ? [] : [`<error message="${escapeXml(error)}"/>`]),
  ]
  return children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</testcase>`
}

/** Text of an attribute; control characters, which XML does not allow, are replaced. */
const escapeXml = (text: string): string =>
  plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
