/** A fresh copy of the migrated template database for each app under test. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, vi } from 'vitest'
import { createPool } from '#kernel/db/database.ts'

export interface ClonedDatabase {
  url: string
  openPool(max: number): pg.Pool
  drop(): Promise<void>
}

/** One connection for all files of a worker: opening one takes longer than most of the statements. */
let connection: pg.Pool | undefined

const run = async (statement: string): Promise<void> => {
  if (!connection) {
    const url = new URL(inject('postgresUrl'))
    url.pathname = '/postgres'
    connection = new pg.Pool({ connectionString: url.href, max: 1, allowExitOnIdle: true })
    // It ends with the server, after the last test.
    connection.on('error', () => undefined)
  }
  await connection.query(statement)
}

export const cloneDatabase = async (): Promise<ClonedDatabase> => {
  const template = inject('postgresUrl')
  const url = new URL(template)
  const name = `test_${randomBytes(8).toString('hex')}`
  const source = url.pathname.slice(1)
  url.pathname = `/${name}`
  await run(`create database ${name} template ${source} strategy file_copy`)
  // An autovacuum worker may be using it. It can't be disconnected, but ends by itself.
  const drop = () =>
    vi.waitFor(() => run(`drop database if exists ${name} with (force)`), { timeout: 10_000, interval: 100 })
  const openPool = (max: number) => {
    const pool = createPool({ connectionString: url.href, max })
    // A pool's end doesn't wait for its connections, and the database may be dropped under them.
    pool.on('error', () => undefined)
    return pool
  }
  return { url: url.href, openPool, drop }
}
