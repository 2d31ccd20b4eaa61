/** A named thing of the corpus, what is said of it, and the rows of the chunks that name it: twice where one names it twice. */
export interface Entity {
  readonly name: string
  readonly description: string
  readonly chunks: readonly number[]
}

/** Entities of exactly one name made one: descriptions joined by a space, chunks in order; sorted by the bytes of the name. */
export function mergeByName(mentions: readonly Entity[]): Entity[] {
  const byName = new Map<string, Entity[]>()
  for (const mention of mentions) {
    const known = byName.get(mention.name)
    if (known) known.push(mention)
    else byName.set(mention.name, [mention])
  }
  return [...byName]
    .map(([name, same]) => ({
      name,
      description: same.map(({ description }) => description).join(' '),
      chunks: same.flatMap(({ chunks }) => chunks),
    }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
}
