import { readFileSync } from 'node:fs'

/** The most memory of this process that was resident, in bytes. Where the system does not tell, as Node has it: that begins with what the process had that started this one. */
export function peakMemory(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (kilobytes === undefined) throw new Error('no VmHWM')
    return 1024 * Number(kilobytes)
  } catch {
    return 1024 * process.resourceUsage().maxRSS
  }
}
