import { mapRoles, type ByRole } from '../basics/roles.ts'
import { checkOptions, selectPlugIn, type PlanContext } from './select-plug-in.ts'
import { descend, type Located } from './located-value.ts'
import type { Plan, Planned } from './plan.ts'
import { defaultModels } from './schema.ts'

/** A model for each role, the complete model by default. Undefined, and reported, when a role has mistakes. */
export async function planModels(
  root: Located,
  context: PlanContext,
): Promise<{ readonly models: Plan['models']; readonly record: ByRole<unknown> } | undefined> {
  const planned = (role: Role) => planModel(role, root, context)
  const isNamed = (role: Role): boolean => descend(root, ['models', role]) !== undefined
  const complete = await planned('complete')
  const embed = await planned('embed')
  const judge = isNamed('judge') ? await planned('judge') : complete
  const answer = isNamed('answer') && (await planned('answer'))
  const rerank = isNamed('rerank') && (await planned('rerank'))
  if (!complete || !embed || !judge || answer === undefined || rerank === undefined) return undefined
  const all = { complete, embed, judge, ...(answer && { answer }), ...(rerank && { rerank }) }
  return { models: mapRoles(all, (one) => one.planned), record: mapRoles(all, ({ record }) => record) }
}

/** The prices that a model in a role must have where it has any. */
const prices = { complete: ['prompt', 'completion'], embed: ['embedding'], rerank: ['prompt'] } as const

const abilities = {
  complete: 'complete',
  answer: 'complete',
  judge: 'complete',
  embed: 'embed',
  rerank: 'rerank',
} as const

type Role = keyof typeof abilities

async function planModel(
  role: Role,
  root: Located,
  context: PlanContext,
): Promise<{ planned: Planned; record: unknown } | undefined> {
  const path = ['models', role]
  const standard: Located = {
    kind: 'scalar',
    at: root.at,
    value: defaultModels[role === 'embed' ? 'embed' : 'complete'],
  }
  const choice = await selectPlugIn('model', descend(root, path) ?? standard, path, context)
  if (!choice) return undefined
  const ability = abilities[role]
  if (!choice.item.can?.includes(ability)) {
    const able = (await context.menus.models.all()).filter(({ can }) => can.includes(ability)).map(({ name }) => name)
    context.report(choice.at, `${path.join('.')}: "${choice.record.use}" cannot ${ability} (can: ${able.join(', ')})`)
    return undefined
  }
  const price = descend(choice.options, ['price'])
  const lacking = price?.kind === 'mapping' ? prices[ability].filter((kind) => !price.entries.has(kind)) : []
  for (const kind of lacking)
    context.report(price?.at ?? choice.at, `"${[...path, 'price', kind].join('.')}" is missing`)
  const planned = await checkOptions(choice, choice.options, context)
  return planned && lacking.length === 0 ? { planned, record: { ...choice.record, ...planned.record } } : undefined
}
