import { z } from 'zod'
import { optionalWordShape, wordShape } from '../entities/triple.ts'
import { sampledTask, type SampledTask, twoMessages } from '../task.ts'

/** A text and the subjects found in it. */
export interface RelateSubjectsInput {
  readonly text: string
  readonly subjects: readonly string[]
}

/**
 * What the first object does to or is for the second, each empty where the reply leaves it out; `reverse`: the same as the second would tell
 * it, empty where it was not asked for or not given.
 */
export interface Relation {
  readonly meaning: string
  readonly object1: string
  readonly object2: string
  readonly reverse: string
}

export interface Relations {
  readonly relations: readonly Relation[]
}

/** Subject-relation query: the relations between the subjects of a chunk, reasoned step by step (HLGraphRAG, SRQ). */
export const relateSubjects = relating('relate-subjects', false)

/** The same with a second label for the way back, from the second object to the first (HLGraphRAG, directional weights). */
export const relateSubjectsBothWays = relating('relate-subjects-both-ways', true)

function relating(name: string, bothWays: boolean): SampledTask<RelateSubjectsInput, Relations> {
  const relation = z.object({ meaning: wordShape, object1: optionalWordShape, object2: optionalWordShape })
  const both = relation.extend({ reverse: optionalWordShape })
  const back = bothWays
    ? ' Write "meaning" as object1 would tell it, in the active voice, and "reverse" as object2 would tell it, in the passive voice: who pushed, and who was pushed.'
    : ''
  return sampledTask({
    name,
    version: 1,
    sample: {
      text: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828.',
      subjects: ['Robert Stevenson', 'lighthouse on Cape Wrath'],
    },
    reply: 'json',
    output: z
      .object({ relations: z.array(bothWays ? both : relation) })
      .transform(({ relations }) => ({ relations: relations.map((one) => ({ reverse: '', ...one })) })),
    prompt: ({ text, subjects }) =>
      twoMessages(
        [
          `You find the relations between the subjects of a text. Go through the subjects step by step: what does the text say of each, and which others has it to do with? Write the steps down in a few words first, then every relation between two subjects that the text states, and nothing that it does not state.${back}
Reply with JSON of this shape and nothing else, for example:
${JSON.stringify({ steps: 'The mill: Bell built it, a fire closed it.', relations: [{ ...shown, ...(bothWays && { reverse: 'was built by' }) }] })}`,
          `Text:\n${text}`,
        ],
        `Subjects:\n${JSON.stringify(subjects)}`,
        { maxTokens: 4096 },
      ),
  })
}

const shown = { meaning: 'built', object1: 'John Bell', object2: 'Arden Mill' }
