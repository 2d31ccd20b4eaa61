import type { Meter } from '../../models/index.ts'
import type { MeterLine, Row } from '../../records.ts'
import type { Phase } from '../../types.ts'

/** What the machine did for a line, by phase. */
export function meterLines({ method, variant }: Row, meter: Meter): readonly MeterLine[] {
  const phases: readonly Phase[] = ['index', 'retrieve', 'answer', 'judge']
  return phases.flatMap((phase) => {
    const { cached, milliseconds } = meter.spent(phase)
    return cached > 0 || milliseconds > 0 ? [{ method, variant, phase, cached, milliseconds }] : []
  })
}
