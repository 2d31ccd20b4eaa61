import { isObject } from '../../basics/plain-data.ts'
import { plural } from '../../text/amounts.ts'
import type { ContextPassage, Question, Usage } from '../../types.ts'
import { escapeXml } from '../page-head.ts'
import { evidenceRanges } from '../show/evidence-ranges.ts'
import {
  countTexts,
  describeOutcome,
  describePassage,
  describeTrace,
  formatScore,
  scoreName,
  scoreText,
} from '../show/messages.ts'
import type { ShownScore, ShownTrial } from '../show/read-questions.ts'
import type { PageMetric, PageRow } from './page-data.ts'
import { disclosure } from './table-html.ts'

/** The trials of a row for a question as HTML; without a question, no text of datasets and models. */
export function trialsCard(
  { name, isReference }: PageRow,
  trials: readonly ShownTrial[],
  metrics: readonly PageMetric[],
  question: Question | undefined,
): string {
  const outcome = metrics[0] ? outcomeOf(trials, metrics[0]) : ''
  const answers = trials.filter(({ failure, answer }) => failure ?? (question && answer))
  const answerTexts = answers.map((trial) =>
    question ? describeOutcome(trial, question.reference) : `failed: ${trial.failure?.kind ?? ''}`,
  )
  const scores = metrics.map(({ name: title, ...metric }) => {
    const values = valuesOf(trials, metric).map(formatScore)
    return values.length === 0 ? '' : `<dt>${escapeXml(title)}</dt><dd>${countTexts(values).join(', ')}</dd>`
  })
  const views = trials.map((trial) => trialHtml(trial, question))
  const outcomeClass = outcome.split(' ')[0] ?? ''
  const repeats = views.map((view, index) => disclosure(`Repeat ${index + 1}`, view))
  return `<section class="card">
<h3>
${escapeXml(name)}
<span class="outcome ${outcomeClass}">${outcome}</span>
${isReference ? '<small>reference</small>' : ''}
</h3>
${trials.length === 0 ? '<p class="note">not asked</p>' : ''}
${countTexts(answerTexts)
  .map((text) => `<p class="answer">${escapeXml(text)}</p>`)
  .join('')}
<dl class="scores">${scores.join('')}</dl>
${(views.length === 1 ? views : repeats).join('')}
</section>`
}

/** How often the metric is right over repeats and judge runs; empty without a range. */
function outcomeOf(trials: readonly ShownTrial[], metric: PageMetric) {
  const { right: least } = metric
  const values = valuesOf(trials, metric)
  if (trials.length > 0 && trials.every(({ failure }) => failure)) return 'failed'
  if (least === null || values.length === 0) return ''
  const right = values.filter((value) => value >= least).length
  if (right === values.length) return 'right'
  return right === 0 ? 'wrong' : `right in ${right} of ${values.length}`
}

const valuesOf = (trials: readonly ShownTrial[], { scorer, metric }: Pick<PageMetric, 'scorer' | 'metric'>) =>
  trials.flatMap(({ scores }) =>
    scores.flatMap((score) => (score.scorer === scorer ? (score.metrics?.[metric] ?? []) : [])),
  )

function trialHtml(trial: ShownTrial, question: Question | undefined) {
  const { context, failure, scores, usage } = trial
  const costOf = ({ calls, promptTokens, completionTokens, embeddedTokens }: Usage) => {
    const tokens = `${promptTokens} prompt, ${completionTokens} completion, ${embeddedTokens} embedded`
    return `${plural(calls, 'call')}, tokens ${tokens}`
  }
  const reply = question && failure?.raw !== undefined ? `<p class="text">${escapeXml(failure.raw)}</p>` : ''
  const scoresHtml = scores.map((score) => scoreHtml(score, question !== undefined))
  return `${disclosure('Unusable reply', reply)}
<p class="note">Context: ${contextEnd(trial)}</p>
${passageList(context, question)}
${disclosure('All scores with details', scoresHtml.join(''))}
<p class="note">search: ${costOf(usage.retrieve)}; answer: ${costOf(usage.answer)}</p>`
}

/** The size of the context, what ended it, and the ranks below it. */
function contextEnd({ context, stopped, beyond = [] }: ShownTrial) {
  const tokens = context.reduce((sum, passage) => sum + passage.tokens, 0)
  // a method asked for more passages than the budget may end its ranking
  const limit = stopped === 'end' && beyond.length > 0 ? 'passages' : stopped
  const end = limit === 'end' ? 'complete' : `cut off by the budget of ${limit}`
  const size = `${plural(context.length, 'passage')}, ${plural(tokens, 'token')}; ${end}`
  if (beyond.length === 0) return size
  const start = context.length + 1
  const ranks = beyond.flatMap(({ evidence = [] }, place) => (evidence.length > 0 ? [start + place] : []))
  const evidence = ranks.length > 0 ? `; evidence at rank ${ranks.join(', ')}` : ''
  return `${size}: ranks ${start} to ${context.length + beyond.length}${evidence}`
}

/** Passages by rank, with evidence highlighted and the method's trace; empty without passages. */
function passageList(passages: readonly ContextPassage[], question: Question | undefined) {
  if (passages.length === 0) return ''
  const items = passages.map((passage) => {
    const { evidence = [], why = {} } = passage
    const text = question ? passage.text : ''
    const quotes = evidence.map((index) => question?.evidence?.[index]?.text ?? '')
    const trace = text === '' ? [] : describeTrace(why).map((line) => `<li>${escapeXml(line)}</li>`)
    const textHtml = text === '' ? '' : `<p class="text">${markEvidence(text, quotes)}</p>`
    const traceHtml = trace.length === 0 ? '' : disclosure('Why this passage', `<ul>${trace.join('')}</ul>`)
    return `<li><p class="head">${escapeXml(describePassage(passage))}</p>${textHtml}${traceHtml}</li>`
  })
  return `<ol class="passages" tabindex="0" aria-label="Passages">${items.join('')}</ol>`
}

function markEvidence(text: string, evidence: readonly string[]) {
  const pieces: string[] = []
  let last = 0
  for (const [from, to] of evidenceRanges(text, evidence)) {
    const before = escapeXml(text.slice(last, from))
    const quote = escapeXml(text.slice(from, to))
    pieces.push(before, `<mark>${quote}</mark>`)
    last = to
  }
  return [...pieces, escapeXml(text.slice(last))].join('')
}

/** A score with the claims and verdicts of a judge, and everything else that a scorer records. */
function scoreHtml(score: ShownScore, texts: boolean) {
  const { failure, parts } = score
  const text = failure && !texts ? `failed: ${failure.kind}` : scoreText(score)
  const details = texts && parts ? tree(parts) : ''
  return `<div class="score"><p><b>${escapeXml(scoreName(score))}</b> ${escapeXml(text)}</p>${details}</div>`
}

/** Nested lists. */
function tree(value: unknown): string {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => `<li>${tree(item)}</li>`)
    return `<ol>${items.join('')}</ol>`
  }
  if (!isObject(value)) return escapeXml(typeof value === 'number' ? formatScore(value) : String(value))
  const items = Object.entries(value).map(([key, item]) => `<li><b>${escapeXml(key)}</b> ${tree(item)}</li>`)
  return `<ul>${items.join('')}</ul>`
}
