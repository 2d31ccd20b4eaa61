import { join } from 'node:path'
import { isAnswerTask } from '../answering/index.ts'
import type { Plan, PlannedScorer } from '../config/index.ts'
import { checkedCorpora, datasetChecksum, datasets } from '../datasets/index.ts'
import { UserError } from '../errors.ts'
import { methods } from '../methods/index.ts'
import { openCache, memoryCache, type Cache } from '../models/cache.ts'
import { openModels, type OpenedModels } from '../models/index.ts'
import type { ModelRecord } from '../records.ts'
import { scorers } from '../scorers/index.ts'
import { tasks } from '../tasks/index.ts'
import { promptHash } from '../tasks/prompt-hash.ts'
import { tokenizer } from '../text/tokens.ts'
import type { AnswerStyle, Corpus, Dataset } from '../types.ts'
import type { Contestant } from './ask.ts'
import { byContent, plugInId, settingHash } from './identity.ts'
import type { Judge } from './judge-all.ts'
import { loadPlugIn } from './plug-in.ts'
import { packageFolder } from './surroundings.ts'
import { limited, survey, type Survey } from './survey.ts'

/** Where a run reads and writes, and when it must stop. */
export interface Settings {
  /** Folder of all results. */
  readonly results: string
  /** Folder of the call cache and of models built once. */
  readonly cacheFolder: string
  /** Whether calls are kept on disk. */
  readonly cache: boolean
  readonly signal: AbortSignal
}

/** A plan with everything opened that it names. Nothing has been asked or written yet. */
export interface Prepared {
  readonly plan: Plan
  readonly dataset: Dataset
  readonly path: string
  readonly files: readonly string[]
  readonly checksum: string
  readonly survey: Survey
  readonly corpora: () => AsyncIterable<Corpus>
  readonly models: OpenedModels
  readonly contestants: readonly Contestant[]
  readonly judges: readonly Judge[]
  readonly style: AnswerStyle
  readonly prompts: Readonly<Record<string, { readonly version: number; readonly hash: string }>>
  readonly hash: string
  close(): Promise<void>
}

/** Opens what a plan names and checks what can be checked before anything is asked. Throws UserError. */
export async function prepare(plan: Plan, settings: Settings): Promise<Prepared> {
  const dataset = await datasetOf(plan)
  const path = plan.dataset.path ?? defaultPath(dataset.name)
  const files = await dataset.files(path, plan.dataset.options)
  const checksum = await datasetChecksum(files)
  const corpora = (): AsyncIterable<Corpus> => limited(dataset.corpora(path, plan.dataset.options), plan.dataset.limit)
  const counts = await survey(limited(checkedCorpora(dataset, path, plan.dataset.options), plan.dataset.limit))
  const contestants = await contestantsOf(plan, dataset)
  const cache = settings.cache ? await openCache(join(settings.cacheFolder, 'calls')) : memoryCache()
  const models = await openAll(plan, settings, cache)
  const judges = await judgesOf(plannedScorers(plan, counts), models)
  const style = plan.answers ?? dataset.answers ?? 'sentence'
  const prompts = Object.fromEntries(
    tasks
      .filter(isAnswerTask)
      .map((task) => [task.name, { version: task.version, hash: promptHash(task).slice(0, 12) }]),
  )
  const { complete, answer, embed } = models.describe()
  const hash = settingHash({
    dataset: { name: dataset.name, checksum, options: plan.dataset.options },
    chunks: plan.chunks,
    budget: plan.budget,
    answers: style,
    models: {
      complete: withoutPrice(complete),
      ...(answer && { answer: withoutPrice(answer) }),
      embed: withoutPrice(embed),
    },
    prompts,
    seed: plan.seed,
  })
  const close = async (): Promise<void> => {
    await models.close()
    await cache.close()
  }
  return {
    plan,
    dataset,
    path,
    files,
    checksum,
    survey: counts,
    corpora,
    models,
    contestants,
    judges,
    style,
    prompts,
    hash,
    close,
  }
}

/** A price says what calls cost, not what they give. */
const withoutPrice = ({ price: _price, ...record }: ModelRecord): ModelRecord => record

/** Where a dataset lies when the config does not say: the sample in this package, all others below the working directory. */
export const defaultPath = (name: string): string =>
  join(name === 'sample' ? packageFolder : process.cwd(), 'datasets', name)

/** The dataset that a plan names. */
export async function datasetOf({ dataset: { use, file } }: Plan): Promise<Dataset> {
  if (file !== undefined) return loadPlugIn('dataset', file)
  return found(datasets, use)
}

async function contestantsOf(plan: Plan, dataset: Dataset): Promise<readonly Contestant[]> {
  const asked = plan.methods.filter(({ label }) => plan.asked === null || plan.asked.includes(label))
  return Promise.all(
    asked.map(async ({ label, variant, use, options, record, file }) => {
      const method = file === undefined ? found(methods, use) : await loadPlugIn('method', file)
      if (method.sees === 'evidence' && !dataset.evidence) {
        throw new UserError(
          `the method "${label}" needs the evidence of each question, and the dataset "${dataset.name}" has none: leave it out`,
        )
      }
      return {
        row: { method: label, variant },
        id: await plugInId([method.name, await byContent(method, options)], file),
        use,
        method,
        options,
        record,
      }
    }),
  )
}

/** The scorers of the plan, or, where it names none, every one that fits a question, asks no model and does not wait to be named. */
const plannedScorers = (plan: Plan, { kinds }: Survey): readonly PlannedScorer[] =>
  plan.scorers ??
  scorers
    .filter((scorer) => !scorer.judge && !scorer.onRequest && scorer.kinds.some((kind) => kinds.has(kind)))
    .map(({ name, options }) => ({ use: name, label: name, options: options.parse({}), record: {} }))

/** The scorers with their identities; that of a judge changes with its model. */
export function judgesOf(planned: readonly PlannedScorer[], models: OpenedModels): Promise<readonly Judge[]> {
  return Promise.all(
    planned.map(async ({ label, use, options, record, file }) => {
      const scorer = file === undefined ? found(scorers, use) : await loadPlugIn('scorer', file)
      const judge = scorer.judge ? withoutPrice(models.describe().judge) : null
      const counted = await byContent(scorer, options)
      const id = await plugInId([scorer.name, scorer.version, counted, judge], file)
      return { label, id, use: file ?? use, scorer, options, record }
    }),
  )
}

const openAll = (plan: Plan, { cacheFolder, signal }: Settings, cache: Cache): Promise<OpenedModels> =>
  openModels(plan.models, { cache, tokenizer: tokenizer(plan.chunks.tokenizer), cacheFolder, signal })

/** The plug-in of that name; the config was read against the same menus. */
function found<T extends { readonly name: string }>(menu: readonly T[], name: string): T {
  const plugIn = menu.find((one) => one.name === name)
  if (!plugIn) throw new UserError(`there is no "${name}"`)
  return plugIn
}
