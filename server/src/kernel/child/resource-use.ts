/** A process's memory and processor time, as Linux states them; undefined elsewhere and once the process has ended. */
import { readFileSync } from 'node:fs'

export interface ResourceUse {
  memoryMb: number
  cpuMs: number
}

/** The unit of /proc/…/stat is fixed at a hundredth of a second for programs, whatever the kernel's own rate is. */
const msPerTick = 10

export const readResourceUse = (pid: number): ResourceUse | undefined => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const rssKb = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    return { memoryMb: rssKb / 1024, cpuMs: (Number(fields[11]) + Number(fields[12])) * msPerTick }
  } catch {
    return undefined
  }
}
