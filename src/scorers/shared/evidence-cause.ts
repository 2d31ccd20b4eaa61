import type { Evidence, EvidencePlace, Question } from '../../types.ts'

/**
 * Which pieces of the question's evidence support an answer together, by index: those of each accepted answer, where the dataset keeps them
 * apart; else all of them.
 */
export function evidenceSets({ evidence = [], reference }: Question): readonly (readonly number[])[] {
  const key = ({ documentId, text, start }: Evidence): string => JSON.stringify([documentId, text, start])
  const indexOf = new Map(evidence.map((one, index) => [key(one), index]))
  const accepted = reference.kind === 'answer' ? reference.accepted : []
  const sets = accepted.flatMap(({ evidence: own = [] }) => {
    const found = own.map((one) => indexOf.get(key(one)))
    return found.length > 0 && !found.includes(undefined) ? [found.filter((one) => one !== undefined)] : []
  })
  return sets.length > 0 ? sets : [[...evidence.keys()]]
}

type Found = Exclude<EvidencePlace, { readonly absent: true }>

/**
 * Why evidence did not lead to the answer, by the set of which the fewest pieces are missing in the context: a piece that is not in the
 * ranking, then one that chunking cut and of which only a part is in the context, then one beyond the budget. `unused` where none is missing;
 * undefined where no piece stands in a document. A piece of which nothing is in the context, and not all in the ranking, counts as not in the
 * ranking, or as beyond the budget where chunking cut it and a part of it is there.
 */
export function causeOfEvidence(
  places: readonly EvidencePlace[],
  sets: readonly (readonly number[])[],
): 'unranked' | 'cut' | 'beyond' | 'unused' | undefined {
  const known = sets
    .map((set) => set.flatMap((index): readonly Found[] => foundOf(places[index])))
    .filter(({ length }) => length > 0)
    .map((pieces) => pieces.filter(({ context }) => context !== 'whole').map(causeOfPiece))
    .sort((a, b) => a.length - b.length)
  const [missing] = known
  if (!missing) return undefined
  return (['unranked', 'cut', 'beyond'] as const).find((cause) => missing.includes(cause)) ?? 'unused'
}

const foundOf = (place: EvidencePlace | undefined): readonly Found[] => (place && !('absent' in place) ? [place] : [])

/** Why a piece is not whole in the context. */
function causeOfPiece({ cut, context, ranking }: Found): 'unranked' | 'cut' | 'beyond' {
  if (cut && context === 'part') return 'cut'
  if (ranking === 'whole' || (cut && ranking === 'part')) return 'beyond'
  return 'unranked'
}
