/** One number, text or shape that is not as expected, and where. */
export interface Difference {
  readonly path: string
  readonly expected: string
  readonly got: string
}

/** What an implementation gives where it refuses: a reference's error matches any of ours. */
export interface Raised {
  readonly error: string
}

/** What stands for a part of a reference that the project does not have. */
export const notOurs = Symbol('not ours')

/** Every expected field that differs. What is got may hold more fields; numbers may differ by `tolerance`. */
export function differencesFrom(expected: unknown, got: unknown, tolerance: number, path = '$'): Difference[] {
  if (got === notOurs) return []
  const different = [{ path, expected: shown(expected), got: shown(got) }]
  if (isRecord(expected) && 'error' in expected) return raised(got) ? [] : different
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) return different
    return expected.flatMap((item, index) => differencesFrom(item, got[index], tolerance, `${path}[${index}]`))
  }
  if (isRecord(expected)) {
    if (!isRecord(got)) return different
    return Object.entries(expected).flatMap(([key, item]) =>
      differencesFrom(item, Object.hasOwn(got, key) ? got[key] : undefined, tolerance, `${path}.${key}`),
    )
  }
  return same(expected, got, tolerance) ? [] : different
}

function same(expected: unknown, got: unknown, tolerance: number): boolean {
  const number = numberOf(expected)
  if (number === undefined || typeof got !== 'number') return expected === got
  return Object.is(number, got) || number === got || Math.abs(number - got) <= tolerance
}

/** JSON has no NaN and no infinities: these three texts stand for them. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity' ? Number(value) : undefined
}

/** An error, or a result of which every part is one. */
function raised(got: unknown): boolean {
  if (!isRecord(got)) return false
  const parts = Object.values(got)
  return 'error' in got || (parts.length > 0 && parts.every(raised))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const shown = (value: unknown): string =>
  typeof value === 'number' || value === undefined ? String(value) : JSON.stringify(value)
