import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind } from '../kind.ts'
import { leftFault, serverProject, startRun, undisturbed, type Ended } from '../tiny-run.ts'

/** Runs that are killed once to three times at random moments: in the end their results are an undisturbed run's. */
const kill: Kind = {
  name: 'kill',
  ...{ mutants: 100, tested: 1, limitSeconds: 90 },
  async open() {
    const { server, milliseconds, oracle } = await undisturbed(30)
    return {
      make: (random) => ({
        of: 'moments',
        bytes: Buffer.from(JSON.stringify(Array.from({ length: 1 + Math.floor(3 * random()) }, () => random()))),
      }),
      async attempt({ bytes }) {
        const project = await serverProject(server)
        const ended: Ended[] = []
        let killed = 0
        for (const moment of JSON.parse(Buffer.from(bytes).toString()) as number[]) {
          const run = startRun(project)
          await Promise.race([sleep(moment * milliseconds), run.ended])
          run.process.kill('SIGKILL')
          const one = await run.ended
          if (one.code === null) killed++
          ended.push(one)
        }
        const last = await startRun(project).ended
        if (last.code !== 0)
          return { fault: `the run after ${killed} kills ends with ${last.code}: ${last.text.slice(0, 500)}` }
        const fault = leftFault(project, [...ended, last], oracle)
        await rm(project, { recursive: true, force: true })
        return fault === undefined ? { outcome: `the same after ${killed} kills` } : { fault }
      },
    }
  },
}
export default kill
