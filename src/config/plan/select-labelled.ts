import type { SelectedPlugIn, PlanContext } from './select-plug-in.ts'
import { selectPlugIn } from './select-plug-in.ts'
import type { Located } from '../source/located-value.ts'
import { child, isExpanded, writtenText } from '../source/located-value.ts'

/** A plug-in under its name in the tables; `shown` is that name as written, for messages and the record. */
export interface LabelledPlugIn extends SelectedPlugIn {
  readonly label: string
  readonly shown: string
  readonly labelled: boolean
}

/** The plug-ins of a list, in order, each under a label of its own; a label that stands twice is reported. */
export async function selectLabelled(
  kind: 'method' | 'scorer',
  list: Located | undefined,
  context: PlanContext,
): Promise<readonly LabelledPlugIn[]> {
  const chosen: LabelledPlugIn[] = []
  for (const [index, node] of (list?.kind === 'list' ? list.items : []).entries()) {
    const choice = await selectPlugIn(kind, node, [`${kind}s`, String(index)], context)
    if (!choice) continue
    const label = child(node, 'label')
    if (label && isExpanded(label))
      context.report(
        label.at,
        `${kind}s.${index}.label: must not hold a variable of the environment, since it stands in every table and file; write it out`,
      )
    const one = withLabel(choice, label)
    const other = chosen.find(({ label }) => label === one.label)
    if (other)
      context.report(
        one.at,
        `two ${kind}s have the name "${one.shown}" (the other: ${other.at.text}); give one of them a label`,
      )
    chosen.push(one)
  }
  return chosen
}

function withLabel(choice: SelectedPlugIn, node: Located | undefined): LabelledPlugIn {
  const own = node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined
  const label = own ?? choice.item.name
  return { ...choice, label, shown: writtenText(node) ?? label, labelled: own !== undefined }
}
