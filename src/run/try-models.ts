import type { ModelRole } from '../basics/roles.ts'
import { itemAt } from '../basics/collections.ts'
import { answerTasks } from '../answering/index.ts'
import { tasksOf } from '../define.ts'
import { abilityOf, providers, tryModel, type ModelFindings, type TryRequest } from '../models/index.ts'
import { canonicalJson } from '../text/hash.ts'
import { tokenizer } from '../text/tokens.ts'
import { modelRequest } from './prepare/open-plan-models.ts'
import { type Prepared, defaultPath } from './prepare/prepare.ts'
import type { Settings } from './prepare/settings.ts'
import { findPlugIn } from './plug-ins/registries.ts'
import { itemOf } from '../basics/loading.ts'
import type { Plan, PlannedPlugIn } from '../config/index.ts'
import { messageOf, UserError } from '../errors.ts'

/** The models of a config, and the systems and scorers that use them. */
export type ModelUse = Pick<Prepared, 'plan' | 'methods' | 'scorers' | 'statistics'>

/** Tries every model of some runs; `begin` is called before each. Throws UserError. */
export async function tryModels(
  runs: readonly ModelUse[],
  { cacheFolder, signal, warn }: Pick<Settings, 'cacheFolder' | 'signal' | 'warn'>,
  begin: (model: TryRequest) => void,
): Promise<readonly ModelFindings[]> {
  const { chunks, prompts: templates } = itemAt(runs, 0).plan
  const context = { cacheFolder, tokenizer: tokenizer(chunks.tokenizer), signal, warn, templates }
  const results: ModelFindings[] = []
  for (const model of wantedTries(runs)) {
    begin(model)
    results.push(await tryModel({ ...model, request: await modelRequest(model.request) }, context))
  }
  return results
}

/** Each model once, with all its roles and tasks. */
function wantedTries(runs: readonly ModelUse[]) {
  const tries = new Map<string, Omit<TryRequest, 'request'> & { readonly request: PlannedPlugIn }>()
  for (const { plan, methods, scorers, statistics } of runs) {
    const { complete, answer, embed, judge, rerank } = plan.models
    const longest = plan.chunks.by === 'none' ? usualText : plan.chunks.size
    const add = (role: ModelRole, request: PlannedPlugIn, tasks: TryRequest['tasks']) => {
      const { use, options } = request
      const key = canonicalJson([abilityOf(role), use, options])
      const before = tries.get(key) ?? { roles: [], request, tasks: [], longest }
      tries.set(key, {
        roles: [...new Set([...before.roles, role])],
        request,
        tasks: [...new Map([...before.tasks, ...tasks].map((task) => [task.name, task])).values()],
        longest: Math.max(before.longest, longest),
      })
    }
    const methodTasks = methods.flatMap(({ method, options }) => tasksOf(method, options))
    const taskOfKind = [...statistics.kinds.keys()].map((kind) => answerTasks[kind])
    const judging = scorers.filter(({ scorer }) => scorer.judge)
    const judgeTasks = judging.flatMap(({ scorer }) => scorer.tasks ?? [])
    add('complete', complete, methodTasks)
    add(answer ? 'answer' : 'complete', answer ?? complete, taskOfKind)
    // the default judge has no options of its own
    if (judging.length > 0) add(judge === complete ? 'complete' : 'judge', judge, judgeTasks)
    add('embed', embed, [])
    if (rerank) add('rerank', rerank, [])
  }
  return [...tries.values()]
}

/** Tokens of a text where documents are not chunked. */
const usualText = 512

/** Missing requirements of a plan, a line each with the remedy. Makes no call. */
export async function missingRequirements(
  plan: Plan,
  { cacheFolder }: Pick<Settings, 'cacheFolder'>,
): Promise<readonly string[]> {
  const models = new Map(Object.values(plan.models).map((model) => [JSON.stringify(model), model]))
  const attempts = [
    async () => {
      const { item: dataset } = await findPlugIn('dataset', plan.dataset)
      await dataset.files(plan.dataset.path ?? defaultPath(dataset.name), plan.dataset.options)
    },
    ...Array.from(models.values(), ({ use, options }) => async () => {
      const provider = await (await itemOf(providers, use)).open(options, { cacheFolder })
      await provider.close?.()
    }),
  ]
  const lines = new Set<string>()
  for (const attempt of attempts)
    await attempt().catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error
      lines.add(messageOf(error))
    })
  return [...lines]
}
