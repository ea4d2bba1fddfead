/** Starts `hold.ts`, and waits until it holds unless it is to be killed before. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const script = fileURLToPath(new URL('hold.ts', import.meta.url))

interface Holder {
  pid: number
  /** Rejects with its complaint when it ends instead. */
  holding: Promise<void>
  /** kill -9, and wait until it is gone. */
  kill(): Promise<void>
}

interface Options {
  what?: 'lock' | 'postgres'
  /** Put before the command, such as `setpriv` with its options. */
  prefix?: string[]
}

export const launchHolder = (dataDir: string, { what = 'lock', prefix = [] }: Options = {}): Holder => {
  const [program = '', ...args] = [...prefix, process.execPath, script, dataDir, what]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const { pid } = child
  if (pid === undefined) throw new Error(`${program} cannot be started`)
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
  const wait = async (): Promise<void> => {
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(complaint.trim())
  }
  const holding = wait()
  holding.catch(() => undefined)
  return { pid, holding, kill: () => end('SIGKILL') }
}

export const startHolder = async (dataDir: string, options?: Options): Promise<Holder> => {
  const holder = launchHolder(dataDir, options)
  await holder.holding
  return holder
}
