/** One running PostgreSQL server process. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import type { Runner } from './runner.ts'
import { shutDown } from './shut-down.ts'

export interface Server {
  pid: number | undefined
  /** Resolves when the process is gone, with how it ended. Never rejects. */
  exited: Promise<string>
  hasExited(): boolean
  /** Its output since it was launched, in its log file too. */
  output(): Promise<string>
  stop(): Promise<void>
}

interface Launch {
  runner: Runner
  binaries: Binaries
  clusterDir: string
  settings: Record<string, string>
}

export const launchServer = ({ runner, binaries, clusterDir, settings }: Launch): Server => {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Detached: in its own session the terminal's Ctrl-C does not reach it, so we drain before our database goes.
  const child = runner.spawn(binaries.postgres, ['-D', clusterDir, ...options], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output = (output + chunk).slice(-8192)
  })

  // A process that ends without a drain still takes its database along.
  const stopWithProcess = () => child.kill('SIGINT')
  process.once('exit', stopWithProcess)
  let hasExited = false
  const exited = new Promise<string>((resolve) => {
    const settle = (how: string) => {
      hasExited = true
      process.off('exit', stopWithProcess)
      resolve(how)
    }
    child.once('error', (error) => {
      output += error.message
      settle(error.message)
    })
    child.once('close', (code, signal) => settle(signal ? `killed by ${signal}` : `exit code ${code}`))
  })

  return {
    pid: child.pid,
    exited,
    hasExited: () => hasExited,
    output: async () => (/logging collector/.test(output) ? output + (await readOwnLog(clusterDir)) : output),
    stop: () => shutDown({ send: (signal) => child.kill(signal), hasEnded: () => hasExited }),
  }
}

/** The log file of the server launched last; `current_logfiles` names it as `stderr <path>`. */
const readOwnLog = async (clusterDir: string): Promise<string> => {
  try {
    const [, path = ''] = (await readFile(join(clusterDir, 'current_logfiles'), 'utf8')).trim().split(' ')
    const content = await readFile(join(clusterDir, path), 'utf8')
    return content.slice(content.lastIndexOf('starting PostgreSQL'))
  } catch {
    return ''
  }
}
