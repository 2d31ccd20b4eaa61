import { dirname, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { expand } from './environment.ts'
import { explain } from './explain.ts'
import type { Change } from './merge.ts'
import { change, merge } from './merge.ts'
import type { Mistakes, Report } from './mistakes.ts'
import { noMistakes } from './mistakes.ts'
import { parseYaml } from './parse-yaml.ts'
import type { Placed } from './placed.ts'
import { plain } from './placed.ts'
import { planDataset } from './plan-dataset.ts'
import { planMethods, planScorers } from './plan-methods.ts'
import { planModels } from './plan-models.ts'
import type { Menus, Plan } from './plan.ts'
import { readSet } from './read-set.ts'
import { readText } from './read-text.ts'
import { recordOf } from './record.ts'
import type { Config } from './schema.ts'
import { configSchema } from './schema.ts'

/** What a command line adds to the config files. */
export interface ReadSettings {
  /** `a.b=c`, in order; the value is YAML. */
  readonly set?: readonly string[]
  /** Labels of the methods to keep. */
  readonly methods?: readonly string[]
  readonly limit?: number
  /** Where relative paths of the command line start from. */
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Reads an experiment from YAML files, later ones over earlier ones, and `--set` over all of them.
 * Throws UserError with one line `file:line:column: what is wrong; did you mean …` for each mistake, at most ten.
 */
export async function readConfig(sources: readonly string[], settings: ReadSettings, menus: Menus): Promise<Plan> {
  const mistakes = noMistakes()
  const written = await readLayers(sources, settings, mistakes)
  const { root, hide } = expand(written, settings.environment, mistakes.report)
  const desk = { menus, hide, report: mistakes.report }
  const config = checkShape(root, desk)
  const dataset = await planDataset(root, desk)
  const models = await planModels(root, desk)
  const methods = await planMethods(root, settings.methods ?? [], desk)
  const scorers = await planScorers(root, desk)
  mistakes.stop()
  if (!config || !dataset || !models || root.kind !== 'mapping')
    throw new Error('a mistake in a config went unreported')
  const { name, chunks, budget, answers, repeats, judgeRuns, seed, concurrency } = config
  const record = { ...recordOf(root, config, hide) }
  delete record.$schema
  return {
    ...{ name, chunks, budget, repeats, judgeRuns, seed, concurrency },
    ...(answers && { answers }),
    dataset: dataset.dataset,
    models: models.models,
    methods: methods.methods,
    ...(scorers && { scorers: scorers.scorers }),
    asked: methods.asked,
    record: {
      ...record,
      dataset: dataset.record,
      models: models.record,
      methods: methods.record,
      ...(scorers && { scorers: scorers.record }),
    },
    sources: sources.map((source) => resolve(settings.cwd, source)),
  }
}

/** The files, one over the other, and the command line over them. */
async function readLayers(sources: readonly string[], settings: ReadSettings, mistakes: Mistakes): Promise<Placed> {
  let root: Placed | undefined
  for (const [index, source] of sources.entries()) {
    const layer = await readFile(source, index, settings.cwd, mistakes.report)
    if (layer) root = merge(root, layer)
  }
  const changes = readChanges(settings, mistakes.report)
  mistakes.stop()
  if (!root) throw new UserError('no config file was named; give one with --config')
  for (const wanted of changes) root = change(root, wanted, mistakes.report)
  mistakes.stop()
  return root
}

async function readFile(source: string, index: number, cwd: string, report: Report): Promise<Placed | undefined> {
  const file = resolve(cwd, source)
  const text = await readText(file, source, report)
  const at = (line: number, column: number) => ({
    text: `${source}:${line}:${column}`,
    order: [index + 1, line, column],
    folder: dirname(file),
  })
  return text === undefined ? undefined : parseYaml(text, at, report)
}

function readChanges(settings: ReadSettings, report: Report): readonly Change[] {
  const changes = (settings.set ?? []).map((set) => readSet(set, settings.cwd, report))
  const { limit } = settings
  if (limit !== undefined) {
    const at = { text: `--limit ${limit}`, order: [Infinity], folder: settings.cwd }
    changes.push({ at, path: ['dataset', 'limit'], value: () => ({ kind: 'scalar', at, value: limit }) })
  }
  return changes.filter((wanted) => wanted !== undefined)
}

function checkShape(
  root: Placed,
  desk: { readonly report: Report; readonly hide: (text: string) => string },
): Config | undefined {
  const result = configSchema.safeParse(plain(root))
  if (!result.success)
    explain(result.error.issues, { ...desk, node: root, schema: configSchema, path: [], besides: [] })
  return result.data
}
