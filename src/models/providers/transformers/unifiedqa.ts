import { z } from 'zod'
import { answerChoice, answerQuestion } from '../../../tasks/answers.ts'
import type { CompletionRequest } from '../../provider.ts'

const asked = z.object({ question: z.string(), context: z.string() })
const askedWithOptions = asked.extend({ options: z.array(z.string()) })

/** UnifiedQA's separator: a backslash and an n, not a line break. */
const separator = String.raw` \n `

/**
 * A question as UnifiedQA was trained on it (Khashabi et al. 2020, section 3.2): lower-cased, `question \n (a) one (b) two \n context`
 * for a choice and `question \n context` for a free answer. Undefined for a task that is neither.
 */
export function unifiedqaInput({ task, input }: Pick<CompletionRequest, 'task' | 'input'>): string | undefined {
  switch (task) {
    case answerChoice.name: {
      const { question, options, context } = askedWithOptions.parse(input)
      return joined([question, options.map((option, index) => `(${letter(index)}) ${option}`).join(' '), context])
    }
    case answerQuestion.name: {
      const { question, context } = asked.parse(input)
      return joined([question, context])
    }
    default:
      return undefined
  }
}

const letter = (index: number): string => String.fromCharCode('a'.charCodeAt(0) + index)

/** Without what is empty: a closed book has no context. */
const joined = (parts: readonly string[]): string =>
  parts
    .map((part) => part.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter((part) => part !== '')
    .join(separator)
