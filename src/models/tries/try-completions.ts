import type { AnyTask } from '../../types.ts'
import type { SampledTask } from '../../tasks/task.ts'
import { askedOf, type AskedTask } from '../calls/asked-task.ts'
import { replyLimit, usualReply, type CompletionRequest, type Provider } from '../provider.ts'
import { requestOf } from '../scoped-models.ts'
import { promptTokensOf } from '../calls/complete-with-repair.ts'
import { but, no, reasonOf, yes, type Bench, type Finding, type Options, type TryCosts } from './bench.ts'
import { generalRequests, giveRoom, roomToThink, tryGeneral, type Sized, type Speed } from './try-general.ts'

/** What is to be found out of a model that completes. */
interface WantedCompletions {
  /** What it is going to be asked. */
  readonly tasks: readonly AnyTask[]
  /** Tokens of the long prompt. */
  readonly longest: number
}

/** The most that `tryCompletions` asks for, besides what the server refuses. */
export async function costsOfCompletions(bench: Bench, { tasks, longest }: WantedCompletions): Promise<TryCosts> {
  const { tokenizer } = bench
  const provider = await bench.open()
  const general = isGenerative(bench.options()) ? generalRequests(longest, tokenizer) : []
  const all = [...general, ...sampledOf(tasks).map((task) => taskRequest(task, provider, bench).request)]
  return {
    calls: all.length,
    promptTokens: all.reduce((sum, request) => sum + promptTokensOf(request, tokenizer), 0),
    completionTokens: all.reduce(
      (sum, request) => sum + Math.max(general.length > 0 ? roomToThink : 0, request.more ?? 0),
      0,
    ),
    embeddedTokens: 0,
  }
}

/** Tries a model that completes, and gives each finding as it is made; changes the bench's options to what works. */
export async function* tryCompletions(bench: Bench, { tasks, longest }: WantedCompletions): AsyncGenerator<Finding> {
  const speeds: Speed[] = []
  const sampled = sampledOf(tasks)
  const sized = isGenerative(bench.options()) ? yield* tryGeneral(bench, longest, speeds) : asItIs
  if (!sized) return
  for (const task of sampled) if (!bench.isLost()) yield tryTask(bench, task, sized, speeds)
  yield* speedOf(speeds)
  const unsampled = tasks.filter((task) => !sampled.some(({ name }) => name === task.name))
  if (unsampled.length > 0)
    yield but(
      'other tasks',
      `not tried, since plug-ins give no sample of them: ${unsampled.map(({ name }) => name).join(', ')}`,
    )
}

const asItIs: Sized = (request) => request

/** Whether a model has what a language model has: options of how its replies are drawn. */
const isGenerative = (options: Options): boolean => 'temperature' in options || 'seed' in options

const sampledOf = (tasks: readonly AnyTask[]): readonly SampledTask[] =>
  tasks.filter((task): task is SampledTask => 'sample' in task)

/** A task with the request that a run would make of its sample, with no more room than a try needs. */
function taskRequest(
  task: SampledTask,
  provider: Provider,
  { templates }: Pick<Bench, 'templates'>,
): { asked: AskedTask; request: CompletionRequest } {
  const asked = askedOf(task, task.sample, templates)
  const request = requestOf(asked, 0, provider)
  const most = Math.max(usualReply, provider.maxTokens ?? 0)
  return { asked, request: { ...request, more: Math.min(replyLimit(request, provider.maxTokens), most) } }
}

/** Asks a task once, of its sample. */
async function tryTask(bench: Bench, task: SampledTask, sized: Sized, speeds: Speed[]): Promise<Finding> {
  const provider = await bench.open()
  const { asked, request: usual } = taskRequest(task, provider, bench)
  const request = sized(usual)
  const what = task.name
  const made = await bench.complete(request)
  if ('error' in made) return no(what, reasonOf(made.error))
  const { text, finish, fallbacks = [], promptTokens, completionTokens } = made.value
  speeds.push({
    prompt: promptTokens ?? promptTokensOf(request, bench.tokenizer),
    completion: completionTokens ?? bench.tokenizer.count(text),
    seconds: made.seconds,
  })
  const took = `${made.seconds.toFixed(1)} s`
  const read = finish === 'filter' ? { error: 'the content filter refused the reply' } : asked.read(text)
  if ('error' in read) {
    const [limit, allowed] = [request, asked].map((one) => replyLimit(one, provider.maxTokens))
    const most =
      limit !== allowed
        ? ` (a run allows ${String(allowed)})`
        : finish === 'length' && limit === provider.maxTokens
          ? `: ${giveRoom(bench) ? `set maxTokens to ${String(bench.options()['maxTokens'])}` : 'set a larger maxTokens'}`
          : ''
    const why = finish === 'length' ? `it ended at the ${String(limit)} tokens of this try${most}` : read.error
    return no(what, `the reply cannot be read: ${why} (${took})`)
  }
  const form = task.reply === 'json' ? 'JSON' : 'text'
  const without = fallbacks.includes('schema') ? ', without the schema that the server refuses' : ''
  const mended =
    read.outcome === 'clean'
      ? ''
      : `, ${read.outcome === 'repaired' ? 'after repair' : `${read.skipped} items left out`}`
  return { what, works: `${without}${mended}` === '' ? 'yes' : 'but', said: `${form}${without}${mended} (${took})` }
}

/** Tokens a second of calls one after the other. */
function speedOf(speeds: readonly Speed[]): readonly Finding[] {
  const sum = (of: keyof Speed): number => speeds.reduce((total, speed) => total + speed[of], 0)
  const seconds = sum('seconds')
  if (seconds <= 0) return []
  const rate = (tokens: number): string => (tokens / seconds).toFixed(0)
  return [
    yes(
      'speed',
      `${(seconds / speeds.length).toFixed(1)} s a call, ${rate(sum('prompt'))} prompt tokens and ${rate(sum('completion'))} reply tokens a second, one call after the other`,
    ),
  ]
}
