import { itemNamed } from '../../basics/loading.ts'
import { checkOptions, selectPlugIn, type PlanContext } from './select-plug-in.ts'
import { descend, type Located } from '../source/located-value.ts'
import type { Plan, Planned } from './plan.ts'
import { defaultModels } from '../schema.ts'

/** The models, and how they stand in the record. */
export interface PlannedModels {
  readonly models: Plan['models']
  readonly record: Readonly<Partial<Record<keyof Plan['models'], unknown>>>
}

/** A model for each role, the complete model by default. Undefined, and reported, when a role has mistakes. */
export async function planModels(root: Located, context: PlanContext): Promise<PlannedModels | undefined> {
  const complete = await planModel('complete', root, context)
  const embed = await planModel('embed', root, context)
  const judge = descend(root, ['models', 'judge']) ? await planModel('judge', root, context) : complete
  const answers = descend(root, ['models', 'answer']) !== undefined
  const answer = answers ? await planModel('answer', root, context) : undefined
  const reranks = descend(root, ['models', 'rerank']) !== undefined
  const rerank = reranks ? await planModel('rerank', root, context) : undefined
  if (!complete || !embed || !judge || (answers && !answer) || (reranks && !rerank)) return undefined
  return {
    models: {
      complete: complete.planned,
      ...(answer && { answer: answer.planned }),
      embed: embed.planned,
      judge: judge.planned,
      ...(rerank && { rerank: rerank.planned }),
    },
    record: {
      complete: complete.record,
      ...(answer && { answer: answer.record }),
      embed: embed.record,
      judge: judge.record,
      ...(rerank && { rerank: rerank.record }),
    },
  }
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

async function planModel(
  role: keyof typeof abilities,
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
  const kinds = context.menus.models
  const object = choice.object === undefined ? undefined : context.menus.objects?.models.get(choice.object)
  const model = object?.item ?? (await itemNamed(kinds, choice.item.name))
  if (!model.can.includes(ability)) {
    const able = (await kinds.all()).filter(({ can }) => can.includes(ability)).map(({ name }) => name)
    context.report(choice.at, `${path.join('.')}: "${choice.use}" cannot ${ability} (can: ${able.join(', ')})`)
    return undefined
  }
  const price = descend(choice.options, ['price'])
  const lacking = price?.kind === 'mapping' ? prices[ability].filter((kind) => !price.entries.has(kind)) : []
  for (const kind of lacking)
    context.report(price?.at ?? choice.at, `"${[...path, 'price', kind].join('.')}" is missing`)
  const planned = await checkOptions(choice, choice.options, context)
  return planned && lacking.length === 0 ? { planned, record: { use: choice.use, ...planned.record } } : undefined
}
