import { z } from 'zod'
import type { Roles } from '../../types.ts'
import { sampledTask, twoMessages } from '../task.ts'
import { reasonShape } from './verdict.ts'

/** What a judge can say of a turn, worst first. */
export const turnVerdicts = ['choke', 'inaccurate', 'correct'] as const

/** The last message of a conversation, the reply to it that is judged, and the one that was really given. */
export interface JudgeTurnInput {
  /** What the one who replies was shown. */
  readonly knowledge: string
  readonly roles: Roles
  readonly message: string
  readonly reply: string
  readonly gold: string
}

export interface TurnVerdict {
  readonly reason: string
  readonly verdict: (typeof turnVerdicts)[number]
}

/** How well a reply keeps to what the speaker knows and said (HLGraphRAG, chokes; few-shot, the words and examples are ours). */
export const judgeTurn = sampledTask<JudgeTurnInput, TurnVerdict>({
  name: 'judge-turn',
  version: 1,
  sample: {
    knowledge: 'The lighthouse on Cape Wrath was built in 1828. Robert Stevenson planned it.',
    roles: { asks: 'user1', replies: 'user2' },
    message: 'And who planned it?',
    reply: 'Robert Stevenson planned it.',
    gold: 'That was Robert Stevenson.',
  },
  reply: 'json',
  whole: true,
  output: z.object({
    reason: reasonShape,
    verdict: z.preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
      z.enum(turnVerdicts),
    ),
  }),
  prompt: ({ knowledge, roles: { asks, replies }, message, reply, gold }) =>
    twoMessages(
      [
        `You judge a reply in a conversation by what the speaker knows. The verdict is
"choke" if the reply severely contradicts that knowledge or forgets what the speaker must know,
"inaccurate" if it deviates from it in something small,
"correct" if it is accurate. It need not say the same as the real reply, which is one good reply among others.
Reply with JSON of this shape and nothing else. For example, where the speaker knows "John Bell built Arden Mill in 1790. A fire closed it in May 1920.", was asked "Who built the mill?" and really said "John Bell did":
to the reply "I do not know any mill."
{"reason": "The speaker knows the mill and its builder.", "verdict": "choke"}
to the reply "John Bell, in 1795."
{"reason": "The builder is right, the year is not.", "verdict": "inaccurate"}
to the reply "It was built by John Bell."
{"reason": "This is what the speaker knows.", "verdict": "correct"}`,
        knowledge && `What ${replies} knows:\n${knowledge}`,
      ],
      `${asks} said: ${message}\n${replies} really replied: ${gold}\nThe reply to be judged: ${reply}`,
      { maxTokens: 512 },
    ),
})
