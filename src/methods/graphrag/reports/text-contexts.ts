import { quotedRow } from '../csv.ts'
import type { Entity, TextUnit } from '../tables.ts'
import type { ContextOf } from './write-reports.ts'

/** Reports from text units, those that name members of the highest degrees first, for as long as they fit; the first stays in any case. */
export function textContexts(
  entities: readonly Entity[],
  textUnits: readonly TextUnit[],
  tokens: number,
  count: (text: string) => number,
): ContextOf {
  const degrees = new Map(entities.map(({ id, degree }) => [id, degree]))
  return ({ entityIds, textUnitIds }) => {
    const members = new Set(entityIds)
    const own = new Set(textUnitIds)
    const ranked = textUnits
      .filter(({ id }) => own.has(id))
      .map((unit) => ({ unit, worth: worthOf(unit.entityIds.filter((id) => members.has(id))) }))
      .sort((a, b) => b.worth - a.worth)
    let text = `-----Sources-----\n${quotedRow(['id', 'text'], ',')}`
    let spent = count(text)
    for (const [place, { unit }] of ranked.entries()) {
      const row = quotedRow([unit.id, unit.text], ',')
      const cost = count(row)
      if (spent + cost > tokens && place > 0) break
      spent += cost
      text += row
    }
    return text
  }

  function worthOf(ids: readonly number[]): number {
    return ids.reduce((sum, id) => sum + (degrees.get(id) ?? 0), 0)
  }
}
