import { trecOrder } from '../math/trec-order.ts'
import type { Manifest, TrialLine } from '../records.ts'
import type { Results } from './results/results.ts'
import { rowName } from '../text/names.ts'
import { chunkGrades, chunkRun, documentGrades, documentRun, whyNoEvidence } from '../scorers/retrieval.ts'
import { isObject } from '../basics/plain-data.ts'

/**
 * The contexts or, without answers, the rankings of a run in the form of TREC: `qrels.txt`, and a run file for each row
 * and repeat. Units are those of the first scorer `retrieval`; ids of our own begin with `!`.
 */
export async function trecFiles(manifest: Manifest, { trials }: Pick<Results, 'trials'>) {
  const rankingRows = manifest.methods.filter(({ ranks, context }) => ranks !== false && context === undefined)
  const rows = new Map(rankingRows.map((row) => [row.id, { name: rowName(row), repeats: [] as string[][] }]))
  const unit = unitOf(manifest)
  const qrels = new Map<string, readonly string[]>()
  for await (const trial of trials()) {
    const row = rows.get(trial.methodId)
    if (trial.line !== 'trial' || !row || trial.failure) continue
    if (whyNoEvidence(trial.question) !== undefined) continue
    const relevant = unit === 'document' ? documentGrades(trial.question) : chunkGrades(trial)
    const grades = new Map([...relevant, ...Object.entries(trial.question.notRelevant ?? {})])
    if (grades.size === 0) continue
    const query = wordOf(trial.question.id)
    qrels.set(
      query,
      Array.from(grades, ([id, grade]) => `${query} 0 ${wordOf(id)} ${grade}\n`),
    )
    const lines = (row.repeats[trial.repeat] ??= [])
    lines.push(...linesOf(query, trial, unit, wordOf(row.name)))
  }
  return [
    { name: 'qrels.txt', content: [...qrels.values()].flat().join('') },
    ...[...rows.values()].flatMap(({ name, repeats }) =>
      repeats.map((lines, repeat) => ({
        name: `${fileNameOf(name)}${repeat > 0 ? `-repeat-${repeat + 1}` : ''}.run`,
        content: lines.join(''),
      })),
    ),
  ]
}

type Unit = 'chunk' | 'document'

/** What the first scorer `retrieval` counts; its option has a default. */
function unitOf({ scorers }: Pick<Manifest, 'scorers'>): Unit {
  const { options } = scorers.find(({ use }) => use === 'retrieval') ?? {}
  return isObject(options) && options.unit === 'document' ? 'document' : 'chunk'
}

function linesOf(query: string, trial: TrialLine, unit: Unit, tag: string): string[] {
  const { context, beyond: rest = [], answer, relevant = [] } = trial
  const ranking = answer ? context : [...context, ...rest]
  const order = trecOrder(unit === 'document' ? documentRun(ranking) : chunkRun(ranking, relevant))
  const all = order.length > 0 ? order : [{ id: '!nothing', score: 0 }]
  return all.map(
    // trec_eval reads scores as 32-bit floats
    ({ id, score }, rank) => `${query} Q0 ${wordOf(id)} ${rank + 1} ${String(Math.fround(score))} ${tag}\n`,
  )
}

/** Fields are separated by white space; ids of our own begin with a character that no file may hold. */
const wordOf = (text: string) => text.replace(/^\0/, '!').replace(/\s/g, '_')

/** A name that every file system takes. */
const fileNameOf = (name: string) => name.replace(/[^\w.-]+/g, '-').replace(/^[.-]+|-+$/g, '') || 'row'
