type ProfiledPhase = 'prepare' | 'index' | 'retrieve' | 'answer' | 'score' | 'tables'

/** Milliseconds of wall time, and of processor time of all threads of this process. */
interface PhaseTime {
  readonly wall: number
  readonly cpu: number
}

/** Does the work and records its time in the profile, if any. */
export const measure = <T>(
  profile: Profile | undefined,
  phase: ProfiledPhase,
  row: string,
  work: () => Promise<T>,
): Promise<T> => profile?.measure(phase, row, work) ?? work()

export type Profile = ReturnType<typeof createProfile>

/** The time of a run by phase and row. A profiled run does one thing at a time. */
export function createProfile() {
  const times = new Map<string, PhaseTime>()
  const timeOf = (phase: ProfiledPhase, row: string): PhaseTime => times.get(`${phase} ${row}`) ?? { wall: 0, cpu: 0 }
  return {
    /** Does the work and records its time; `row` is empty for work of no row. */
    async measure<T>(phase: ProfiledPhase, row: string, work: () => Promise<T>): Promise<T> {
      const before = now()
      try {
        return await work()
      } finally {
        const after = now()
        const so = timeOf(phase, row)
        times.set(`${phase} ${row}`, {
          wall: so.wall + after.wall - before.wall,
          cpu: so.cpu + after.cpu - before.cpu,
        })
      }
    },
    timeOf,
    /** Since the process began. */
    total: now,
  }
}

function now(): PhaseTime {
  const { user, system } = process.cpuUsage()
  return { wall: performance.now(), cpu: (user + system) / 1000 }
}
