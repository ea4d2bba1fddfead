/**
 * What a supervisor that was killed left behind. Its servers end when they notice, but one that is frozen or busy at that
 * moment keeps the port and its leases, so the next start ends it. Each server is noted as a file in the data folder, and has
 * the folder of these notes on its command line.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { commandOf, sendIfAlive } from '../process/command-of.ts'
import { makeSocketFolder, temporaryFolderFor } from '../process/socket-folder.ts'

const lookEveryMs = 10
/** The system ends a killed process at once, unless its disk or a debugger holds it. */
const patienceMs = 10_000

export interface Folders {
  /** For the sockets between servers. Not in the data folder, which may be where there can be none. */
  sockets: string
  notes: string
}

/** Ends what an earlier start left, and returns both folders, empty. The caller holds the lock of the data folder. */
export const openFolders = async (dataDir: string, log: Log): Promise<Folders> => {
  const notes = join(dataDir, 'servers')
  const pids = (await readdir(notes).catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number)
  await Promise.all(pids.map((pid) => endServer(pid, notes, log)))
  await rm(notes, { recursive: true, force: true })
  await mkdir(notes)
  const sockets = temporaryFolderFor(notes)
  await makeSocketFolder(sockets)
  return { sockets, notes }
}

/** Returns what forgets it, for when it has ended. */
export const noteServer = (notes: string, pid: number): (() => void) => {
  const note = join(notes, String(pid))
  writeFileSync(note, '')
  return () => rmSync(note, { force: true })
}

const endServer = async (pid: number, notes: string, log: Log): Promise<void> => {
  const isServer = async (): Promise<boolean> => (await commandOf(pid)).join(' ').trimEnd().endsWith(` ${notes}`)
  if (!(await isServer())) return
  log.warn({ server: pid }, 'A server of an earlier start still runs on this data folder; ending it')
  sendIfAlive(pid, 'SIGKILL')
  for (let waitedMs = 0; waitedMs < patienceMs && (await isServer()); waitedMs += lookEveryMs) await delay(lookEveryMs)
}
