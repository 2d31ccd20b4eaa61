import { UserError } from '../errors.ts'
import { checkScore } from '../run/scoring/score-lines.ts'
import { scorers } from '../scorers/index.ts'
import { unknownName } from '../text/names.ts'
import type { Models, Score, Scorer } from '../types.ts'
import { scorerInputOf, type Asked } from './asked.ts'
import { openJudge, type Judge, type JudgeSettings } from './judge.ts'

export interface ScoreSettings {
  /** Options of the scorer, as a config has them. */
  readonly options?: unknown
  /** The models that it asks: settings, opened for this call alone, or what `openJudge` gave. */
  readonly models?: JudgeSettings | Judge
}

export async function score<O>(
  scorer: string | Scorer<O>,
  asked: Asked,
  { options: given = {}, models = {} }: ScoreSettings = {},
): Promise<Score> {
  // options that its own schema has parsed are of its own type
  const one = typeof scorer === 'string' ? await scorerNamed(scorer) : scorer
  const parsed = one.options.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new UserError(
      `${one.name}: ${['options', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'not valid'}`,
    )
  }
  const withModels = async (open: Models): Promise<Score> => {
    const input = scorerInputOf(asked, one, (text) => open.countTokens(text))
    const given = await one.score(input, open, parsed.data)
    checkScore(given, { label: one.name, scorer: one })
    return given
  }
  if ('usage' in models) return withModels(models.models)
  const judge = await openJudge(models)
  try {
    return await withModels(judge.models)
  } finally {
    await judge.close()
  }
}

async function scorerNamed(name: string): Promise<Scorer> {
  const scorer = await scorers.load(name)
  if (scorer) return scorer
  throw new UserError(unknownName('scorer', name, scorers.names))
}
