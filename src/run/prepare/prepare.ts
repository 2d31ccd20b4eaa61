import { answerTasks, withoutUnanswerable } from '../../answering/index.ts'
import { defaultPassages, type Plan, type PlannedCompare } from '../../config/index.ts'
import type { CompareRecord, Manifest } from '../../records.ts'
import { checkedCorpora, datasetChecksum } from '../../datasets/index.ts'
import { UserError } from '../../errors.ts'
import { tasks } from '../../tasks/index.ts'
import { hashOf, canonicalJson } from '../../text/hash.ts'
import { promptHash } from '../../tasks/task.ts'
import type { AnswersWanted, Corpus, Dataset, PromptTemplates } from '../../types.ts'
import { methodEntriesOf } from './method-entries.ts'
import { findPlugIn } from '../plug-ins/registries.ts'
import { modelIdentity, optionsByContent } from './identity.ts'
import {
  plannedScorers,
  scorerEntriesOf,
  scorerForAnswers,
  refuseUnknownOpponents,
  type ScorerEntry,
} from './scorer-entries.ts'
import type { Settings } from './settings.ts'
import { openPlanModels } from './open-plan-models.ts'
import { firstQuestions, countDataset, type DatasetStatistics } from './dataset-statistics.ts'
import { findMetric } from '../../text/names.ts'
import { join } from 'node:path'
import { packageFolder } from '../../basics/files.ts'
import { refuseOtherEmbedder, refuseUnableModels, requirePrices, vectorsOf, calledRoles } from './check-models.ts'

/** A plan with everything opened that it names. No call has been made, nothing is written. */
export type Prepared = Awaited<ReturnType<typeof prepare>>

