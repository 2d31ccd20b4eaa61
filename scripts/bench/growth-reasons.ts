/** Why the cost of a method grows faster than its chunks, and from which size on it does what does not. */
export const growsFaster: Readonly<Record<string, string>> = {}
