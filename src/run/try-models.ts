import { answerTasks } from '../answering/index.ts'
import { tasksOf } from '../define.ts'
import { abilityOf, openTry, type ModelRole, type OpenedTry, type WantedTry } from '../models/index.ts'
import { canonicalJson } from '../text/hash.ts'
import { tokenizer } from '../text/tokens.ts'
import type { Prepared } from './prepare/prepare.ts'
import type { Settings } from './settings.ts'

/** What a config says of its models, and what its rows and scorers ask of them. */
export type Asking = Pick<Prepared, 'plan' | 'methods' | 'scorers' | 'survey'>

/** Opens every model of some runs, each once. Throws UserError where one cannot be opened. */
export async function openTries(
  runs: readonly Asking[],
  { cacheFolder, signal, warn }: Pick<Settings, 'cacheFolder' | 'signal' | 'warn'>,
): Promise<readonly OpenedTry[]> {
  const words = tokenizer(runs[0]?.plan.chunks.tokenizer ?? 'o200k_base')
  const opened: OpenedTry[] = []
  for (const wanted of wantedTries(runs))
    opened.push(
      await openTry(wanted, { cacheFolder, tokenizer: words, signal, warn, templates: runs[0]?.plan.prompts ?? {} }),
    )
  return opened
}

function wantedTries(runs: readonly Asking[]): readonly WantedTry[] {
  const wanted = new Map<string, WantedTry>()
  for (const { plan, methods, scorers, survey } of runs) {
    const { complete, answer, embed, judge, rerank } = plan.models
    const longest = {
      prompt: Math.max(plan.budget.tokens, ...methods.map(({ budget }) => budget?.tokens ?? 0)) + instructions,
      text: plan.chunks.by === 'none' ? usualText : plan.chunks.size,
    }
    const add = (role: ModelRole, request: WantedTry['request'], tasks: WantedTry['tasks']): void => {
      const { use, options } = request
      const key = canonicalJson([abilityOf(role), use, options])
      const known = wanted.get(key) ?? { roles: [], request, tasks: [], longest }
      wanted.set(key, {
        roles: [...new Set([...known.roles, role])],
        request,
        tasks: [...new Map([...known.tasks, ...tasks].map((task) => [task.name, task])).values()],
        longest: {
          prompt: Math.max(known.longest.prompt, longest.prompt),
          text: Math.max(known.longest.text, longest.text),
        },
      })
    }
    add(
      'complete',
      complete,
      methods.flatMap(({ method, options }) => tasksOf(method, options)),
    )
    add(
      answer ? 'answer' : 'complete',
      answer ?? complete,
      [...survey.kinds.keys()].map((kind) => answerTasks[kind]),
    )
    const judging = scorers.filter(({ scorer }) => scorer.judge)
    if (judging.length > 0)
      // a judge that the config does not name has no options of its own there
      add(
        judge === complete ? 'complete' : 'judge',
        judge,
        judging.flatMap(({ scorer }) => scorer.tasks ?? []),
      )
    add('embed', embed, [])
    if (rerank) add('rerank', rerank, [])
  }
  return [...wanted.values()]
}

/** Tokens of instructions beside a context, and of a text where documents are not cut. */
const instructions = 500
const usualText = 512
