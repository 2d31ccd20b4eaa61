import { createUsageCounter, type OpenedModels } from '../../models/index.ts'
import type { JudgeTest, ScorerRecord } from '../../records.ts'
import { knownClaims, type KnownClaim } from '../../scorers/shared/known-claims.ts'
import { hashOf } from '../../text/hash.ts'
import type { Question } from '../../types.ts'
import type { ScoringPlan } from './score-all.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'

/**
 * Tests the judge of every scorer on claims made from the references of the first questions, and adds the results to
 * the records; calls that fail are counted. Earlier results on the same claims are reused.
 */
export async function testJudges(
  { trialSummary, scorers, seed }: ScoringPlan,
  records: readonly ScorerRecord[],
  models: OpenedModels,
): Promise<readonly ScorerRecord[]> {
  const result: ScorerRecord[] = []
  for (const record of records) {
    const entry = scorers.find(({ id }) => id === record.id)
    const claims = entry ? claimsOf(entry, trialSummary.questions()) : []
    const digest = hashOf(claims.map(({ task: { name, version }, input }) => [name, version, input])).slice(0, 12)
    const { judgeTest } = record
    const isTested = claims.length === 0 || (judgeTest?.claims === digest && judgeTest.failed === 0)
    result.push(isTested ? record : { ...record, judgeTest: await testJudge(claims, digest, seed, models) })
  }
  return result
}

/** The test claims for the judge of a scorer, from questions of the kinds that it scores. */
function claimsOf({ scorer, options }: ScorerEntry, questions: readonly Question[]): readonly KnownClaim[] {
  if (!scorer.judge) return []
  const { criteria } = options as { readonly criteria?: readonly string[] }
  const fitting = questions.filter(({ reference }) => scorer.kinds.includes(reference.kind))
  return knownClaims(scorer.tasks ?? [], fitting, criteria)
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
