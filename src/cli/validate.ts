import { prepare } from '../run/index.ts'
import { planOf, settingsOf } from './plan.ts'
import { print, printJson } from './print.ts'
import type { RunFlags } from './run.ts'

/** `gembench validate`: reads the config and the dataset and opens the models, but asks nothing and writes no results. */
export async function validateCommand(flags: RunFlags): Promise<void> {
  const plan = await planOf(flags)
  const prepared = await prepare(plan, settingsOf({ ...flags, cache: false }, new AbortController().signal))
  const { survey, contestants, hash } = prepared
  await prepared.close()
  const trials = survey.questions * contestants.length * plan.repeats
  if (flags.json) printJson({ hash, trials, config: plan.record })
  else
    print(
      `valid: ${plan.name}-${hash}: ${contestants.length} methods x ${survey.questions} questions${plan.repeats > 1 ? ` x ${plan.repeats} repeats` : ''} = ${trials} trials`,
    )
}
