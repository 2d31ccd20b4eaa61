/** The sum of records of numbers, field by field; a field that one lacks counts 0 there. */
export function addFields(...records: readonly Readonly<Record<string, number | undefined>>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const record of records)
    for (const [field, value = 0] of Object.entries(record)) sum[field] = (sum[field] ?? 0) + value
  return sum
}
