import type { Config } from '../schema.ts'
import { child, writtenText, type Located } from '../source/located-value.ts'
import { rowNamed } from '../../text/names-in-tables.ts'
import type { Row } from '../../records.ts'
import type { PlannedCompare } from './plan.ts'
import type { PlanContext } from './select-plug-in.ts'

/** How rows are to be compared; a baseline that is none of the rows of the config is reported. Undefined where the config does not say. */
export function planCompare(
  root: Located,
  compare: Config['compare'],
  rows: readonly Row[],
  { report, hide }: PlanContext,
): PlannedCompare | undefined {
  if (!compare) return undefined
  const { baseline: name, metric, alternative, margin } = compare
  const nodeOf = (key: string): Located | undefined => child(child(root, 'compare'), key)
  const baseline = name === undefined ? undefined : rowNamed(name, rows)
  if (typeof baseline === 'string') {
    report(nodeOf('baseline')?.at ?? root.at, `compare.baseline: ${hide(baseline)}`)
    return undefined
  }
  return {
    ...(baseline && { baseline }),
    ...(metric !== undefined && {
      metric: {
        name: metric,
        shown: writtenText(nodeOf('metric')) ?? metric,
        at: nodeOf('metric')?.at.text ?? root.at.text,
      },
    }),
    alternative,
    ...(margin !== undefined && { margin }),
  }
}
