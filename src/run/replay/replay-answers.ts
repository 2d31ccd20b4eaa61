import { styleOf, answerTasks, promptOf } from '../../answering/index.ts'
import { answerFrom } from '../asking/ask.ts'
import { withModels } from '../asking/conditions.ts'
import { queryOf } from '../asking/retrieve.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import type { Results } from '../results/results.ts'
import type { Settings } from '../settings.ts'
import { recordedModels, isLacking } from './recorded-models.ts'
import { createMeter, type OpenedModels } from '../../models/index.ts'
import type { IndexLine, MethodRecord, TrialLine, Manifest } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import type { Plan } from '../../config/index.ts'
import type { AnswersWanted, Message, PromptTemplates, Question } from '../../types.ts'
import { z } from 'zod'
import { tasks } from '../../tasks/index.ts'
import { promptHash } from '../../tasks/task.ts'

/** What became of the trials that a table shows when they were asked again. */
export interface ReplayedTrials {
  readonly same: number
  /** How many were compared. */
  readonly of: number
  /** Ids of lines, of trials and of indexes, that came out otherwise. */
  readonly differ: readonly string[]
  /** How many were not asked again, by the reason. */
  readonly not: Readonly<Record<string, number>>
  /** Ids of trials that the run has made, by its config, and has no line for. */
  readonly missing?: readonly string[]
  /** What could not be compared, and why. */
  readonly uncompared?: string
}

type Line = IndexLine | TrialLine

/** Compares every line that a table shows; `compare` says whether it is the same, or why it is not asked again. */
export async function compareLines(
  { manifest, trials }: Pick<Results, 'manifest' | 'trials'>,
  compare: (line: Line, row: MethodRecord) => boolean | string | Promise<boolean | string>,
): Promise<ReplayedTrials> {
  const rows = new Map(manifest.methods.map((row) => [row.id, row]))
  const outcome = { same: 0, of: 0, differ: new Array<string>() }
  const not = new Map<string, number>()
  for await (const line of trials()) {
    const row = rows.get(line.methodId)
    if (!row) continue
    const compared = await compare(line, row)
    const isSame = line.failure ? 'they failed when they were asked' : compared
    if (isSame === false) outcome.differ.push(line.id)
    if (line.line === 'index') continue
    if (typeof isSame === 'string') not.set(isSame, (not.get(isSame) ?? 0) + 1)
    else outcome.of++
    if (isSame === true) outcome.same++
  }
  return { ...outcome, not: Object.fromEntries(not) }
}

/**
 * Asks every trial again from kept calls, by the question and context in its line, and compares reply and cost. Throws
 * UserError where the manifest does not say under what the calls were kept.
 */
export async function replayAnswers(
  results: Pick<Results, 'manifest' | 'trials'>,
  settings: Omit<Settings, 'results'>,
): Promise<ReplayedTrials> {
  const { manifest } = results
  const { planned, objects } = recordedModels(manifest)
  const chunks = manifest.chunks as Plan['chunks']
  const { models, close } = await openPlanModels(
    { models: planned, chunks, prompts: promptsIn(manifest) },
    { ...settings, objects },
  )
  const { answers, seed } = manifest
  try {
    return await compareLines(results, (line, row) => {
      settings.signal.throwIfAborted()
      if (answers === 'none') return 'no answer was asked for'
      if (row.answers === 'own') return 'their method answers for itself'
      return line.line === 'index' || line.failure !== undefined || askAgain(line, row, { seed, answers }, models)
    })
  } finally {
    await close()
  }
}

async function askAgain(
  { question, context, repeat, corpus, answer, usage }: TrialLine,
  row: MethodRecord,
  { seed, answers }: { readonly seed: number; readonly answers: Exclude<AnswersWanted, 'none'> },
  models: OpenedModels,
): Promise<boolean | string> {
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
    return canonicalJson(outcome) === canonicalJson([answer, usage.answer])
  } catch (error) {
    return error instanceof Error && isLacking(error) && 'a call is not kept'
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
