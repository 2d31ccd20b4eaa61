import { answerTasks } from '../../answering/index.ts'
import type { Plan } from '../../config/index.ts'
import type { CompareRecord } from '../../records.ts'
import { checkedCorpora, datasetChecksum } from '../../datasets/index.ts'
import { UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import { tasks } from '../../tasks/index.ts'
import { hashOf } from '../../text/hash.ts'
import { promptHash } from '../../tasks/task.ts'
import type { AnswerStyle, Corpus, Dataset } from '../../types.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import { objectNamed } from '../plug-ins/objects.ts'
import { modelIdentity, optionsByContent, settingHash, type Setting } from '../results/identity.ts'
import { scorerRecords } from '../results/scorer-records.ts'
import { unknownOpponents } from '../scoring/gather-needs.ts'
import type { ScorerEntry } from '../scoring/scorer-entry.ts'
import type { Settings } from '../settings.ts'
import { compareRecordOf } from './compare-record.ts'
import { methodEntriesOf } from './method-entries.ts'
import { datasetOf, defaultPath } from './open-dataset.ts'
import { openPlanModels } from './open-plan-models.ts'
import { plannedScorers, scorerEntriesOf } from './scorer-entries.ts'
import { refuseOtherVectors } from './refuse-other-vectors.ts'
import { refuseUnableModels } from './refuse-unable-models.ts'
import { refuseUnpriced } from './refuse-unpriced.ts'
import { limited, survey, type Survey } from './survey.ts'

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
  readonly methods: readonly MethodEntry[]
  readonly scorers: readonly ScorerEntry[]
  readonly compare?: CompareRecord
  readonly style: AnswerStyle
  readonly prompts: Prompts
  readonly hash: string
  close(): Promise<void>
}

type Prompts = Readonly<Record<string, { readonly version: number; readonly hash: string }>>

/** Opens what a plan names and checks what can be checked before anything is asked. Throws UserError. */
export async function prepare(plan: Plan, settings: Settings): Promise<Prepared> {
  const { options, limit } = plan.dataset
  const { objects } = settings
  const dataset = await datasetOf(plan, objects)
  const path = plan.dataset.path ?? defaultPath(dataset.name)
  const files = await dataset.files(path, options)
  const checksum = await checksumWith(plan.dataset.object, files, objects)
  const corpora = (): AsyncIterable<Corpus> => limited(dataset.corpora(path, options), limit)
  const counts = await survey(limited(checkedCorpora(dataset, path, options), limit))
  const methods = await methodEntriesOf(plan, dataset, counts, objects)
  const { models, close } = await openPlanModels(plan, settings)
  try {
    const scorers = await scorerEntriesOf(await plannedScorers(plan, counts), models, objects)
    const compare = plan.compare && compareRecordOf(plan.compare, scorerRecords(scorers))
    refuseUnableModels({ methods, scorers }, models)
    const strangers = unknownOpponents(
      scorers,
      plan.methods.map(({ label, variant }) => ({ method: label, variant })),
    )
    if (strangers.length > 0) throw new UserError(strangers.join('\n'))
    refuseOtherVectors(methods, models)
    refuseUnpriced(['complete', 'answer', 'embed', 'judge'], scorers, models, settings)
    const style = plan.answers ?? dataset.answers ?? 'sentence'
    const prompts = answerPrompts(counts.kinds)
    const data = {
      ...{ name: dataset.name, checksum, options: await optionsByContent(dataset, options) },
      ...(dataset.names && { names: dataset.names(files, path) }),
    }
    const hash = hashOfSetting(plan, data, models, style, prompts)
    const read = { dataset, path, files, checksum, survey: counts, corpora }
    return { plan, ...read, models, methods, scorers, ...(compare && { compare }), style, prompts, hash, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The checksum of a dataset's files; of one that is an object, with the digest of the object. */
async function checksumWith(
  object: string | undefined,
  files: readonly string[],
  objects: Settings['objects'],
): Promise<string> {
  const checksum = await datasetChecksum(files)
  return object === undefined ? checksum : hashOf([objectNamed(objects?.datasets, object).digest, checksum])
}

/**
 * Version and hash of the prompts that every method's questions are answered with: that of conversations, of summaries, or those of choices
 * and answers together, so that a limit on questions does not tell results apart.
 */
function answerPrompts(kinds: Survey['kinds']): Prompts {
  const { choice, answer, summary, turn } = answerTasks
  const used = [
    ...(kinds.has('choice') || kinds.has('answer') ? [choice, answer] : []),
    ...(kinds.has('summary') ? [summary] : []),
    ...(kinds.has('turn') ? [turn] : []),
  ]
  const names: readonly string[] = used.map(({ name }) => name)
  return Object.fromEntries(
    tasks
      .filter(({ name }) => names.includes(name))
      .map((task) => [task.name, { version: task.version, hash: promptHash(task).slice(0, 12) }]),
  )
}

/** The hash of all that must be equal for rows to be compared. */
function hashOfSetting(
  { chunks, budget, seed, indexPerRepeat, varied }: Plan,
  dataset: Setting['dataset'],
  models: OpenedModels,
  answers: AnswerStyle,
  prompts: Prompts,
): string {
  const { complete, answer, embed } = models.identify()
  const records = {
    complete: modelIdentity(complete),
    ...(answer && { answer: modelIdentity(answer) }),
    embed: modelIdentity(embed),
  }
  return settingHash({
    ...{ dataset, chunks, budget, answers, models: records, prompts, seed },
    ...(!indexPerRepeat && { indexPerRepeat }),
    ...(varied.length > 0 && { varied }),
  })
}