/** Opens what a plan names and checks what can be checked before any call. Throws UserError. */
export async function prepare(plan: Plan, settings: Settings) {
  const { options, limit, onBadRecord } = plan.dataset
  const { objects } = settings
  const { item: dataset, digest } = await findPlugIn('dataset', plan.dataset, objects)
  const path = plan.dataset.path ?? defaultPath(dataset.name)
  const files = await dataset.files(path, options)
  const fileDigest = await datasetChecksum(files)
  const checksum = digest === undefined ? fileDigest : hashOf([digest, fileDigest])
  const corpora = (): AsyncIterable<Corpus> => firstQuestions(dataset.corpora(path, options, onBadRecord), limit)
  const key = canonicalJson(plan.dataset)
  const checkedData = firstQuestions(checkedCorpora(dataset, path, options, onBadRecord), limit)
  const statistics = settings.statistics?.get(key) ?? (await countDataset(checkedData))
  settings.statistics?.set(key, statistics)
  const methods = await methodEntriesOf(plan, dataset, statistics, objects)
  const { models, close } = await openPlanModels(plan, settings)
  try {
    const scorerPlan = await plannedScorers(plan, dataset, statistics, scorerForAnswers(dataset, models))
    const scorers = await scorerEntriesOf(scorerPlan, models, statistics.language, objects)
    const compare = plan.compare && compareRecordOf(plan.compare, scorers)
    refuseUnableModels(models, methods, scorers)
    refuseUnknownOpponents(
      scorers,
      plan.methods.map(({ label, variant }) => ({ method: label, variant })),
    )
    for (const { file, embedder } of vectorsOf(methods)) {
      if (embedder) refuseOtherEmbedder(file, embedder, models)
    }
    requirePrices(calledRoles(scorers), models, settings)
    const requestedStyle = styleOfRun(plan, dataset, statistics, scorers)
    const style = statistics.answerable ? withoutUnanswerable(requestedStyle) : requestedStyle
    const deepPlan = withDepth(plan, style)
    const { chunks, budget, seed, indexPerRepeat, variedValues: varied } = deepPlan
    const prompts = promptsOf(statistics.kinds, style, plan.prompts)
    const { complete, answer, embed } = models.identify()
    // names of fields are hashed, too: they must not change
    const setting = {
      dataset: {
        name: dataset.name,
        checksum,
        options: {
          ...(await optionsByContent(dataset, options)),
          ...(onBadRecord === 'skip' && { onBadRecord }),
        },
        ...(dataset.version !== undefined && { version: dataset.version }),
        ...(dataset.names && { names: dataset.names(files, path) }),
      },
      chunks,
      budget,
      answers: style,
      models: {
        complete: modelIdentity(complete),
        ...(answer && { answer: modelIdentity(answer) }),
        embed: modelIdentity(embed),
      },
      prompts,
      seed,
      ...(!indexPerRepeat && { indexPerRepeat }),
      // varied keys may not be part of the rest
      ...(varied.length > 0 && { varied }),
    }
    return {
      plan: deepPlan,
      dataset,
      path,
      files,
      checksum,
      statistics,
      corpora,
      models,
      methods,
      scorers,
      compare,
      style,
      prompts,
      hash: hashOf(setting).slice(0, 8),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * How answers are asked for: by default not at all where no scorer reads one, or no question has a right one. Throws
 * UserError where the config asks for none and a scorer that it names reads one.
 */
function styleOfRun(
  { answers, scorers: names }: Plan,
  dataset: Dataset,
  { questions, withoutReference }: DatasetStatistics,
  scorers: readonly ScorerEntry[],
): AnswersWanted {
  const reading = scorers.filter(({ scorer }) => scorer.readsAnswer !== false)
  const [first] = reading
  if (answers === 'none' && names && first)
    throw new UserError(
      `answers: none asks for no answer, and the scorer "${first.label}" reads it: remove one of the two`,
    )
  if (answers) return answers
  const isContextAlone = scorers.length > 0 && reading.length === 0
  if (isContextAlone && (names || withoutReference === questions)) return 'none'
  return dataset.answers ?? 'sentence'
}

function withDepth(plan: Plan, style: AnswersWanted): Plan {
  const isDeeper = style === 'none' && plan.usesDefaultPassages
  const budget = isDeeper ? { ...plan.budget, passages: defaultPassages.ranking } : plan.budget
  return { ...plan, budget, record: { ...plan.record, budget } }
}

/** Choices and answers together, so that a limit on questions does not tell results apart. */
function promptsOf(
  kinds: DatasetStatistics['kinds'],
  style: AnswersWanted,
  templates: PromptTemplates,
): Manifest['prompts'] {
  const answerStyle = style === 'none' ? undefined : style
  const { choice, answer, summary, turn } = answerTasks
  const defaults = [
    ...(kinds.has('choice') || kinds.has('answer') ? [choice, answer] : []),
    ...(kinds.has('summary') ? [summary] : []),
    ...(kinds.has('turn') ? [turn] : []),
  ]
  const names: readonly string[] = [...(answerStyle ? defaults : []).map(({ name }) => name), ...Object.keys(templates)]
  return Object.fromEntries(
    tasks
      .filter(({ name }) => names.includes(name))
      .map((task) => {
        const template = templates[task.name]
        const hash = promptHash(task, template, answerStyle).slice(0, 12)
        return [task.name, { version: task.version, hash, ...(template && { own: true as const }) }]
      }),
  )
}

/** The comparison with its metric resolved. Throws UserError for an unknown metric. */
function compareRecordOf(
  { metric: metricName, ...compare }: PlannedCompare,
  scorers: readonly ScorerEntry[],
): CompareRecord {
  if (!metricName) return compare
  const records = scorers.map(({ record }) => record)
  const metric = findMetric(metricName.name, records)
  if (typeof metric === 'string') throw new UserError(`${metricName.at}: compare.metric: ${metric}`)
  return { ...compare, metric }
}

/** Default path of a dataset. */
export const defaultPath = (name: string) => join(name === 'sample' ? packageFolder : process.cwd(), 'datasets', name)
