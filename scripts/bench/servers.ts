import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Two servers in a process of their own, so that theirs is not our time: `url` answers after some milliseconds, `fast` at once. */
export async function startServers(
  latencyMs: number,
): Promise<{ readonly url: string; readonly fast: string; readonly stop: () => void }> {
  const file = fileURLToPath(new URL('server-child.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), file, String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const urls = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(String(data))),
  )
  const [url = '', fast = ''] = urls.trim().split(' ')
  return { url, fast, stop: () => void child.kill() }
}
