import { answerTasks, promptOf } from '../answering/index.ts'
import type { Manifest } from '../records.ts'
import { tasks } from '../tasks/index.ts'
import { promptHash } from '../tasks/task.ts'
import type { Message, Question } from '../types.ts'
import { queryOf } from './asking/retrieve.ts'

/** What the answerer of a run was asked for a question with this context; null where the run was made by a version with another prompt. */
export function answerPrompt(
  { prompts, answers }: Pick<Manifest, 'prompts' | 'answers'>,
  question: Question,
  context: string,
): readonly Message[] | null {
  const { kind } = question.reference
  const task = tasks.find(({ name }) => name === answerTasks[kind].name)
  const recorded = task && prompts[task.name]
  if (!recorded || !promptHash(task).startsWith(recorded.hash)) return null
  return promptOf({ query: queryOf(question, {}), kind, style: answers }, context).messages
}
