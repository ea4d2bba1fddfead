/**
 * What runs beside the server gives way to it. Every process had the same share of the cores, so four of one tenant that
 * looped took them from the event loops and the database, and everybody waited.
 */
import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

/** A tenth of the server's share where cores are short; all of what is free otherwise. */
const niceness = 10
/** An eighth of the share of other children. */
const nicenessOfLongTasks = 19

/** Right after the start, so that the threads which it makes are born with it. */
export const giveWay = ({ pid }: Pick<ChildProcess, 'pid'>): void => {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // It has ended, or the system doesn't let us.
  }
}

/** Also to other children: who needs little is soon done, however many long tasks there are. Linux counts by thread. */
export const giveWayToChildren = ({ pid }: Pick<ChildProcess, 'pid'>): void => {
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), nicenessOfLongTasks)
  } catch {
    // As above.
  }
}
