import type { Choice, Desk } from './choose.ts'
import { choose } from './choose.ts'
import type { Placed } from './placed.ts'
import { child, writtenText } from './placed.ts'

/** A plug-in under its name in the tables; `shown` is that name as written, for messages and the record. */
export interface Labelled extends Choice {
  readonly label: string
  readonly shown: string
  readonly labelled: boolean
}

/** The plug-ins of a list, in order, each under a label of its own; a label that stands twice is reported. */
export async function chooseLabelled(
  kind: 'method' | 'scorer',
  list: Placed | undefined,
  desk: Desk,
): Promise<readonly Labelled[]> {
  const chosen: Labelled[] = []
  for (const [index, node] of (list?.kind === 'list' ? list.items : []).entries()) {
    const choice = await choose(kind, node, [`${kind}s`, String(index)], desk)
    if (!choice) continue
    const one = withLabel(choice, child(node, 'label'))
    const twin = chosen.find(({ label }) => label === one.label)
    if (twin)
      desk.report(one.at, `two ${kind}s are called "${one.shown}" (the other: ${twin.at.text}); give one a label`)
    chosen.push(one)
  }
  return chosen
}

function withLabel(choice: Choice, node: Placed | undefined): Labelled {
  const own = node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
  const label = own ?? choice.item.name
  return { ...choice, label, shown: writtenText(node) ?? label, labelled: own !== undefined }
}
