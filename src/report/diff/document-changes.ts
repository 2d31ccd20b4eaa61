import type { Manifest } from '../../records.ts'

/** What became of a document from one run to another. */
type DocumentChange = 'added' | 'removed' | 'edited'

/** The documents that two runs do not share, by corpus and document, in the order of the runs. */
export interface DocumentChanges {
  readonly of: (corpus: string, document: string) => DocumentChange | undefined
  readonly names: Readonly<Record<DocumentChange, readonly string[]>>
}

/** Compares the documents of two runs; undefined where a manifest does not hold their digests. */
export function documentChanges(
  before: Pick<Manifest, 'dataset'>,
  after: Pick<Manifest, 'dataset'>,
): DocumentChanges | undefined {
  const [old, now] = [digestsOf(before), digestsOf(after)]
  if (!old || !now) return undefined
  const found = new Map<string, DocumentChange>()
  for (const [key, { digest }] of old) {
    const other = now.get(key)
    if (!other) found.set(key, 'removed')
    else if (other.digest !== digest) found.set(key, 'edited')
  }
  for (const key of now.keys()) if (!old.has(key)) found.set(key, 'added')
  const named = (wanted: DocumentChange): readonly string[] =>
    [...found].flatMap(([key, change]) => (change === wanted ? [(now.get(key) ?? old.get(key))?.name ?? key] : []))
  return {
    of: (corpus, document) => found.get(keyOf(corpus, document)),
    names: { added: named('added'), removed: named('removed'), edited: named('edited') },
  }
}

const keyOf = (corpus: string, document: string): string => JSON.stringify([corpus, document])

/** A document of several corpora is named with its corpus. */
function digestsOf({
  dataset: { digests },
}: Pick<Manifest, 'dataset'>): ReadonlyMap<string, { readonly digest: string; readonly name: string }> | undefined {
  if (!digests) return undefined
  const corpora = Object.entries(digests)
  return new Map(
    corpora.flatMap(([corpus, documents]) =>
      Object.entries(documents).map(([id, digest]) => [
        keyOf(corpus, id),
        { digest, name: corpora.length > 1 ? `${corpus}: ${id}` : id },
      ]),
    ),
  )
}

/** A changed document that a question rests on: one of its evidence, or one of which a context holds a passage. */
export interface TouchingDocument {
  readonly document: string
  readonly change: DocumentChange
  readonly evidence: boolean
}
