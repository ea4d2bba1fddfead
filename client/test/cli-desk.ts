/** Runs command lines in this process, with a home folder of their own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { runCli } from '../cli/run-cli.ts'

interface Asked {
  piped?: string
  /** Told each line as it is printed. */
  onLine?: (line: string, stop: () => void) => void
}

export const sitDown = async (env: Record<string, string> = {}) => {
  const home = await mkdtemp(join(tmpdir(), 'chancery-cli-'))
  afterAll(() => rm(home, { recursive: true, force: true }))
  const run = async (args: readonly string[], { piped, onLine }: Asked = {}) => {
    const stopping = new AbortController()
    let [out, err] = ['', '']
    const tell = (line: string) => onLine?.(line, () => stopping.abort(new Error('stopped')))
    const code = await runCli(args, {
      env: { HOME: home, ...env },
      say: (line) => {
        out += `${line}\n`
        tell(line)
      },
      write: (text) => {
        out += text
      },
      note: (line) => {
        err += `${line}\n`
        tell(line)
      },
      piped:
        piped === undefined
          ? undefined
          : (async function* () {
              yield piped
            })(),
      signal: stopping.signal,
      wait: () => pause(20),
    })
    return { code, out, err }
  }
  return { home, run }
}
