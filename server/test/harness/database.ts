/** A fresh copy of the migrated template database for each app under test. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, vi } from 'vitest'

export interface ClonedDatabase {
  url: string
  drop(): Promise<void>
}

const run = async (statement: string): Promise<void> => {
  const url = new URL(inject('postgresUrl'))
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
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
  return { url: url.href, drop }
}
