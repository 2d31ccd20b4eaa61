import { countEach } from '../../../basics/collections.ts'
import { isObject } from '../../../basics/plain-data.ts'
import { plural } from '../../../text/amounts.ts'
import { element, disclosure, type Inside } from '../../client/dom.ts'
import type { ShownScore } from '../../show/read-questions.ts'
import { describeOutcome, formatScore, scoreName, scoreText } from '../../show/messages.ts'
import { contextMark, type PageMetric, type PageRow, type PartQuestion, type PartTrial } from '../page-data.ts'
import { isRight } from './select-questions.ts'
import { budgetCutDetails, contextList } from './passages.ts'

/** The trials of a row for a question. `metrics`: the first decides what is right; `home`: folder of the main page. */
export function rowCard(
  { name, reference, graphs = [] }: PageRow,
  trials: readonly PartTrial[],
  metrics: readonly PageMetric[],
  question: PartQuestion,
  home: string,
): HTMLElement {
  const outcome = metrics[0] ? outcomeOf(trials, metrics[0]) : ''
  const title = element(
    'h3',
    {},
    name,
    outcome !== '' && [' ', element('span', { class: `outcome ${outcome.split(' ')[0] ?? ''}` }, outcome)],
    reference && element('small', {}, ' reference'),
    graphs
      .filter(({ corpus }) => corpus === trials[0]?.corpus)
      .map(({ address }) => [' ', element('a', { href: `${home}${address}` }, 'graph')]),
  )
  const views = trials.map((trial) => trialView(trial, question))
  return element(
    'section',
    { class: 'card' },
    title,
    trials.length === 0 && element('p', { class: 'note' }, 'not asked'),
    countTexts(trials.flatMap((trial) => answerTexts(trial, question))).map((words) =>
      element('p', { class: 'answer' }, words),
    ),
    trials.length > 0 && scoreList(trials, metrics),
    trials.length === 1
      ? views
      : views.map((view, index) => disclosure(`Repeat ${(trials[index]?.repeat ?? 0) + 1}`, view)),
  )
}

/** How often the metric is right over repeats and judge runs; empty without a range. */
function outcomeOf(trials: readonly PartTrial[], metric: PageMetric): string {
  if (trials.length > 0 && trials.every(({ failure }) => failure)) return 'failed'
  const verdicts = valuesOf(trials, metric).flatMap((value) => isRight(value, metric) ?? [])
  const right = verdicts.filter(Boolean).length
  if (verdicts.length === 0) return ''
  if (right === verdicts.length) return 'right'
  return right === 0 ? 'wrong' : `right in ${right} of ${verdicts.length}`
}

const valuesOf = (trials: readonly PartTrial[], { scorer, metric }: PageMetric): readonly number[] =>
  trials.flatMap(({ scores }) =>
    scores.flatMap((score) => (score.scorer === scorer ? (score.metrics?.[metric] ?? []) : [])),
  )

/** The answer or failure; empty for a run without answers. */
const answerTexts = (trial: PartTrial, { question }: PartQuestion): readonly string[] =>
  trial.failure || trial.answer ? [describeOutcome(trial, question?.reference)] : []

/** Values of all metrics over trials and judge runs, and reasons for missing ones. */
function scoreList(trials: readonly PartTrial[], metrics: readonly PageMetric[]): HTMLElement {
  const scores = trials.flatMap((trial) => trial.scores)
  const values = metrics.map((metric) => [metric.name, valuesOf(trials, metric).map(formatScore)] as const)
  const reasons = [...new Set(scores.map(({ scorer }) => scorer))].map((scorer) => {
    const reasonScores = scores.filter((score) => score.scorer === scorer && !score.metrics)
    return [scorer, reasonScores.map(scoreText)] as const
  })
  const terms = [...values, ...reasons].map(
    ([name, texts]) => texts.length > 0 && [element('dt', {}, name), element('dd', {}, countTexts(texts).join(', '))],
  )
  return element('dl', { class: 'scores' }, terms)
}

/** Groups equal texts: `right (4 of 5)`; a single text has no count. */
const countTexts = (texts: readonly string[]): readonly string[] =>
  Array.from(countEach(texts), ([text, count]) => (texts.length > 1 ? `${text} (${count} of ${texts.length})` : text))

function trialView(trial: PartTrial, question: PartQuestion): HTMLElement {
  const { failure, scores, ended, usage } = trial
  const costs = Object.entries({ search: usage.retrieve, answer: usage.answer }).map(
    ([name, { calls, promptTokens, completionTokens, embeddedTokens }]) =>
      `${name}: ${plural(calls, 'call')}, ${promptTokens} prompt and ${completionTokens} completion tokens${embeddedTokens > 0 ? `, ${embeddedTokens} embedded` : ''}`,
  )
  return element(
    'div',
    {},
    failure?.raw !== undefined && disclosure('Unusable reply', element('p', { class: 'text' }, failure.raw)),
    element('p', { class: 'note' }, `Context: ${ended}`),
    contextList(trial, question),
    budgetCutDetails(trial, question),
    scores.length > 0 && disclosure('All scores with details', scores.map(scoreDetails)),
    promptView(trial, question),
    element('p', { class: 'note' }, costs.join('; ')),
  )
}

function promptView({ prompted, context }: PartTrial, { prompts }: PartQuestion): Inside {
  if (!prompted || !prompts) return undefined
  const contextText = context
    .map(({ text, order }, rank) => ({ text, place: order ?? rank }))
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text)
    .join('\n\n')
  const messages = (contextText === '' ? prompts.empty : prompts.filled).map(({ role, content }) => [
    element('p', { class: 'head' }, role),
    element('p', { class: 'text prompt' }, content.split(contextMark).join(contextText)),
  ])
  return disclosure('The exact prompt', messages)
}

/** Details of a score: a judge's claims and verdicts, and everything else that a scorer records. */
const scoreDetails = (score: ShownScore): HTMLElement =>
  element(
    'div',
    { class: 'score' },
    element('p', {}, element('b', {}, scoreName(score)), ` ${scoreText(score)}`),
    score.parts && tree(score.parts),
  )

/** Nested lists; pairs claims with verdicts if there are equally many. */
function tree(value: unknown): HTMLElement {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => element('li', {}, tree(item)))
    return element('ol', {}, items)
  }
  if (!isObject(value)) return element('span', {}, typeof value === 'number' ? formatScore(value) : String(value))
  const { claims, verdicts, ...rest } = value
  const isJudged = Array.isArray(claims) && Array.isArray(verdicts) && claims.length === verdicts.length
  const judgedClaims =
    isJudged &&
    claims.map((claim: unknown, index) => {
      const verdict: unknown = verdicts[index]
      return isObject(verdict) ? { claim, ...verdict } : { claim, verdict }
    })
  const items = Object.entries(judgedClaims ? { claims: judgedClaims, ...rest } : value).map(([key, item]) =>
    element('li', {}, element('b', {}, `${key} `), tree(item)),
  )
  return element('ul', {}, items)
}
