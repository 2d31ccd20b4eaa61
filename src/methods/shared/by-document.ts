/** Chunks, or what was made of them, document by document, in the order in which the documents first appear. */
export function byDocument<C extends { readonly documentId: string }>(
  chunks: readonly C[],
): ReadonlyMap<string, readonly C[]> {
  const groups = new Map<string, C[]>()
  for (const chunk of chunks) {
    const group = groups.get(chunk.documentId)
    if (group) group.push(chunk)
    else groups.set(chunk.documentId, [chunk])
  }
  return groups
}
