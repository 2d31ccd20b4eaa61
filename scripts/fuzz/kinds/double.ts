import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kind } from '../kind.ts'
import { leftFault, serverProject, startRun, undisturbed } from '../tiny-run.ts'

/** Two runs that start at nearly one time: one goes on, the other says that the folder is held and ends with 2. */
const double: Kind = {
  name: 'double',
  ...{ mutants: 100, tested: 1, limitSeconds: 90 },
  async open() {
    const { server, oracle } = await undisturbed(1)
    return {
      make: (random) => ({ of: 'pause', bytes: Buffer.from(String(Math.round(random() ** 2 * 200))) }),
      async attempt({ bytes }) {
        const project = await serverProject(server)
        // the first to come is kept waiting until the other has ended
        const release = server.hold()
        const one = startRun(project)
        await sleep(Number(Buffer.from(bytes).toString()))
        const other = startRun(project)
        await Promise.race([one.ended, other.ended, sleep(30_000)])
        release()
        const ended = await Promise.all([one.ended, other.ended])
        const [winner, loser] = [...ended].sort((a, b) => Number(a.code) - Number(b.code))
        const refused = loser?.code === 2 && /^error .*: process \d+ is writing to this folder; /.test(loser.text)
        if (winner?.code !== 0 || !refused || loser.text.trimEnd().includes('\n'))
          return {
            fault: `the two end with ${ended.map(({ code, text }) => `${code} (${text.slice(0, 300)})`).join(' and ')}`,
          }
        const fault = leftFault(project, ended, oracle)
        await rm(project, { recursive: true, force: true })
        return fault === undefined
          ? { outcome: loser === ended[0] ? 'the first was refused' : 'the second was refused' }
          : { fault }
      },
    }
  },
}
export default double
