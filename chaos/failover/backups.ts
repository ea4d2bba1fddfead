/** Backups with pgBackRest, and one moment of the past restored beside the machines that work. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDb, createPool, type Db } from '../../server/src/kernel/db/database.ts'
import type { Database } from './database.ts'
import type { Machine } from './machine.ts'
import { kill, programs, runProgram, startProgram } from './programs.ts'

const port = 5499
const patienceMs = 60_000

export interface Backups {
  /** A full one, of the primary. */
  make(): Promise<void>
  /** Restores that moment into another folder, starts it there, and lets it be read. */
  readAt<Result>(moment: Date, read: (db: Db) => Promise<Result>): Promise<Result>
}

export const createBackups = (database: Database, logs: string): Backups => {
  const logFile = join(logs, 'pgbackrest.log')
  const pgbackrest = ({ folder }: Machine, ...args: string[]) =>
    runProgram(programs.pgbackrest, {
      args: ['--stanza=chancery', ...args],
      env: { PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf') },
      logFile,
    })
  return {
    make: async () => {
      const machine = await database.primary()
      await pgbackrest(machine, 'stanza-create')
      await pgbackrest(machine, '--type=full', 'backup')
    },
    readAt: async (moment, read) => {
      const machine = await database.primary()
      const folder = join(machine.folder, 'earlier')
      const target = [
        '--type=time',
        `--target=${moment.toISOString().replace('T', ' ').replace('Z', '+00')}`,
        '--target-action=promote',
      ]
      await pgbackrest(machine, `--pg1-path=${folder}`, ...target, '--archive-mode=off', 'restore')
      const args = ['-D', folder, '-p', String(port), '-h', machine.address]
      const postgres = await startProgram(programs['postgresql-15'], {
        args,
        env: { PGBACKREST_CONFIG: join(machine.folder, 'pgbackrest.conf') },
        logFile,
      })
      const connectionString = `postgres://${database.superuser}@${machine.address}:${port}/chancery`
      const pool = createPool({ connectionString, max: 1 })
      pool.on('error', () => undefined)
      try {
        const startedMs = performance.now()
        const isThere = async () => (await pool.query('select pg_is_in_recovery() as is')).rows[0].is === false
        while (!(await isThere().catch(() => false))) {
          if (performance.now() - startedMs > patienceMs)
            throw new Error(`the restored database is not there: see ${logFile}`)
          await sleep(250)
        }
        return await read(createDb(pool))
      } finally {
        await pool.end()
        await kill(postgres)
      }
    },
  }
}
