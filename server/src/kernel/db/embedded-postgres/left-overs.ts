/**
 * Left-overs of a killed Chancery: a PostgreSQL that still runs, or its pid file. We hold the instance lock of the data
 * folder, so both are ours. A running one is stopped rather than adopted: a child of our own can be watched, and it
 * runs with today's settings; it costs a fraction of a second.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Log } from '#kernel/log.ts'
import { commandOf, sendIfAlive } from '#kernel/process/command-of.ts'
import { shutDown } from './shut-down.ts'

export const clearLeftOvers = async (clusterDir: string, log: Log): Promise<void> => {
  const pidFile = join(clusterDir, 'postmaster.pid')
  const lines = await readLines(pidFile)
  if (!lines) return
  const pid = Number(lines[0])
  if (!(Number.isInteger(pid) && pid > 0)) return rm(pidFile, { force: true })
  if (await isPostmasterOf(pid, clusterDir)) {
    log.warn({ pid }, 'a PostgreSQL of an earlier start still runs on this data folder; stopping it')
    await shutDown({
      send: (signal) => sendIfAlive(pid, signal),
      hasEnded: async () => !(await isPostmasterOf(pid, clusterDir)),
    })
  }
  await markStale(pidFile)
}

/**
 * The pid in the file may by now belong to some other process, and PostgreSQL would then refuse to start. It takes its
 * own parent's pid for a sure sign of a stale file, yet still checks that no orphaned backend uses the old shared
 * memory, a check that removing the file would lose.
 */
const markStale = async (pidFile: string): Promise<void> => {
  const lines = await readLines(pidFile)
  if (lines) await writeFile(pidFile, [process.pid, ...lines.slice(1)].join('\n'))
}

const readLines = async (path: string): Promise<string[] | undefined> => {
  const content = await readFile(path, 'utf8').catch(() => undefined)
  return content?.split('\n')
}

const isPostmasterOf = async (pid: number, clusterDir: string): Promise<boolean> => {
  const [program = '', ...args] = await commandOf(pid)
  return basename(program) === 'postgres' && `${args.join(' ')} `.startsWith(`-D ${clusterDir} `)
}
