import { writeSync } from 'node:fs'
import { onGroups } from '../../basics/processes.ts'

/** The environment variable that tells a process that another one supervises it. */
export const supervisedBy = 'GEMBENCH_SUPERVISED'

/** The pipe on which a supervised process says, a line of JSON each, which groups of processes live. */
export const reportsFd = 4

/** Whether another process supervises this one (`cli/start.ts`): that one listens to signals. */
export const isSupervised = process.connected && process.env[supervisedBy] !== undefined
// it is meant for this process alone, not for those that it starts
delete process.env.GEMBENCH_SUPERVISED

onGroups((group) => {
  if (!isSupervised) return
  try {
    writeSync(reportsFd, `${JSON.stringify(group)}\n`)
  } catch {
    // the supervisor has ended: this process is told of it
  }
})
