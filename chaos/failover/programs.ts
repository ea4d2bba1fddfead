/** The programs of a cluster that fails over, all from Debian, and how they are started. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** By the package that has them. */
export const programs = {
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  haproxy: '/usr/sbin/haproxy',
  pgbackrest: '/usr/bin/pgbackrest',
  pgbouncer: '/usr/sbin/pgbouncer',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
} as const

export const listMissing = (): string[] =>
  Object.entries(programs).flatMap(([name, path]) => (existsSync(path) ? [] : [name]))

/** PostgreSQL refuses to run as root, and a replica must have the same user as its primary. */
const findUser = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const [, , uid, gid] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.startsWith('postgres:'))
      ?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error('This machine has no user postgres.')
  return { uid: Number(uid), gid: Number(gid) }
}

export const user = findUser()

interface Start {
  args?: string[]
  env?: Record<string, string>
  /** Everything it prints is added to it. */
  logFile: string
}

export const startProgram = async (path: string, { args = [], env = {}, logFile }: Start): Promise<ChildProcess> => {
  const log = await open(logFile, 'a')
  const child = spawn(path, args, {
    ...user,
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', log.fd, log.fd],
  })
  await once(child, 'spawn')
  await log.close()
  return child
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Resolves when it has ended well. */
export const runProgram = async (path: string, start: Start): Promise<void> => {
  const child = await startProgram(path, start)
  if (!isOver(child)) await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`${path} failed: see ${start.logFile}`)
}

export const kill = async (child: ChildProcess): Promise<void> => {
  if (isOver(child)) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
