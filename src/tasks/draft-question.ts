import { z } from 'zod'
import { sampledTask, twoMessages } from './task.ts'

/** A piece of a document, and the questions that were drafted from it already. */
export interface DraftQuestionInput {
  readonly text: string
  readonly already: readonly string[]
}

/** A question, its answer and the sentence that shows it; all empty where the text holds nothing to ask about. */
export interface DraftedQuestion {
  readonly question: string
  readonly answer: string
  readonly evidence: string
}

const field = z.string().trim()

/** A question with a short answer, and the sentence that it is answered by, from a piece of a document. */
export const draftQuestion = sampledTask<DraftQuestionInput, DraftedQuestion>({
  name: 'draft-question',
  version: 1,
  sample: {
    text: 'The lighthouse on the western cape was built in 1871. The keeper lit the lamp every evening.',
    already: ['Who lit the lamp on the western cape?'],
  },
  reply: 'json',
  whole: true,
  output: z.object({ question: field, answer: field, evidence: field }),
  prompt: ({ text, already }) =>
    twoMessages(
      [
        `You write questions that test a search over documents. From the text below, write one question with its answer.
The question asks for one fact, has one answer, and names what it is about, so that it can be understood without the text: it does not say "the text", "this section" or "he".
The answer is as short as possible: a name, a number, a date or a few words.
The evidence is the one sentence of the text that gives the answer, copied word for word.
Reply with JSON of this shape and nothing else, for example:
{"question": "Who built Arden Mill?", "answer": "John Bell", "evidence": "Arden Mill was built by John Bell in 1790."}
If the text holds no fact to ask about, reply with {"question": "", "answer": "", "evidence": ""}`,
        `Text:\n${text}`,
        already.length > 0 ? `Ask for another fact than these questions:\n${already.join('\n')}` : '',
      ],
      'Write one question, its answer and its evidence.',
      { maxTokens: 512 },
    ),
})
