import { z } from 'zod'
import { defineScorer } from '../define.ts'
import { ModelError } from '../errors.ts'
import { judgeTurn, turnVerdicts } from '../tasks/verdicts.ts'
import type { Question } from '../types.ts'

const verdicts = [...turnVerdicts, 'invalid'] as const

/** One verdict per turn: choke, inaccurate, correct, or invalid if the judge's reply could not be read twice. */
export const choke = defineScorer({
  name: 'choke',
  version: 2,
  summary:
    'Whether a turn chokes (contradicts what the speaker knows), is inaccurate or correct, by a judge: the share accepted (correct or inaccurate), and counts per run.',
  source: 'Zeng 2025 (HLGraphRAG), section 5; the words of the judge are ours',
  kinds: ['turn'],
  options: z.strictObject({}),
  judge: true,
  tasks: [judgeTurn],
  rates: 'correct',
  columns: [
    { metric: 'acceptance', label: 'acceptance' },
    ...verdicts.map((metric) => ({
      metric,
      label: `${metric} per run`,
      unit: 'count' as const,
      ...(metric !== 'correct' && { better: 'none' as const }),
    })),
  ],
  async score({ question, answer }, models) {
    const input = turnInput(question, answer.text)
    const { verdict, reason } = await models.run(judgeTurn, input).catch((error: unknown) => {
      if (error instanceof ModelError && error.kind === 'reply')
        return { verdict: 'invalid', reason: error.message } as const
      throw error
    })
    return { metrics: metricsOf(verdict), parts: { verdict, reason } }
  },
})

/** The knowledge is the dataset's evidence for the turn, the same for every method (our reading). */
export function turnInput(question: Question, reply: string): Parameters<typeof judgeTurn.prompt>[0] {
  const { text, evidence = [], roles = { asks: 'user1', replies: 'user2' }, reference } = question
  return {
    knowledge: evidence.flatMap((piece) => piece.text ?? []).join('\n\n'),
    roles,
    message: text,
    reply,
    gold: reference.kind === 'turn' ? reference.accepted : '',
  }
}

const metricsOf = (label: (typeof verdicts)[number]): Readonly<Record<string, number>> => ({
  acceptance: Number(label === 'correct' || label === 'inaccurate'),
  ...Object.fromEntries(verdicts.map((name) => [name, Number(name === label)])),
})
