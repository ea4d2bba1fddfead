/** One database machine: etcd, Patroni, and the PostgreSQL that Patroni starts. It can die, freeze and come back. */
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addressOf, environment, type Place, patroniConfig, pgbackrestConfig } from './configuration.ts'
import { kill, programs, startProgram, user } from './programs.ts'

export interface Machine {
  name: string
  address: string
  folder: string
  startEtcd(): Promise<void>
  startPatroni(): Promise<void>
  /** All at once, as when its power fails. */
  die(): Promise<void>
  freeze(): void
  thaw(): void
}

const parentOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    // It has ended since the folder was listed.
    return undefined
  }
}

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}

interface Shared {
  /** For what the machine prints. */
  logs: string
  /** For backups. */
  repository: string
}

export const createMachine = async (place: Place, { logs, repository }: Shared): Promise<Machine> => {
  const { folder } = place
  const name = `db${place.number}`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const configFile = join(folder, 'patroni.yml')
  await writeFile(configFile, patroniConfig(place))
  await writeFile(join(folder, 'pgbackrest.conf'), pgbackrestConfig(place, repository))
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
  let etcd: ChildProcess | undefined
  let patroni: ChildProcess | undefined

  /** The postmaster and all that it started, which are no children of Patroni. */
  const postgresPids = (): number[] => {
    try {
      const postmaster = Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
      const pids = readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? [Number(entry)] : []))
      // A number that was left in the file may be another program's by now.
      const isOurs = readFileSync(`/proc/${postmaster}/cmdline`, 'utf8').includes(folder)
      return isOurs ? [postmaster, ...pids.filter((pid) => parentOf(pid) === postmaster)] : []
    } catch {
      return []
    }
  }
  const signalAll = (signal: NodeJS.Signals): void => {
    patroni?.kill(signal)
    for (const pid of postgresPids()) send(pid, signal)
    etcd?.kill(signal)
  }
  return {
    name,
    address: addressOf(place),
    folder,
    startEtcd: async () => {
      const env = { ...environment('etcd', place), ETCD_DATA_DIR: join(folder, 'etcd'), ETCD_LOG_LEVEL: 'warn' }
      etcd = await startProgram(programs['etcd-server'], { env, logFile: join(logs, `${name}-etcd.log`) })
    },
    startPatroni: async () => {
      patroni = await startProgram(programs.patroni, {
        args: [configFile],
        env: { ...environment('patroni_env.conf', place), PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf') },
        logFile: join(logs, `${name}-patroni.log`),
      })
    },
    die: async () => {
      signalAll('SIGKILL')
      await Promise.all([etcd, patroni].map((child) => child && kill(child)))
    },
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
  }
}
