/** Debian's pgbouncer before a test database. `describeWithPgbouncer` skips where it is not installed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { sessionLimits } from '#kernel/db/connection-limits.ts'
import { atEnd } from '../harness/at-end.ts'
import { makeFolder } from '../process/temp-folder.ts'
import { freePort } from './free-port.ts'

const program = '/usr/sbin/pgbouncer'

interface Options {
  mode: 'session' | 'transaction'
  /** Sessions it has with PostgreSQL. */
  poolSize?: number
  /** Lines of its configuration beside those for the mode. */
  settings?: readonly string[]
  /** Gives each session the time limits that a role should have, without a change that other tests see. */
  hasLimits?: boolean
}

/** Skips loudly where pgbouncer is missing; CI never lacks it. */
export const describeWithPgbouncer = (name: string, body: () => void | Promise<void>): void => {
  if (existsSync(program)) return void describe(name, body)
  if (process.env.CI) throw new Error(`${program} is missing: ${name} cannot run`)
  console.warn(`SKIPPED, needs pgbouncer: ${name}`)
  describe.skip(name, () => it('needs pgbouncer', () => undefined))
}

/** Returns the address of the database through it. Gone when the tests around it have ended. */
export const startPgbouncer = async (
  databaseUrl: string,
  { mode, poolSize = 6, settings = [], hasLimits = false }: Options,
) => {
  const url = new URL(databaseUrl)
  const socketFolder = url.searchParams.get('host') ?? ''
  // Neither runs as root, and the socket is for its owner alone.
  const { uid, gid } = await stat(socketFolder)
  const folder = await makeFolder()
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const target = [
    `host=${socketFolder}`,
    `port=${url.port || 5432}`,
    `user=${decodeURIComponent(url.username)}`,
    `password=${decodeURIComponent(url.password)}`,
    ...(hasLimits ? [`connect_query='${sessionLimits}'`] : []),
  ]
  const lines = [
    '[databases]',
    `* = ${target.join(' ')}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 200',
    ...settings,
  ]
  await writeFile(file, lines.join('\n'))
  await chown(folder, uid, gid)
  const child = spawn(program, [file], { uid, gid, stdio: ['ignore', 'ignore', 'pipe'] })
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    await rm(folder, { recursive: true, force: true })
  })
  await waitUntilUp(child)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${port}`
  return { url: url.href }
}

const waitUntilUp = async (child: ChildProcess): Promise<void> => {
  let output = ''
  for await (const text of child.stderr ?? []) {
    output += String(text)
    if (output.includes('process up')) {
      child.stderr?.resume()
      return
    }
  }
  throw new Error(`pgbouncer did not start: ${output}`)
}
