/**
 * What a voter gains from the nth elected candidate of the ballot (Thiele 1895): every one the same (approval), ever less
 * (proportional approval, PAV), the first alone (Chamberlin–Courant, CC).
 */
export const thiele = {
  approval: () => 1,
  pav: (nth: number) => 1 / nth,
  cc: (nth: number) => (nth === 1 ? 1 : 0),
} as const satisfies Readonly<Record<string, (nth: number) => number>>

export type ThieleRule = keyof typeof thiele
