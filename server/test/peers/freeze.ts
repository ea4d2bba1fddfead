/** Stops a process without ending it. On a busy machine its threads go on for a moment after the signal. */
import type { ChildProcess } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { until } from '../kernel/until.ts'

/** All of its threads (Linux; elsewhere none is seen). */
const isStopped = async (pid: number): Promise<boolean> => {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const states = await Promise.all(
    threads.map((id) => readFile(`/proc/${pid}/task/${id}/status`, 'utf8').catch(() => 'State:\tT')),
  )
  return states.every((status) => /^State:\tT/m.test(status))
}

export const freeze = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGSTOP')
  await until(() => isStopped(child.pid ?? 0), 'the stop of all threads')
}

export const thaw = (child: ChildProcess): void => void child.kill('SIGCONT')
