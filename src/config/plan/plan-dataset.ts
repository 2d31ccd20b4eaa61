import type { PlanContext } from './select-plug-in.ts'
import { checkOptions, selectPlugIn } from './select-plug-in.ts'
import type { Located } from '../source/located-value.ts'
import { child, descend, writtenValue } from '../source/located-value.ts'
import { placedPath } from '../source/placed-path.ts'
import type { PlannedDataset } from './plan.ts'

/** The dataset, and how it stands in the record. Undefined when it has mistakes, which are reported. */
export async function planDataset(
  root: Located,
  context: PlanContext,
): Promise<{ dataset: PlannedDataset; record: unknown } | undefined> {
  const node = child(root, 'dataset')
  if (descend(node, ['options', 'split']) && child(node, 'split'))
    context.report(
      descend(node, ['split'])?.at ?? root.at,
      'dataset.split is set twice: here and in dataset.options; remove one',
    )
  const choice = await selectPlugIn('dataset', node, ['dataset', 'options'], context)
  const planned = choice && checkOptions(choice, choice.options, context)
  if (!planned) return undefined
  const path = child(node, 'path')
  const limit = child(node, 'limit')
  return {
    dataset: {
      ...planned,
      ...(path?.kind === 'scalar' && { path: placedPath(String(path.value), path) }),
      ...(limit?.kind === 'scalar' && { limit: Number(limit.value) }),
    },
    record: {
      use: choice.use,
      ...(path && { path: writtenValue(path) }),
      ...(limit && { limit: writtenValue(limit) }),
      options: planned.record,
    },
  }
}
