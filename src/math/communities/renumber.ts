/** The same division, its communities numbered from 0 in the order in which they are met; and how many there are. */
export function renumber(membership: Uint32Array) {
  const numbers = new Map<number, number>()
  for (const community of membership) if (!numbers.has(community)) numbers.set(community, numbers.size)
  return { membership: membership.map((community) => numbers.get(community)!), count: numbers.size }
}
