/** Looks at processes from outside, as an operator would. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const postmasterPid = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

/** Pids of every process whose command line names the folder (Linux). */
export const processesNaming = async (folder: string): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((pid, index) => pid !== process.pid && lines[index]?.includes(folder))
}

/**
 * By its command line: the number of a process that has ended can belong to another one soon, or to a thread. A zombie
 * has no command line and counts as ended, whether or not its parent has reaped it.
 */
export const isRunning = async (pid: number, folder: string): Promise<boolean> =>
  (await processesNaming(folder)).includes(pid)

export const uidOf = async (pid: number): Promise<number> =>
  Number(/^Uid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])

/** Pids of the processes that this one started and whose command line names the file (Linux). */
export const childrenNaming = async (parent: number, file: string): Promise<number[]> => {
  const parentOf = async (pid: number) =>
    Number((await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ')[1])
  const found = await Promise.all((await processesNaming(file)).map(async (pid) => ({ pid, of: await parentOf(pid) })))
  return found.filter(({ of }) => of === parent).map(({ pid }) => pid)
}
