/** The real server as a process of its own: `node server/src/main.ts` on a temporary data folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const patienceMs = 15_000
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface Launch {
  dataDir: string
  env?: Record<string, string>
  /** Put before the command, such as `setpriv` with its options. */
  prefix?: string[]
  /** Instead of the pinned Node.js and `main.ts`. */
  command?: string[]
}

export interface Chancery {
  pid: number
  /** All it printed so far, both streams. */
  output(): string
  /** Types into its terminal, where it has one. */
  type(keys: string): void
  /** Resolves with the address once it listens; rejects with the output when it ends instead. */
  ready: Promise<string>
  /** The exit code once it has ended, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

export const launchChancery = ({
  dataDir,
  env = {},
  prefix = [],
  command = [process.execPath, main],
}: Launch): Chancery => {
  const [program = '', ...args] = [...prefix, ...command]
  const child = spawn(program, args, {
    detached: true,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      SVC_DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      SVC_PROCESSES: '1',
      ...env,
    },
  })
  let output = ''
  const ended = once(child, 'close').then(([code, signal]: (number | NodeJS.Signals | null)[]) => signal ?? code ?? 0)
  const ready = new Promise<string>((resolve, reject) => {
    const listen = (chunk: string) => {
      output += chunk
      const address = /ready at (http:\/\/\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout.setEncoding('utf8').on('data', listen)
    child.stderr.setEncoding('utf8').on('data', listen)
    ended.then(() => reject(new Error(output)), reject)
  })
  // A test that expects it to end does not wait for it to be ready.
  ready.catch(() => undefined)

  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  const { pid } = child
  if (pid === undefined) throw new Error(`${program} cannot be started`)
  onTestFinished(async () => {
    await Promise.race([end('SIGTERM'), delay(patienceMs, undefined, { ref: false })])
    killGroup(pid)
  })
  return { pid, output: () => output, type: (keys) => child.stdin.write(keys), ready, ended, end }
}

/** Whatever a failing test left behind: the process and those it started in its own group. */
const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

export const post = (address: string, path: string, body: Record<string, unknown>): Promise<Response> =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
