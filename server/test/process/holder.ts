/** Starts `hold.ts` and waits until it holds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const script = fileURLToPath(new URL('hold.ts', import.meta.url))

interface Holder {
  pid: number
  /** kill -9, and wait until it is gone. */
  kill(): Promise<void>
}

interface Options {
  what?: 'lock' | 'postgres'
  /** Put before the command, such as `setpriv` with its options. */
  prefix?: string[]
}

export const startHolder = async (dataDir: string, { what = 'lock', prefix = [] }: Options = {}): Promise<Holder> => {
  const [program = '', ...args] = [...prefix, process.execPath, script, dataDir, what]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  onTestFinished(() => end('SIGTERM'))
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
  if (child.exitCode !== null || child.pid === undefined) throw new Error(complaint.trim())
  return { pid: child.pid, kill: () => end('SIGKILL') }
}
