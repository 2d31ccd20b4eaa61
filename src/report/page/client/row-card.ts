import { countEach, itemAt } from '../../../basics/collections.ts'
import { isObject } from '../../../basics/plain-data.ts'
import { element, folded, type Inside } from '../../client/dom.ts'
import type { ShownScore } from '../../show/shown-question.ts'
import {
  contextMark,
  type PageMetric,
  type PagePart,
  type PageRow,
  type PartQuestion,
  type PartTrial,
} from '../page-data.ts'
import { isRight } from './choose.ts'
import { cutPassages, passageList } from './passages.ts'

/** What a row made of a question. `metrics`: those of the table; the first says what is right. */
export function rowCard(
  { name, reference, graphs = [] }: PageRow,
  trials: readonly PartTrial[],
  metrics: readonly PageMetric[],
  question: PartQuestion,
  part: PagePart,
): HTMLElement {
  const [first] = metrics
  const outcome = first && trials.length > 0 ? outcomeOf(trials, first) : ''
  const title = element(
    'h3',
    {},
    name,
    outcome !== '' && [' ', element('span', { class: `outcome ${outcome.split(' ')[0] ?? ''}` }, outcome)],
    reference && element('small', {}, ' for orientation'),
    graphs
      .filter(({ corpus }) => corpus === question.corpus)
      .map(({ address }) => [' ', element('a', { href: address }, 'graph')]),
  )
  if (trials.length === 0)
    return element('section', { class: 'card' }, title, element('p', { class: 'note' }, 'was not asked'))
  return element(
    'section',
    { class: 'card' },
    title,
    counted(trials.map((trial) => answerWords(trial, question))).map((words) =>
      element('p', { class: 'answer' }, words),
    ),
    scoreList(trials, metrics),
    trials.map((trial) => {
      const shown = trialOf(trial, question, part)
      return trials.length === 1 ? shown : folded(`Repeat ${trial.repeat + 1}`, shown)
    }),
  )
}

/** How often the scores of a metric are right, over repeats and judge runs; empty where none is right or wrong. */
function outcomeOf(trials: readonly PartTrial[], metric: PageMetric): string {
  if (trials.every(({ failure }) => failure)) return 'failed'
  const judged = trials
    .flatMap(({ scores }) => scores)
    .flatMap((score) => {
      const value = score.scorer === metric.scorer ? score.metrics?.[metric.metric] : undefined
      return value === undefined ? [] : (isRight(value, metric) ?? [])
    })
  const right = judged.filter((one) => one).length
  if (judged.length === 0) return ''
  if (right === judged.length) return 'right'
  return right === 0 ? 'wrong' : `right in ${right} of ${judged.length}`
}

function answerWords({ answer, fixed, failure }: PartTrial, { options }: PartQuestion): string {
  if (!answer) return `Failed at ${failure?.phase ?? 'a call'}: ${failure?.message ?? ''}`
  const { text, choice } = answer
  const read =
    choice === undefined
      ? ''
      : choice === null
        ? ' [no option could be read]'
        : ` [option ${choice + 1}${options[choice] === undefined ? '' : `: ${options[choice]}`}]`
  return `${text === '' ? '(no text)' : text}${read}${fixed === undefined ? '' : ` [${fixed}]`}`
}

/** The metrics of the table with the scores of all trials and judge runs, and why there are none. */
function scoreList(trials: readonly PartTrial[], metrics: readonly PageMetric[]): HTMLElement {
  const scores = trials.flatMap((trial) => trial.scores)
  const lines = metrics.flatMap(({ scorer, metric, name }) => {
    const values = scores.flatMap((score) => {
      const value = score.scorer === scorer ? score.metrics?.[metric] : undefined
      return value === undefined ? [] : [shownNumber(value)]
    })
    return values.length === 0 ? [] : [[name, counted(values)] as const]
  })
  const without = [...new Set(scores.map(({ scorer }) => scorer))].flatMap((scorer) => {
    const reasons = scores.flatMap((score) =>
      score.scorer !== scorer
        ? []
        : score.failure
          ? [`failed: ${score.failure.message}`]
          : score.skipped === undefined
            ? []
            : [`not scored: ${score.skipped}`],
    )
    return reasons.length === 0 ? [] : [[scorer, counted(reasons)] as const]
  })
  const terms = [...lines, ...without].map(([name, values]) => [
    element('dt', {}, name),
    element('dd', {}, values.join(', ')),
  ])
  return element('dl', { class: 'scores' }, terms)
}

