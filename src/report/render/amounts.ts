/** `1,234`. */
export const counted = (value: number): string => value.toLocaleString('en-US')

/** Dollars, with four digits below one. */
export const inDollars = (value: number): string => value.toFixed(value < 1 ? 4 : 2)
