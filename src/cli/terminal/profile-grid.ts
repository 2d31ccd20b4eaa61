import type { Grid } from '../../report/render/grid.ts'
import type { Profile } from '../../run/index.ts'

/** What the grid of a profile shows. */
export const timesSaid =
  'seconds of wall time, and of processor time of all threads (CPU), of a run that did one thing at a time'

/** The time of each row by phase, and below it that of the program: what no phase has is its start, and reading and writing files. */
export function profileGrid(profile: Profile, rows: readonly string[]): Grid {
  const ofRow = rows.map((row) => [row, rowPhases.map((phase) => profile.spent(phase, row))] as const)
  const ofProgram = (['prepare', 'tables'] as const).map((phase) => [phase, profile.spent(phase, '')] as const)
  const booked = [...ofRow.flatMap(([, spent]) => spent), ...ofProgram.map(([, spent]) => spent)]
  const total = profile.total()
  const [wall, cpu] = [total.wall - sum(booked, 'wall'), total.cpu - sum(booked, 'cpu')]
  const line = (name: string, spent: readonly Spent[], all: Spent): Grid['rows'][number] =>
    [name, ...[...spent, all].flatMap(shown)].map((text) => ({ text }))
  const alone = (name: string, all: Spent): Grid['rows'][number] =>
    [name, ...rowPhases.flatMap(() => ['', '']), ...shown(all)].map((text) => ({ text }))
  return {
    head: ['', ...[...rowPhases, 'all'].flatMap((phase) => [phase, 'CPU'])],
    rows: [
      ...ofRow.map(([row, spent]) => line(row, spent, { wall: sum(spent, 'wall'), cpu: sum(spent, 'cpu') })),
      ...ofProgram.map(([phase, spent]) => alone(phase, spent)),
      alone('rest', { wall, cpu }),
      alone('all', total),
    ],
  }
}

type Spent = ReturnType<Profile['spent']>

const rowPhases = ['index', 'retrieve', 'answer', 'score'] as const

const sum = (spent: readonly Spent[], of: keyof Spent): number => spent.reduce((total, one) => total + one[of], 0)

const shown = ({ wall, cpu }: Spent): readonly string[] => [seconds(wall), seconds(cpu)]

const seconds = (ms: number): string => (ms / 1000).toFixed(2)
