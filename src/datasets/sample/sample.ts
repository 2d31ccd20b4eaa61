import { z } from 'zod'
import { defineDataset } from '../../define.ts'
import { UserError } from '../../errors.ts'
import { onBadRecord, skippingBad } from '../shared/bad-records.ts'
import { readDocument, sampleFolder } from './folder.ts'
import { readQuestions } from './questions.ts'
import { summaryCorpora } from './summaries.ts'

const options = z.strictObject({
  kinds: z
    .enum(['all', 'choice', 'answer', 'summary'])
    .default('all')
    .describe(
      'Which questions to ask: all that are asked of all documents, or those of one kind; summary: one request a document, in a corpus of its own',
    ),
  onBadRecord,
})

/** The dataset written for this project, or any folder of the same form (datasets/sample/README.md): one corpus of all its documents. */
export const sample = defineDataset({
  name: 'sample',
  summary:
    'Eight invented texts that refer to one another, with questions of every kind; for trying gembench out, not a published benchmark.',
  source: 'datasets/sample/README.md',
  licence: 'MIT',
  layout: 'a folder with `documents/*.md` and `questions.jsonl`; `summaries.jsonl` with `kinds: summary`',
  options,
  evidence: true,
  answers: 'short',
  files: async (path, { kinds }) => {
    const { documents, questions } = await sampleFolder(path, questionFile(kinds))
    return [...documents, questions]
  },
  corpora: (path, { kinds, onBadRecord }) =>
    skippingBad(onBadRecord, async function* (bad) {
      const files = await sampleFolder(path, questionFile(kinds))
      const documents = await Promise.all(files.documents.map(readDocument))
      if (kinds === 'summary') {
        yield* summaryCorpora(files.questions, documents, bad)
        return
      }
      const questions = await readQuestions(files.questions, documents, bad)
      const asked = questions.filter(({ reference }) => kinds === 'all' || reference.kind === kinds)
      if (asked.length === 0) throw new UserError(`${files.questions}: contains no question of kind "${kinds}"`)
      yield { id: 'sample', documents, questions: asked }
    }),
})

const questionFile = (kinds: z.output<typeof options>['kinds']): string =>
  kinds === 'summary' ? 'summaries.jsonl' : 'questions.jsonl'
