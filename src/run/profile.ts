type ProfiledPhase = 'prepare' | 'index' | 'retrieve' | 'answer' | 'score' | 'tables'

/** Milliseconds of wall time, and of processor time of all threads of this process. */
interface Spent {
  readonly wall: number
  readonly cpu: number
}

/** Does the work, and books its time where there is a profile. */
export const measure = <T>(
  profile: Profile | undefined,
  phase: ProfiledPhase,
  row: string,
  work: () => Promise<T>,
): Promise<T> => profile?.measure(phase, row, work) ?? work()

export type Profile = ReturnType<typeof createProfile>

/** The time of a run by phase and row, nothing booked yet. A run that is profiled does one thing at a time. */
export function createProfile() {
  const times = new Map<string, Spent>()
  const timeOf = (phase: ProfiledPhase, row: string): Spent => times.get(`${phase} ${row}`) ?? { wall: 0, cpu: 0 }
  return {
    /** Does the work and books its time; `row` is the name of a row, empty for what is not a row's. */
    async measure<T>(phase: ProfiledPhase, row: string, work: () => Promise<T>): Promise<T> {
      const before = now()
      try {
        return await work()
      } finally {
        const [after, so] = [now(), timeOf(phase, row)]
        times.set(`${phase} ${row}`, {
          wall: so.wall + after.wall - before.wall,
          cpu: so.cpu + after.cpu - before.cpu,
        })
      }
    },
    spent: timeOf,
    /** Since the process began. */
    total: now,
  }
}

function now(): Spent {
  const { user, system } = process.cpuUsage()
  return { wall: performance.now(), cpu: (user + system) / 1000 }
}
