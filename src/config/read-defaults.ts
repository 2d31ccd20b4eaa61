import { expandEnvironment } from './source/expand-environment.ts'
import { change, type Change } from './source/merge.ts'
import { emptyErrorList, type ReportError } from './errors/error-list.ts'
import { locate } from './source/located-value.ts'
import { checkShape } from './plan/make-plan.ts'
import type { Menus, Plan } from './plan/plan.ts'
import { planMethods } from './plan/plan-methods.ts'
import { planModels } from './plan/plan-models.ts'
import { readSet } from './source/read-set.ts'
import type { ReadSettings } from './read.ts'

/** As much of a plan as a drawing of a text needs: a config's defaults for one method, changed by `--set`. Throws UserError as a config would. */
export const readForText = (method: string, settings: ReadSettings, menus: Menus): Promise<PlanOfDefaults> =>
  readDefaults(
    { flag: '--text', what: 'a text', keys: ['chunks', 'budget', 'limits', 'models', 'seed'], method },
    settings,
    menus,
  )

/** As much of a plan as a question to an exported index needs: a config's defaults, changed by `--set`. Throws UserError as a config would. */
export async function readForIndex(settings: ReadSettings, menus: Menus): Promise<Omit<PlanOfDefaults, Made>> {
  const indexed = { flag: '--graph', what: 'an exported index', keys: ['answers', 'budget', 'models', 'seed'] }
  const { chunks: _chunks, methods: _methods, ...plan } = await readDefaults(indexed, settings, menus)
  return plan
}

/** What an exported index has already. */
type Made = 'chunks' | 'methods'

type PlanOfDefaults = Pick<Plan, 'methods' | 'models' | 'chunks' | 'budget' | 'seed' | 'answers' | 'limits'>

/** What stands in for a config: the flag that does, in words, and the keys that `--set` may change; of one method its options, too. */
interface Replaced {
  readonly flag: string
  readonly what: string
  readonly keys: readonly string[]
  readonly method?: string
}

async function readDefaults(
  replaced: Replaced,
  { set = [], cwd, environment }: ReadSettings,
  menus: Menus,
): Promise<PlanOfDefaults> {
  const errors = emptyErrorList()
  const { report } = errors
  const at = { text: '--method', order: [0], folder: cwd }
  const standard = locate({ name: 'text', dataset: 'text', methods: [replaced.method ?? 'gem-rag'] }, at)
  const changes = set.flatMap((one) => readChange(one, replaced, cwd, report) ?? [])
  errors.stop()
  const changed = changes.reduce((root, wanted) => change(root, wanted, report), standard)
  const { root, hide } = expandEnvironment(changed, environment, report)
  const context = { menus, hide, report }
  const config = checkShape(root, context)
  const models = await planModels(root, context)
  const { methods } = await planMethods(root, { asked: [], varied: [] }, context)
  errors.stop()
  if (!config || !models) throw new Error('an error was not reported')
  const { chunks, budget, seed, answers, limits } = config
  return { chunks, budget, seed, limits, methods, models: models.models, ...(answers && { answers }) }
}

/** A change of an option of the method, as `vary` names it, or of a key that says something about what is asked. */
function readChange(
  set: string,
  { flag, what, keys, method }: Replaced,
  cwd: string,
  report: ReportError,
): Change | undefined {
  const wanted = readSet(set, cwd, report)
  const [first = '', ...rest] = wanted?.path ?? []
  if (!wanted || keys.includes(first)) return wanted
  if (first === method && rest.length > 0) return { ...wanted, path: ['methods', '0', ...rest] }
  const options = method === undefined ? '' : `${method}.option, or `
  report(
    wanted.at,
    `does not apply to ${what}; with ${flag}, set ${options}a key below ${keys.slice(0, -1).join(', ')} or ${keys.at(-1)}`,
  )
  return undefined
}
