import { z } from 'zod'
import { answerTasks, promptOf, styleOf } from '../answering/index.ts'
import type { Manifest } from '../records.ts'
import { tasks } from '../tasks/index.ts'
import { promptHash } from '../tasks/task.ts'
import type { Message, PromptTemplates, Question } from '../types.ts'
import { queryOf } from './asking/retrieve.ts'

/** What the answerer of a run was asked for a question with this context; null where none was, or the prompt is another one now. */
export function answerPrompt(
  { prompts, answers, config }: Pick<Manifest, 'prompts' | 'answers' | 'config'>,
  question: Question,
  context: string,
): readonly Message[] | null {
  const { kind } = question.reference
  const task = tasks.find(({ name }) => name === answerTasks[kind].name)
  if (answers === 'none') return null
  const recorded = task && prompts[task.name]
  const templates = promptsIn({ config })
  if (!recorded || !promptHash(task, templates[task.name], answers).startsWith(recorded.hash)) return null
  return promptOf(
    { query: queryOf(question, {}), kind, style: styleOf(answers, question.reference) },
    context,
    templates,
  ).messages
}

/** The prompts that the config of a run gave in place of gembench's own. */
export function promptsIn({ config }: Pick<Manifest, 'config'>): PromptTemplates {
  const { prompts = {} } = written.parse(config)
  return Object.fromEntries(
    Object.entries(prompts).map(([task, messages]) => [
      task,
      messages.map(({ role, content }) => ({ role, content: content.replaceAll('$${', '${') })),
    ]),
  )
}

const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })
const written = z.object({ prompts: z.record(z.string(), z.array(message)).optional() })
