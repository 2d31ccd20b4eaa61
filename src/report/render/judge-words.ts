import type { Manifest, ModelRecord, ScorerRecord } from '../../records.ts'
import { answerTasks } from '../../tasks/answers/answer-tasks.ts'

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
  const asking = scorers.filter(({ judge, kinds }) => judge && kinds.some((kind) => prompts[answerTasks[kind].name]))
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
