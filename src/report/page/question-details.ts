import { itemAt } from '../../basics/collections.ts'
import type { Question } from '../../types.ts'
import type { QuestionIds } from '../diff/question-changes.ts'
import { escapeXml } from '../page-head.ts'
import { describeQuestion } from '../show/messages.ts'
import { readQuestions, type ShownQuestion } from '../show/read-questions.ts'
import type { PageMetric, PageRow } from './page-data.ts'
import type { PageRun } from './questions.ts'
import { trialsCard } from './trials-card.ts'

/**
 * The text of each question, and the question with the trials of every row as HTML. Reads trials and scores once.
 * `rows`: those of all runs; the first metric decides what is right; `texts`: include texts of datasets and models.
 */
export async function questionDetails(
  runs: readonly PageRun[],
  rows: readonly PageRow[],
  metrics: readonly PageMetric[],
  allIds: readonly QuestionIds[],
  texts: boolean,
) {
  const questionsOfRuns: ReadonlyMap<string, ShownQuestion>[] = []
  for (const [index, run] of runs.entries()) {
    const idsOfRun = allIds.flatMap((ids) => ids[index] ?? [])
    const questions = await readQuestions(run, run.manifest.methods, idsOfRun)
    questionsOfRuns.push(new Map(questions.map((question) => [question.question.id, question])))
  }
  return allIds.map((ids) => {
    const views = ids.map((id, index) => questionsOfRuns[index]?.get(id ?? ''))
    const question = texts ? views.find((view) => view !== undefined)?.question : undefined
    const trials = runs.flatMap(({ manifest }, run) =>
      manifest.methods.map((_, row) => views[run]?.rows[row]?.trials ?? []),
    )
    const cards = rows.map((row, index) => trialsCard(row, itemAt(trials, index), metrics, question))
    return {
      // empty if texts are omitted
      text: question?.text ?? '',
      html: `${question ? aboutHtml(question) : ''}
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
