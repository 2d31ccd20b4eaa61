import { styleOf, answerTasks, promptOf } from '../../answering/index.ts'
import { answerFrom } from '../asking/ask.ts'
import { withModels } from '../asking/conditions.ts'
import { queryOf } from '../asking/retrieve.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import type { Results } from '../results/results.ts'
import type { Settings } from '../settings.ts'
import { recordedModels, isLacking } from './recorded-models.ts'
import { createMeter, type OpenedModels } from '../../models/index.ts'
import type { MethodRecord, TrialLine, Manifest } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import type { Plan } from '../../config/index.ts'
import type { AnswersWanted, Message, PromptTemplates, Question } from '../../types.ts'
import { z } from 'zod'
import { tasks } from '../../tasks/index.ts'
import { promptHash } from '../../tasks/task.ts'

/** What became of the trials that a table shows when they were asked again. */
export interface ReplayedTrials {
  readonly same: number
  /** Ids of trials that came out otherwise. */
  readonly differ: readonly string[]
  /** How many were not asked again, by the reason. */
  readonly not: Readonly<Record<string, number>>
  /** Ids of indexes that were built again and cost otherwise. */
  readonly indexes?: readonly string[]
  /** Ids of trials that the run has made, by its config, and has no line for. */
  readonly missing?: readonly string[]
  /** What could not be compared, and why. */
  readonly uncompared?: string
}

/**
 * Asks every trial again from kept calls, by the question and context in its line, and compares reply and cost. Throws
 * UserError where the manifest does not say under what the calls were kept.
 */
export async function replayAnswers(
  { manifest, trials }: Pick<Results, 'manifest' | 'trials'>,
  settings: Omit<Settings, 'results'>,
): Promise<ReplayedTrials> {
  const { planned, objects } = recordedModels(manifest)
  const chunks = manifest.chunks as Plan['chunks']
  const { models, close } = await openPlanModels(
    { models: planned, chunks, prompts: promptsIn(manifest) },
    { ...settings, objects },
  )
  const rows = new Map(manifest.methods.map((row) => [row.id, row]))
  const { answers } = manifest
  const found: { same: number; differ: string[]; not: Record<string, number> } = { same: 0, differ: [], not: {} }
  const leaveOut = (why: string): number => (found.not[why] = (found.not[why] ?? 0) + 1)
  try {
    for await (const line of trials()) {
      const row = rows.get(line.methodId)
      if (line.line !== 'trial' || !row) continue
      settings.signal.throwIfAborted()
      if (line.failure) leaveOut('they failed when they were asked')
      else if (answers === 'none') leaveOut('no answer was asked for')
      else if (row.answers === 'own') leaveOut('their method answers for itself')
      else {
        const outcome = await askAgain(line, row, { seed: manifest.seed, answers }, models)
        if (outcome === 'lacking') leaveOut('a call is not kept')
        else if (outcome === 'same') found.same++
        else found.differ.push(line.id)
      }
    }
    return found
  } finally {
    await close()
  }
}

async function askAgain(
  { question, context, repeat, corpus, answer, usage }: TrialLine,
  row: MethodRecord,
  { seed, answers }: { readonly seed: number; readonly answers: Exclude<AnswersWanted, 'none'> },
  models: OpenedModels,
): Promise<'same' | 'differs' | 'lacking'> {
  const meter = createMeter()
  const caller = { method: row.use, corpus, repeat, question: question.id }
  const { reference } = question
  const asked = { query: queryOf(question, {}), kind: reference.kind, style: styleOf(answers, reference) }
  const method = row.context ? { context: row.context } : {}
  try {
    const again = await withModels({ models, seed }, 'answer', caller, meter, (lent) =>
      answerFrom(asked, context, { method, index: {} }, lent),
    )
    const outcome = [again, meter.usage('answer')]
    return canonicalJson(outcome) === canonicalJson([answer, usage.answer]) ? 'same' : 'differs'
  } catch (error) {
    return error instanceof Error && isLacking(error) ? 'lacking' : 'differs'
  }
}

/** What the answerer of a run was asked for a question with this context; null for none, or another prompt now. */
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
function promptsIn({ config }: Pick<Manifest, 'config'>): PromptTemplates {
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
