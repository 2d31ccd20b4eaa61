import { capitalisedNames } from './names.ts'
import { closest, isHeading, line, read } from './reading.ts'
import { centralSentences } from './summaries.ts'

/** A report of the central sentences, titled by the first names; the rating grows with the length. */
export function reportOn(context: string) {
  const prose = proseOf(context)
  const central = centralSentences(read(prose.join('\n\n')), 6)
  const [first = context.trim().slice(0, 200) || '–', second = ''] = central
  const names = new Set(central.flatMap((sentence) => capitalisedNames(line(sentence))))
  return {
    title: [...names].slice(0, 2).join(' and ') || first.slice(0, 60),
    summary: `${first} ${second}`.trim(),
    rating: Math.min(10, 1 + Math.floor(prose.length / 5)),
    findings: central.map((explanation) => ({ summary: explanation.replace(/[,;:]\s.*$/, ''), explanation })),
  }
}

/** The distinct sentences of a table by their overlap with a question, scored from 0 to 100. */
export function pointsIn(question: string, table: string) {
  const points = closest(question, read(proseOf(table).join('\n\n')))
    .filter(({ sentence, share }) => share > 0 && !isHeading(sentence))
    .map(({ sentence, share }) => ({ description: sentence.text, score: Math.round(100 * share) }))
  return [...new Map(points.map((point) => [point.description, point])).values()]
}

/** An answer of the two best points, and follow-up questions about their names. */
export function answerWithQuestions(question: string, context: string, most: number) {
  const best = pointsIn(question, context).slice(0, 2)
  const names = best.flatMap(({ description }) => capitalisedNames(line(description)))
  const questions = names
    .filter((name) => !question.toLowerCase().includes(name.toLowerCase()))
    .map((name) => `What is known of ${name}?`)
  return {
    answer: best.map(({ description }) => description).join(' '),
    score: best[0]?.score ?? 0,
    follow_up_questions: [...new Set(questions)].slice(0, Math.min(most, 2)),
  }
}

const proseOf = (table: string) =>
  table
    .split('\n')
    .filter((row) => !/^-{3,}/.test(row))
    .map((row) => (/^\d+[,|]/.test(row) ? longestField(row) : row.replace(/^#+\s*/, '').replace(/"?$/, '')))
    .filter((row) => /\s\S+\s/.test(row))

const longestField = (row: string) =>
  (row.match(/"(?:[^"]|"")*"?|[^,|"]+/g) ?? [])
    .map((field) => field.replace(/^"|"$/g, '').replaceAll('""', '"').trim())
    .reduce((longest, field) => (field.length > longest.length ? field : longest), '')
