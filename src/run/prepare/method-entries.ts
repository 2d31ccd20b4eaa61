import { frozen } from '../../basics/plain-data.ts'
import { itemNamed } from '../../basics/loading.ts'
import type { Plan } from '../../config/index.ts'
import { datasetChecksum } from '../../datasets/index.ts'
import { messageOf, UserError } from '../../errors.ts'
import { methods } from '../../methods/index.ts'
import type { Dataset, Method } from '../../types.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import { objectNamed, type PlugInObjects } from '../plug-ins/take-objects.ts'
import { loadPlugIn } from '../plug-ins/load-plug-in.ts'
import { optionsByContent, plugInId } from '../results/identity.ts'
import type { Survey } from './survey.ts'

/** The methods that a plan asks for, with their identities. Throws UserError for one that needs what the dataset does not have. */
export function methodEntriesOf(
  plan: Plan,
  dataset: Pick<Dataset, 'name' | 'evidence'>,
  { questions, withoutEvidence }: Pick<Survey, 'questions' | 'withoutEvidence'>,
  objects?: PlugInObjects,
): Promise<readonly MethodEntry[]> {
  const asked = plan.methods.filter(({ label }) => plan.asked === null || plan.asked.includes(label))
  return Promise.all(
    asked.map(async ({ label, variant, varied, use, options, record, file, object: name, budget }) => {
      const object = name === undefined ? undefined : objectNamed(objects?.methods, name)
      const method =
        object?.item ?? (file === undefined ? await itemNamed(methods, use) : await loadPlugIn('method', file))
      if (method.sees === 'evidence' && !dataset.evidence) {
        throw new UserError(
          `the method "${label}" needs the evidence of each question, and the dataset "${dataset.name}" has none: leave it out`,
        )
      }
      if (method.sees === 'evidence' && withoutEvidence > 0) {
        throw new UserError(
          `the method "${label}" needs the evidence of each question, and ${withoutEvidence} of ${questions} questions of the dataset "${dataset.name}" name none: leave the method out, or give evidence`,
        )
      }
      const files = await programOf(method, options, label)
      const given = await optionsByContent(method, options)
      const requires = file === undefined ? await method.requires?.(options) : undefined
      const counted = files.length === 0 ? given : [given, await datasetChecksum(files)]
      const source = object ? [object.digest] : []
      const { prepares } = method
      return {
        row: { method: label, variant },
        varied,
        id: await plugInId([method.name, counted, ...source, ...(budget ? [{ budget }] : [])], file),
        ...(prepares && { part: await plugInId([prepares.name, chosen(given, prepares.options), ...source], file) }),
        use: name ?? use,
        ...(file !== undefined && { file }),
        ...(object && { guarded: true as const }),
        method,
        options: frozen(options),
        ...(budget && { budget }),
        ...(requires && { requires }),
        record,
      }
    }),
  )
}

/** The files of the program that a method runs. Throws UserError where it cannot be run. */
async function programOf(method: Method, options: unknown, label: string): Promise<readonly string[]> {
  try {
    return (await method.program?.(options)) ?? []
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(`the method "${label}" cannot be run: ${messageOf(error)}`, { cause: error })
  }
}

/** Some of the options, in the order of their names. */
const chosen = (options: unknown, names: readonly string[]): unknown =>
  [...names].sort().map((name) => [name, (options as Readonly<Record<string, unknown>>)[name] ?? null])
