/**
 * Runs another program (LibreOffice) on foreign data, cut off as our own children are: no network, few rights, limits on
 * memory and written files, an own folder. It ends with all processes that it started.
 */
import { spawn } from 'node:child_process'
import { chown } from 'node:fs/promises'
import { type Confinement, programCommand } from './confinement.ts'
import { giveWay } from './give-way.ts'

export interface Program {
  file: string
  args: readonly string[]
  /** Whose turn it takes: a scope. */
  tenant: string
  /** The only folder that it may write to; its home and working folder. */
  folder: string
  env?: Record<string, string>
  memoryMb: number
  /** The limit for each file that it writes. */
  fileMb: number
  wallMs: number
}

interface Surroundings {
  confinement: Confinement
  givesWay: boolean
  slot: number
  /** Ends it early, with all that it started. */
  signal: AbortSignal
}

/** `exited` with its code, or why it was ended. */
export type ProgramEnd = { kind: 'exited'; code: number | null } | { kind: 'timeout' | 'stopped' | 'not_started' }

export const runProgram = async (
  program: Program,
  { confinement, givesWay, slot, signal }: Surroundings,
): Promise<ProgramEnd> => {
  const { folder, env = {}, wallMs } = program
  const { file, args, uid } = programCommand(program, confinement, slot)
  if (uid !== undefined) await chown(folder, uid, uid)
  if (signal.aborted) return { kind: 'stopped' }
  const child = spawn(file, args, {
    cwd: folder,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8', ...env },
    stdio: 'ignore',
    // A process group of its own: it is killed as a whole.
    detached: true,
  })
  if (givesWay) giveWay(child)
  const killAll = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Everything has ended already.
    }
  }
  return new Promise((resolve) => {
    let killedFor: 'timeout' | 'stopped' | undefined
    const killFor = (reason: 'timeout' | 'stopped') => {
      killedFor ??= reason
      killAll()
    }
    const timer = setTimeout(() => killFor('timeout'), wallMs)
    const stop = () => killFor('stopped')
    signal.addEventListener('abort', stop, { once: true })
    const end = (outcome: ProgramEnd): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      killAll()
      resolve(killedFor === undefined ? outcome : { kind: killedFor })
    }
    child.once('error', () => end({ kind: 'not_started' }))
    child.once('exit', (code) => end({ kind: 'exited', code }))
  })
}
