/** A process's memory and the processor time it has used, from the operating system. Linux. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const ticksPerSec = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** User and system time of all its threads. */
export const processorMs = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may hold spaces; user and system time are the 12th and 13th fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSec) * 1000
}
