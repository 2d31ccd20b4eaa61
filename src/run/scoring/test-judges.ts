import { createUsageCounter, type OpenedModels } from '../../models/index.ts'
import type { JudgeTest, ScorerRecord } from '../../records.ts'
import { knownClaims, type KnownClaim } from '../../scorers/shared/known-claims.ts'
import { hashOf } from '../../text/hash.ts'
import type { Question } from '../../types.ts'
import type { ScoringPlan } from './score-all.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'
import type { JudgeTests } from '../results/manifest.ts'

/**
 * Tests the judge of every scorer on claims made from the references of the first questions; calls that
 * fail are counted. Earlier results on the same claims are reused.
 */
export async function testJudges(
  { trialSummary, scorers, seed }: Pick<ScoringPlan, 'trialSummary' | 'scorers' | 'seed'>,
  previous: readonly ScorerRecord[],
  models: OpenedModels,
): Promise<JudgeTests> {
  const tests = new Map<string, JudgeTest>()
  for (const entry of scorers) {
    const claims = claimsOf(entry, trialSummary.questions())
    if (claims.length === 0) continue
    const digest = hashOf(claims.map(({ task: { name, version }, input }) => [name, version, input])).slice(0, 12)
    const previousTest = previous.find(({ id }) => id === entry.id)?.judgeTest
    tests.set(
      entry.id,
      previousTest?.claims === digest && previousTest.failed === 0
        ? previousTest
        : await testJudge(claims, digest, seed, models),
    )
  }
  return tests
}

/** The test claims for the judge of a scorer, from questions of the kinds that it scores. */
function claimsOf({ scorer, options }: ScorerEntry, questions: readonly Question[]): readonly KnownClaim[] {
  const { by, criteria } = options as { readonly by?: unknown; readonly criteria?: readonly string[] }
  // context-precision calls no judge with `by: evidence`
  if (!scorer.judge || by === 'evidence') return []
  const fitting = questions.filter(({ reference }) => scorer.kinds.includes(reference.kind))
  return knownClaims(scorer.tasks ?? [], fitting, criteria ? { criteria } : {})
}

async function testJudge(
  claims: readonly KnownClaim[],
  digest: string,
  seed: number,
  models: OpenedModels,
): Promise<JudgeTest> {
  const usage = createUsageCounter()
  const scope = models.scope({ phase: 'judge', sample: 0, seed: [seed, 'judge test'], counter: usage })
  const replies = await Promise.all(
    claims.map(async ({ holds, ask }) => ({
      holds,
      ...(await ask(scope).catch((error: unknown) => ({ right: false, error }))),
    })),
  )
  models.sentCalls.clear(usage)
  const verdicts = replies.flatMap((reply) => ('verdict' in reply ? [reply] : []))
  const count = (holds: boolean) => {
    const ofKind = verdicts.filter((reply) => reply.holds === holds)
    return { claims: ofKind.length, right: ofKind.filter(({ right }) => right).length }
  }
  const yes = count(true)
  const no = count(false)
  const distinct = new Set(verdicts.map((reply) => reply.verdict))
  const [always] = distinct
  return {
    claims: digest,
    true: yes,
    false: no,
    failed: replies.length - verdicts.length,
    ...(claims.some(({ task }) => task.name === 'compare-answers') && { inOrders: true as const }),
    ...(distinct.size === 1 && yes.claims > 0 && no.claims > 0 && always !== undefined && { always }),
    usage: usage.usage('judge'),
  }
}
