import { rowName } from '../../text/names.ts'
import type { Manifest, MethodRecord, TrialLine } from '../../records.ts'
import type { Results } from '../results/results.ts'
import { chunkRun } from '../../scorers/retrieval.ts'

/** A file by its name. */
export interface NamedFile {
  readonly name: string
  readonly content: string | Uint8Array
}

/**
 * The contexts of a run in the form of TREC: `qrels.txt`, and a run file for each row that ranks and each repeat. Units
 * are chunks, as the scorer retrieval counts them. A passage without a chunk's evidence has the id of the chunk that it
 * begins in, or one that begins with `!`; so has the one line of a question to which nothing was found.
 */
export async function trecFiles(
  manifest: Manifest,
  { trials }: Pick<Results, 'trials'>,
): Promise<readonly NamedFile[]> {
  const rows = manifest.methods.filter(({ ranks, context }) => ranks !== false && context === undefined)
  const known = new Map(rows.map((row) => [row.id, row]))
  const relevant = new Map<string, readonly string[]>()
  const runs = new Map<
    string,
    { readonly row: MethodRecord; readonly repeat: number; readonly lines: Map<string, string[]> }
  >()
  for await (const trial of trials()) {
    const row = known.get(trial.methodId)
    if (trial.line !== 'trial' || !row || !trial.answer || !trial.relevant?.length) continue
    const query = wordOf(trial.question.id)
    relevant.set(query, trial.relevant)
    const key = `${row.id} ${trial.repeat}`
    const run = runs.get(key) ?? { row, repeat: trial.repeat, lines: new Map<string, string[]>() }
    runs.set(key, run)
    run.lines.set(query, linesOf(query, trial, wordOf(rowName(row))))
  }
  const qrels = [...relevant].flatMap(([query, ids]) => ids.map((id) => `${query} 0 ${wordOf(id)} 1\n`))
  const order = [...runs.values()].sort((a, b) => rows.indexOf(a.row) - rows.indexOf(b.row) || a.repeat - b.repeat)
  return [
    { name: 'qrels.txt', content: qrels.join('') },
    ...order.map(({ row, repeat, lines }) => ({
      name: `${fileNameOf(rowName(row))}${repeat > 0 ? `-repeat-${repeat + 1}` : ''}.run`,
      content: [...lines.values()].flat().join(''),
    })),
  ]
}

function linesOf(query: string, { context, relevant = [] }: TrialLine, tag: string): string[] {
  const found = chunkRun(context, relevant)
  const all = found.length > 0 ? found : [{ id: '!nothing', score: 0 }]
  return all.map(
    // trec_eval reads scores as 32-bit floats
    ({ id, score }, rank) => `${query} Q0 ${wordOf(id)} ${rank + 1} ${String(Math.fround(score))} ${tag}\n`,
  )
}

/** Fields are separated by white space; ids of our own begin with a character that no file may hold. */
const wordOf = (text: string): string => text.replace(/^\0/, '!').replace(/\s/g, '_')

/** A name that every file system takes. */
export const fileNameOf = (name: string): string => name.replace(/[^\w.-]+/g, '-').replace(/^[.-]+|-+$/g, '') || 'row'
