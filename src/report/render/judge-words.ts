import type { Manifest, ModelRecord, ScorerRecord } from '../../records.ts'
import { answerChoice } from '../../tasks/answers/answer-choice.ts'
import { answerQuestion } from '../../tasks/answers/answer-question.ts'
import { answerSummary } from '../../tasks/answers/answer-summary.ts'
import { answerTurn } from '../../tasks/answers/answer-turn.ts'
import type { Kind } from '../../types.ts'

/** A model's name in a line on the conditions of a run. */
export const modelName = ({ provider, model }: ModelRecord): string => [...new Set([provider, model])].join(' ')

/** The model that judges; that it is the one that answers is said. */
export function judgeName(judge: ModelRecord, { answer, complete }: Manifest['models']): string {
  const answers = answer ?? complete
  const isOne = (['provider', 'model', 'baseUrl'] as const).every((field) => judge[field] === answers[field])
  return `${isOne ? 'the model that answers, ' : ''}${modelName(judge)}`
}

/** Who judges, where a scorer asks a judge about questions of the run; scorers of earlier runs that another model judged are named with it. */
export function judgeStatement({ models, prompts, scorers }: Manifest): readonly string[] {
  const asking = scorers.filter(({ judge, kinds }) => judge && kinds.some((kind) => prompts[promptOf[kind]]))
  const judges = new Map<string, ScorerRecord[]>()
  for (const record of asking) {
    const name = judgeName(record.judgedBy ?? models.judge, models)
    judges.set(name, [...(judges.get(name) ?? []), record])
  }
  const named = Array.from(judges, ([name, of]) =>
    judges.size === 1 ? name : `${name} (${of.map(({ scorer }) => scorer).join(', ')})`,
  )
  return named.length === 0 ? [] : [`judged by ${named.join(' and by ')}`]
}

/** The prompt that a question of a kind is answered with. */
const promptOf: Readonly<Record<Kind, string>> = {
  choice: answerChoice.name,
  answer: answerQuestion.name,
  summary: answerSummary.name,
  turn: answerTurn.name,
}
