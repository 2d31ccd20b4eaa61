/** A share as a percentage with one digit: `34.7 %`; one that is not 0 is never shown as 0. */
export const percent = (share: number): string =>
  share > 0 && share < 0.0005 ? 'less than 0.1 %' : `${(100 * share).toFixed(1)} %`
