import { itemNamed } from '../basics/loading.ts'
import type { Plan, Planned } from '../config/index.ts'
import { messageOf, UserError } from '../errors.ts'
import { providers } from '../models/index.ts'
import { datasetOf, defaultPath } from './prepare/prepare.ts'
import type { Settings } from './settings.ts'

/** What a plan asks for that is not here, a line each with the remedy. Nothing is asked of a model. */
export async function missingRequirements(
  plan: Plan,
  { cacheFolder }: Pick<Settings, 'cacheFolder'>,
): Promise<readonly string[]> {
  const models = new Map(Object.values(plan.models).map((model) => [JSON.stringify(model), model]))
  const found = [await complaint(filesOf(plan))]
  for (const model of models.values()) found.push(await complaint(openOnce(model, cacheFolder)))
  return [...new Set(found.flatMap((line) => line ?? []))]
}

async function filesOf(plan: Plan): Promise<void> {
  const dataset = await datasetOf(plan)
  await dataset.files(plan.dataset.path ?? defaultPath(dataset.name), plan.dataset.options)
}

async function openOnce({ use, options }: Planned, cacheFolder: string): Promise<void> {
  const provider = await (await itemNamed(providers, use)).open(options, { cacheFolder })
  await provider.close?.()
}

/** What a person can mend; anything else is thrown. */
async function complaint(attempt: Promise<void>): Promise<string | undefined> {
  try {
    await attempt
    return undefined
  } catch (error) {
    if (error instanceof UserError) return messageOf(error)
    throw error
  }
}
