import { itemAt } from '../../basics/collections.ts'
import type { Manifest } from '../../records.ts'
import type { Message, Question } from '../../types.ts'
import { escapeXml } from '../page-head.ts'
import { describeQuestion } from '../show/messages.ts'
import { readQuestions, type ShownQuestion } from '../show/read-questions.ts'
import type { PageMetric, PageRow } from './page-data.ts'
import type { PageRun, QuestionIds } from './questions.ts'
import { disclosure } from './table-html.ts'
import { trialsCard } from './trials-card.ts'

/** `texts`: include texts of datasets and models. */
export interface DetailSettings {
  readonly texts: boolean
  /** The prompt of a question; null if this version's prompt differs from the run's. */
  readonly promptOf: (manifest: Manifest, question: Question, context: string) => readonly Message[] | null
}

/**
 * The text of each question, and the question with the trials of every row as HTML. Reads trials and scores once.
 * `rows`: those of all runs; the first metric decides what is right.
 */
export async function questionDetails(
  runs: readonly PageRun[],
  rows: readonly PageRow[],
  metrics: readonly PageMetric[],
  allIds: readonly QuestionIds[],
  { texts, promptOf }: DetailSettings,
) {
  const questionsOfRuns: ReadonlyMap<string, ShownQuestion>[] = []
  for (const [index, run] of runs.entries()) {
    const idsOfRun = allIds.flatMap((ids) => ids[index] ?? [])
    const questions = await readQuestions(run, run.manifest.methods, idsOfRun)
    questionsOfRuns.push(new Map(questions.map((question) => [question.question.id, question])))
  }
  return allIds.map((ids) => {
    const sides = runs.map(({ manifest }, index) => ({
      manifest,
      view: questionsOfRuns[index]?.get(ids[index] ?? ''),
    }))
    const first = sides.find(({ view }) => view !== undefined)
    const question = texts ? first?.view?.question : undefined
    const prompt = first && question ? promptOf(first.manifest, question, contextMark) : null
    const trials = sides.flatMap(({ manifest, view }) =>
      manifest.methods.map((_, row) => view?.rows[row]?.trials ?? []),
    )
    const cards = rows.map((row, index) => trialsCard(row, itemAt(trials, index), metrics, question))
    return {
      // empty if texts are omitted
      text: question?.text ?? '',
      html: `${question ? aboutHtml(question) : ''}
${promptHtml(prompt ?? [])}
<div class="cards">${cards.join('')}</div>`,
    }
  })
}

const aboutHtml = (question: Question) => {
  const terms = describeQuestion(question)
    .filter(([title]) => title !== 'question')
    .map(([title, lines]) => {
      const paragraphs = lines.map((line) => `<p>${escapeXml(line)}</p>`)
      return `<dt>${title}</dt><dd>${paragraphs.join('')}</dd>`
    })
  return `<dl class="about">${terms.join('')}</dl>`
}

const contextMark = '⟨the passages⟩'

const promptHtml = (messages: readonly Message[]) =>
  disclosure(
    'The prompt of the answers',
    messages
      .map(({ role, content }) => `<p class="head">${role}</p><p class="text prompt">${escapeXml(content)}</p>`)
      .join(''),
  )
