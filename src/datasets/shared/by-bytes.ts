/** Order of names by their bytes in UTF-8: the same on every machine, whatever its language. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
