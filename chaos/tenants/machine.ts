/** How busy the machine is with this suite, and with what else runs on it. Linux. */
import { cpus } from 'node:os'
import { listFamily } from '../processes.ts'

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

const ownMs = (): number => listFamily(process.pid).reduce((sum, { ms }) => sum + ms, 0)

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
