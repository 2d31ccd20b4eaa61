import { z } from 'zod'
import { sentences } from '../text/sentences.ts'
import { halvesBy, sampledTask, twoMessages } from './task.ts'

/** A text that is taken apart. */
export interface ListPropositionsInput {
  readonly text: string
}

const shownFacts = '["Arden Mill was built by Tom Reed.", "Arden Mill was built in 1790."]'

/** The facts of a text, each a sentence that can be understood by itself (Chen et al. 2024, Dense X, section 2). */
export const listPropositions = sampledTask<ListPropositionsInput, readonly string[]>({
  name: 'list-propositions',
  version: 1,
  sample: { text: 'The lighthouse on Cape Wrath was planned by Robert Stevenson. It was lit in 1828 and is white.' },
  example: shownFacts,
  reply: 'json',
  output: z.array(z.string().trim().min(1)),
  halves: halvesBy('text'),
  joined: (first, second) => [...first, ...second],
  prompt: ({ text }) =>
    twoMessages(
      [
        `You take a text apart into propositions. Each is one fact in one plain sentence, cannot be split further, and can be understood without the text: names stand in place of pronouns, and what the fact depends on, such as a year or a place, stands in it. Together they say all that the text says; add nothing. Keep the language of the text.
Reply with a JSON list of strings and nothing else, for example:
${shownFacts}`,
      ],
      text,
      { maxTokens: 1024 },
    ),
  offline: ({ text }) => sentences(text).map((sentence) => sentence.text),
})
