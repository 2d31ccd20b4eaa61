import { answer, cannedAnswer } from '../answering/index.ts'
import type { Plan } from '../config/index.ts'
import { UserError } from '../errors.ts'
import type { Answer, Models, Phase } from '../types.ts'
import { createMeter, type PhaseUsage } from '../models/meter.ts'
import { fill } from './ask-all.ts'
import { checkRanking } from './check-ranking.ts'
import { contestantNamed, corpusNamed } from './named.ts'
import { pack, type Weighed } from './pack.ts'
import { prepare, type Settings } from './prepare.ts'

/** A question asked outside a run. */
export interface Asking {
  readonly method: string
  readonly question: string
  /** The corpus to ask; the first one where none is named. */
  readonly corpus?: string
}

export interface Reply {
  readonly corpus: string
  readonly passages: readonly Weighed[]
  readonly answer: Answer
  readonly usage: Readonly<Record<Exclude<Phase, 'judge'>, PhaseUsage>>
}

/** Asks one free question of one method over one corpus of a plan. Throws UserError, and ModelError when a call fails. */
export async function query(plan: Plan, asking: Asking, settings: Settings): Promise<Reply> {
  const prepared = await prepare(plan, settings)
  try {
    const contestant = contestantNamed(asking.method, prepared.contestants)
    if (contestant.method.sees === 'evidence') {
      throw new UserError(
        `"${asking.method}" answers from the evidence of a dataset's own questions; ask another method`,
      )
    }
    const shelf = fill(await corpusNamed(asking.corpus, prepared.corpora()), plan.chunks)
    const meter = createMeter()
    const scope = (phase: Phase): Models =>
      prepared.models.scope({
        phase,
        sample: 0,
        seed: [plan.seed, phase, asking.method, shelf.corpus.id, asking.question],
        meter,
      })
    const index = await contestant.method.index(shelf.chunks, scope('index'), contestant.options)
    const unlimited = { passages: Infinity, tokens: Infinity }
    const budget = contestant.method.context === 'unlimited' ? unlimited : plan.budget
    const asked = { id: 'query', text: asking.question }
    const retrieving = scope('retrieve')
    const ranking = checkRanking(await index.retrieve(asked, budget, retrieving), asking.method, shelf.chunks)
    const { passages } = pack(ranking, budget, (text) => retrieving.countTokens(text))
    const reply =
      passages.length === 0 && contestant.method.context !== 'none'
        ? cannedAnswer('answer', prepared.style)
        : await answer({ query: asked, kind: 'answer', style: prepared.style }, passages, scope('answer'))
    const usage = { index: meter.spent('index'), retrieve: meter.spent('retrieve'), answer: meter.spent('answer') }
    return { corpus: shelf.corpus.id, passages, answer: reply, usage }
  } finally {
    await prepared.close()
  }
}
