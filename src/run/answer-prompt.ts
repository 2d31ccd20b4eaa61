import { z } from 'zod'
import { answerTasks, promptOf, styleOf } from '../answering/index.ts'
import type { Manifest } from '../records.ts'
import { tasks } from '../tasks/index.ts'
import { promptHash } from '../tasks/task.ts'
import type { Message, Question } from '../types.ts'
import { queryOf } from './execute/retrieve.ts'

/** The prompt of a run for a question and context; null where there is none or it has changed. */
export function answerPrompt(
  { prompts, answers, config }: Pick<Manifest, 'prompts' | 'answers' | 'config'>,
  question: Question,
  context: string,
): readonly Message[] | null {
  const { reference } = question
  const task = tasks.find(({ name }) => name === answerTasks[reference.kind].name)
  const prompt = task && prompts[task.name]
  if (answers === 'none' || !prompt) return null
  const templates = customPrompts.parse(config).prompts
  if (!promptHash(task, templates[task.name], answers).startsWith(prompt.hash)) return null
  const request = { query: queryOf(question, {}), kind: reference.kind, style: styleOf(answers, reference) }
  return promptOf(request, context, templates).messages
}

const message = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  // a recorded config is escaped: `$${` means `${`
  content: z.string().transform((content) => content.replaceAll('$${', '${')),
})
const customPrompts = z.object({ prompts: z.record(z.string(), z.array(message)).default({}) })
