/** Makes the application's role and database inside a server that lacks them. Safe to repeat after a crash. */
import pg from 'pg'
import { applicationDatabase, applicationRole } from './connection.ts'

interface Provision {
  superuserUrl: string
  applicationPassword: string
}

export const provision = async ({ superuserUrl, applicationPassword }: Provision): Promise<void> => {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    const role = pg.escapeIdentifier(applicationRole)
    const known = await client.query('select from pg_roles where rolname = $1', [applicationRole])
    if (known.rowCount === 0) await client.query(`create role ${role}`)
    await client.query(`alter role ${role} login createdb password ${pg.escapeLiteral(applicationPassword)}`)

    const made = await client.query('select from pg_database where datname = $1', [applicationDatabase])
    if (made.rowCount === 0) {
      await client.query(`create database ${pg.escapeIdentifier(applicationDatabase)} owner ${role}`)
    }
  } finally {
    await client.end()
  }
}
