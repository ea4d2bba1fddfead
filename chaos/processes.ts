/** The processes of this machine. Linux. */
import { readdirSync, readFileSync } from 'node:fs'

interface Process {
  pid: number
  parent: number
  /** Its processor time, with that of its children that have ended. */
  ms: number
}

/** In clock ticks of a hundredth of a second. */
const tickMs = 10

const readProcess = (pid: string): Process | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid: Number(pid), parent: Number(fields[1]), ms: ticks * tickMs }
  } catch {
    // It has ended since the folder was listed.
    return undefined
  }
}

/** This one, all that it started, and what those started. */
export const listFamily = (of: number): Process[] => {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(name) ?? []) : []))
  const children = Map.groupBy(processes, ({ parent }) => parent)
  const below = (pid: number): Process[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child.pid)])
  return [...processes.filter(({ pid }) => pid === of), ...below(of)]
}
