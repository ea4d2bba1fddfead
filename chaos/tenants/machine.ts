/** How busy the machine is with this suite, and with what else runs on it. Linux. */
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

interface Times {
  idle: number
  all: number
  own: number
}

export interface Share {
  /** Of all cores: the suite with its nodes and PostgreSQL. */
  own: number
  /** Of all cores: everything else. */
  others: number
}

/** In clock ticks of a hundredth of a second. */
const tickMs = 10

/** Pid, parent, and the time of a process with that of its children that have ended. */
const readProcess = (pid: string): { pid: string; parent: string; ms: number } | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: fields[1] ?? '', ms: ticks * tickMs }
  } catch {
    // It has ended since the folder was listed.
    return undefined
  }
}

const ownMs = (): number => {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(name) ?? []) : []))
  const children = Map.groupBy(processes, ({ parent }) => parent)
  const sumOf = (pid: string): number =>
    (children.get(pid) ?? []).reduce((sum, child) => sum + child.ms + sumOf(child.pid), 0)
  const self = String(process.pid)
  return (processes.find(({ pid }) => pid === self)?.ms ?? 0) + sumOf(self)
}

const readTimes = (): Times => {
  const each = cpus().map(({ times }) => ({ idle: times.idle, all: Object.values(times).reduce((a, b) => a + b) }))
  const total = (field: 'idle' | 'all') => each.reduce((sum, core) => sum + core[field], 0)
  return { idle: total('idle'), all: total('all'), own: ownMs() }
}

/** Each call tells of the time since the one before. */
export const watchMachine = (): (() => Share) => {
  let last = readTimes()
  return () => {
    const now = readTimes()
    const all = now.all - last.all
    const own = Math.min(1, Math.max(0, (now.own - last.own) / all))
    const others = Math.max(0, 1 - (now.idle - last.idle) / all - own)
    last = now
    return { own, others }
  }
}

/** Beyond this a slow victim says nothing about us. */
export const tooBusyShare = 0.15

const percent = (share: number): string => `${Math.round(share * 100)} %`

export const describeShare = ({ own, others }: Share): string =>
  `this suite ${percent(own)}, everything else ${percent(others)}`
