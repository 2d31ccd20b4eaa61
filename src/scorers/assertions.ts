import { z } from 'zod'
import { isRegularFile } from '../basics/files.ts'
import { memoise } from '../basics/memoise.ts'
import { defineScorer, fileOption } from '../define.ts'
import { ModelError, UserError } from '../errors.ts'
import { malformedRecords } from '../formats/malformed-records.ts'
import { recordsOf } from '../formats/records.ts'
import { verifyClaims } from '../tasks/claims.ts'
import { isSupported, verdictsOn } from './measures/ragas/claims.ts'

const options = z.strictObject({
  file: fileOption(
    z
      .string()
      .default('')
      .describe(
        'JSON file of assertions, relative to the config, as benchmark-qed writes them: a list of {question_id, question_text, assertions: [{statement}]}',
      ),
  ),
})

/** Share of a question's written assertions that the answer meets. */
export const assertions = defineScorer({
  name: 'assertions',
  version: 2,
  summary: 'Share of the assertions of a file on the question that the answer meets, each judged yes or no.',
  source: 'benchmark-qed, assertion-based scoring (Microsoft); the mean over the assertions of a question',
  kinds: ['answer', 'summary', 'turn'],
  options,
  judge: true,
  tasks: [verifyClaims],
  rates: 'assertions',
  columns: [{ metric: 'assertions', label: 'assertions met' }],
  // notes are requested before the run, so that a wrong file fails early
  note({ file }) {
    if (!isRegularFile(file))
      throw new UserError(`assertions: "${file}" is no file; name one: { use: assertions, file: FILE }`)
    return 'assertions that the file says are not valid (validation.is_valid: false) are left out.'
  },
  async score({ question, answer }, models, { file }) {
    const byName = await statementsIn(file)
    const statements = byName.get(question.id) ?? byName.get(textKey(question.text)) ?? []
    if (statements.length === 0) return { skipped: 'the file has no assertions on the question' }
    const verdicts = await verdictsOn(statements, answer.canned ? '' : answer.text, models)
    if (verdicts.length !== statements.length)
      throw new ModelError('reply', `verify-claims: ${verdicts.length} verdicts on ${statements.length} assertions`)
    const outcomes = verdicts.map(isSupported)
    const share = outcomes.filter(Boolean).length / outcomes.length
    return { metrics: { assertions: share }, parts: { statements, met: outcomes } }
  },
})

const form = z
  .object({
    question_id: z.union([z.string(), z.int()]).transform(String),
    question_text: z.string().optional(),
    question: z.string().optional(),
    assertions: z.array(
      z.object({
        statement: z.string().trim().min(1),
        validation: z.object({ is_valid: z.boolean().optional() }).nullish(),
      }),
    ),
  })
  .describe('{question_id, question_text, assertions: [{statement}]}')

const statementsIn = memoise(async (file: string) => {
  const byName = new Map<string, readonly string[]>()
  for await (const { value } of recordsOf(file, form, malformedRecords())) {
    const { question_id: id, question_text: text, question = text, assertions } = value
    const valid = assertions.filter(({ validation }) => validation?.is_valid !== false)
    for (const name of [id, ...(question === undefined ? [] : [textKey(question)])])
      byName.set(name, [...(byName.get(name) ?? []), ...valid.map(({ statement }) => statement)])
  }
  return byName
})

const textKey = (text: string): string => `text ${text.trim().replaceAll(/\s+/g, ' ')}`
