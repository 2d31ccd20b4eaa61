import { readFileSync } from 'node:fs'
import { memoise } from '../../basics/memoise.ts'
import type { Community, Entity, Relationship, Report, Tables, TextUnit } from '../../methods/graphrag/tables.ts'
import { sha256 } from '../../text/hash.ts'
import { tokenizer, type TokenizerName } from '../../text/tokens.ts'

const folder = new URL('./', import.meta.url).pathname

/** The tables of a published index of the vectors, from the copy that tests use. */
export const tablesOf = memoise(async (index: string): Promise<Tables> => ({
  entities: rowsOf(index, 'entities'),
  relationships: rowsOf(index, 'relationships'),
  communities: rowsOf(index, 'communities'),
  reports: rowsOf(index, 'reports'),
  textUnits: rowsOf(index, 'text_units'),
}))

/** The tables that are files. */
interface Files {
  readonly entities: Entity
  readonly relationships: Relationship
  readonly communities: Community
  readonly reports: Report
  readonly text_units: TextUnit
  readonly documents: { readonly text: string }
}

/** The rows of a table of a published index. */
export const rowsOf = <N extends keyof Files>(index: string, name: N): readonly Files[N][] =>
  readFileSync(`${folder}${index}/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Files[N])

/** Counts the tokens of a text with the encoding that a case names. */
export const counter =
  (name: TokenizerName) =>
  (text: string): number =>
    tokenizer(name).count(text)

export { sha256 }
