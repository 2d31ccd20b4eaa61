import { resolve } from 'node:path'
import type { Desk } from './choose.ts'
import { checkOptions, choose } from './choose.ts'
import type { Placed } from './placed.ts'
import { child, descend, plainWritten } from './placed.ts'
import type { PlannedDataset } from './plan.ts'

/** The dataset, and how it stands in the record. Undefined when it has mistakes, which are reported. */
export async function planDataset(
  root: Placed,
  desk: Desk,
): Promise<{ dataset: PlannedDataset; record: unknown } | undefined> {
  const node = child(root, 'dataset')
  if (descend(node, ['options', 'split']) && child(node, 'split'))
    desk.report(descend(node, ['split'])?.at ?? root.at, 'dataset.split stands twice: here and in dataset.options')
  const choice = await choose('dataset', node, ['dataset', 'options'], desk)
  const planned = choice && checkOptions(choice, choice.options, desk)
  if (!planned) return undefined
  const path = child(node, 'path')
  const limit = child(node, 'limit')
  return {
    dataset: {
      ...planned,
      ...(path?.kind === 'scalar' && { path: resolve(path.at.folder, String(path.value)) }),
      ...(limit?.kind === 'scalar' && { limit: Number(limit.value) }),
    },
    record: {
      use: choice.use,
      ...(path && { path: plainWritten(path) }),
      ...(limit && { limit: plainWritten(limit) }),
      options: planned.record,
    },
  }
}
