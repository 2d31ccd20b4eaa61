import { expand } from './environment.ts'
import { explain } from './explain.ts'
import { change, type Change } from './merge.ts'
import { noMistakes, type Report } from './mistakes.ts'
import { parseYaml } from './parse-yaml.ts'
import { plain } from './placed.ts'
import type { Menus, Plan } from './plan.ts'
import { planMethods } from './plan-methods.ts'
import { planModels } from './plan-models.ts'
import { readSet } from './read-set.ts'
import type { ReadSettings } from './read.ts'
import { configSchema } from './schema.ts'

/** As much of a plan as a drawing of a text needs: a config's defaults for one method, changed by `--set`. Throws UserError as a config would. */
export async function readForText(
  method: string,
  { set = [], cwd, environment }: ReadSettings,
  menus: Menus,
): Promise<Pick<Plan, 'methods' | 'models' | 'chunks' | 'budget' | 'seed'>> {
  const mistakes = noMistakes()
  const { report } = mistakes
  const at = { text: '--method', order: [0], folder: cwd }
  const standard = parseYaml(JSON.stringify({ name: 'text', dataset: 'text', methods: [method] }), () => at, report)
  const changes = set.flatMap((one) => readChange(one, method, cwd, report) ?? [])
  mistakes.stop()
  const changed = changes.reduce((root, wanted) => root && change(root, wanted, report), standard)
  if (!changed) throw new Error('the config of a text went unread')
  const { root, hide } = expand(changed, environment, report)
  const desk = { menus, hide, report }
  const result = configSchema.safeParse(plain(root))
  if (!result.success)
    explain(result.error.issues, { ...desk, node: root, schema: configSchema, path: [], besides: [] })
  const models = await planModels(root, desk)
  const { methods } = await planMethods(root, [], desk)
  mistakes.stop()
  if (!result.data || !models) throw new Error('a mistake went unreported')
  const { chunks, budget, seed } = result.data
  return { chunks, budget, seed, methods, models: models.models }
}

const known = ['chunks', 'budget', 'models', 'seed']

/** A change of an option of the method, as `vary` names it, or of a key that says something about a text. */
function readChange(set: string, method: string, cwd: string, report: Report): Change | undefined {
  const wanted = readSet(set, cwd, report)
  const [first = '', ...rest] = wanted?.path ?? []
  if (!wanted || known.includes(first)) return wanted
  if (first === method && rest.length > 0) return { ...wanted, path: ['methods', '0', ...rest] }
  report(
    wanted.at,
    `says nothing about a text; with --text, set ${method}.option, or a key below ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
  )
  return undefined
}
