import { plural } from '../report/render/amounts.ts'

/** How many scores were made and how many failed; where scorers declined answers, how many these are: they have no score. */
export const scoresSaid = ({
  made,
  failed,
  skipped,
}: {
  readonly made: number
  readonly failed: number
  readonly skipped: number
}): string => `${plural(made - skipped, 'score')} (${failed} failed${skipped > 0 ? `, ${skipped} not scored` : ''})`
