import { frozen } from '../../basics/frozen.ts'
import type { Plan } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import { methods } from '../../methods/index.ts'
import type { Dataset } from '../../types.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import { itemNamed } from '../plug-ins/item-named.ts'
import { loadPlugIn } from '../plug-ins/load-plug-in.ts'
import { optionsByContent, plugInId } from '../results/identity.ts'
import type { Survey } from './survey.ts'

/** The methods that a plan asks for, with their identities. Throws UserError for one that needs what the dataset does not have. */
export function methodEntriesOf(
  plan: Plan,
  dataset: Dataset,
  { questions, withoutEvidence }: Pick<Survey, 'questions' | 'withoutEvidence'>,
): Promise<readonly MethodEntry[]> {
  const asked = plan.methods.filter(({ label }) => plan.asked === null || plan.asked.includes(label))
  return Promise.all(
    asked.map(async ({ label, variant, varied, use, options, record, file }) => {
      const method = file === undefined ? itemNamed(methods, use) : await loadPlugIn('method', file)
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
      const counted = await optionsByContent(method, options)
      const { prepares } = method
      return {
        row: { method: label, variant },
        varied,
        id: await plugInId([method.name, counted], file),
        ...(prepares && { part: await plugInId([prepares.name, chosen(counted, prepares.options)], file) }),
        use,
        ...(file !== undefined && { file }),
        method,
        options: frozen(options),
        record,
      }
    }),
  )
}

/** Some of the options, in the order of their names. */
const chosen = (options: unknown, names: readonly string[]): unknown =>
  [...names].sort().map((name) => [name, (options as Readonly<Record<string, unknown>>)[name] ?? null])
