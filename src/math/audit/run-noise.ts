import { studentBound } from '../statistics/student.ts'

/** The mean of so many runs, and the variance (n - 1) of single runs. */
export interface MeanOfRuns {
  readonly mean: number
  readonly variance: number
  readonly runs: number
}

export interface RunNoise {
  readonly difference: number
  /** Standard error of the difference, from runs alone. */
  readonly error: number
  /** The difference in standard errors; not finite where no run varies. */
  readonly z: number
  /** The |z| that runs alone exceed in 5 of 100 tables: Student's t with Welch's degrees of freedom, cut to a whole number. */
  readonly bound: number
  /** Whether |z| is above the bound. */
  readonly exceeds: boolean
}

/** The first mean minus the second in the noise of their runs: z = Δ / √(σ²_A/R + σ²_B/R). It leaves out that other questions could have been asked. Needs two runs of each. */
export function runNoise(first: MeanOfRuns, second: MeanOfRuns): RunNoise {
  const [a, b] = [first.variance / first.runs, second.variance / second.runs]
  const difference = first.mean - second.mean
  const error = Math.sqrt(a + b)
  const welch = (a + b) ** 2 / (a ** 2 / (first.runs - 1) + b ** 2 / (second.runs - 1))
  // what is whole but for the rounding of its quotient stays whole
  const degrees = error > 0 ? Math.floor(welch + 1e-9) : first.runs + second.runs - 2
  const bound = studentBound(0.95, degrees)
  return { difference, error, z: difference / error, bound, exceeds: Math.abs(difference) > bound * error }
}