function trialOf(trial: PartTrial, question: PartQuestion, part: PagePart): HTMLElement {
  const { failure } = trial
  return element(
    'div',
    {},
    failure?.raw !== undefined &&
      folded('The reply that could not be used', element('p', { class: 'text' }, failure.raw)),
    element('p', { class: 'note' }, `Context: ${trial.ended}`),
    trial.context.length > 0 && passageList(trial.context, question, part),
    cutPassages(trial, question, part),
    trial.scores.length > 0 && folded('All scores, and how they came about', trial.scores.map(scoreDetails)),
    promptOf(trial, question, part),
    element('p', { class: 'note' }, trial.cost),
  )
}

function promptOf({ prompted, context }: PartTrial, { prompts }: PartQuestion, { texts }: PagePart): Inside {
  const ordered = context
    .map(({ text, order }, rank) => ({ text: text === null ? null : itemAt(texts, text), place: order ?? rank }))
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text)
  if (!prompted || !prompts || ordered.includes(null)) return undefined
  const words = ordered.join('\n\n')
  const messages = words === '' ? prompts.empty : prompts.filled
  const shown = messages.map(({ role, content }) => [
    element('p', { class: 'head' }, role),
    element('p', { class: 'text prompt' }, content.split(contextMark).join(words)),
  ])
  return folded('The exact prompt', shown)
}

/** Equal texts once, with how many of all there are: `right (4 of 5)`; one alone has no count. */
const counted = (texts: readonly string[]): readonly string[] =>
  Array.from(countEach(texts), ([text, count]) => (texts.length > 1 ? `${text} (${count} of ${texts.length})` : text))

/** How a score came about: the claims of a judge with their verdicts, and everything else that a scorer keeps. */
function scoreDetails({ scorer, run, metrics = {}, parts, skipped, failure }: ShownScore): HTMLElement {
  const numbers = Object.entries(metrics).map(([metric, value]) => `${metric} ${shownNumber(value)}`)
  const words = failure
    ? `failed: ${failure.message}`
    : skipped !== undefined
      ? `not scored: ${skipped}`
      : numbers.join(', ')
  return element(
    'div',
    { class: 'score' },
    element('p', {}, element('b', {}, run === 0 ? scorer : `${scorer}, run ${run + 1}`), ` ${words}`),
    parts && tree(withClaims(parts)),
  )
}

const shownNumber = (value: number): string => String(Number(value.toFixed(4)))

/** Claims and verdicts of the same length, side by side, wherever they stand in the parts of a score. */
function withClaims(value: unknown): unknown {
  if (!isObject(value)) return value
  const { claims, verdicts, ...rest } = value
  const inner = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, withClaims(one)]))
  if (!Array.isArray(claims) || !Array.isArray(verdicts) || claims.length !== verdicts.length)
    return { ...(claims !== undefined && { claims }), ...(verdicts !== undefined && { verdicts }), ...inner }
  const judged = claims.map((claim: unknown, index) => {
    const verdict: unknown = verdicts[index]
    return isObject(verdict) ? { claim, ...verdict } : { claim, verdict }
  })
  return { claims: judged, ...inner }
}

function tree(value: unknown): HTMLElement {
  if (Array.isArray(value))
    return element(
      'ol',
      {},
      value.map((one: unknown) => element('li', {}, tree(one))),
    )
  if (isObject(value)) {
    const items = Object.entries(value).map(([key, one]) => element('li', {}, element('b', {}, `${key} `), tree(one)))
    return element('ul', {}, items)
  }
  return element('span', {}, typeof value === 'number' ? shownNumber(value) : String(value))
}
