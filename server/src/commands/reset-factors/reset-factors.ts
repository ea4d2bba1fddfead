/** What the operator does on the server for somebody who has lost every second factor. Recorded in the audit log. */
import pg from 'pg'
import { connectionLimits } from '#kernel/db/connection-limits.ts'
import { systemIds } from '#kernel/ids.ts'
import { StartError } from '#kernel/process/start-error.ts'
import type { Call } from '../command.ts'
import { withDatabase } from '../installation.ts'

interface Work extends Pick<Call, 'env' | 'say'> {
  email: string
}

interface Owner {
  kind: 'user' | 'admin'
  id: string
}

export const resetFactorsOf = ({ env, email, say }: Work): Promise<void> =>
  withDatabase(env, async ({ databaseUrl }) => {
    const client = new pg.Client({ connectionString: databaseUrl, ...connectionLimits.work })
    await client.connect()
    try {
      for (const { kind, removed } of await resetAll(client, email.trim().toLowerCase()))
        say(
          `Removed ${removed} second factors of the ${kind === 'admin' ? 'platform admin' : 'person'} ${email} and ended their sessions.`,
        )
    } finally {
      await client.end()
    }
  })

const resetAll = async (client: pg.Client, email: string): Promise<(Owner & { removed: number })[]> => {
  await client.query('begin')
  try {
    const { rows } = await client.query<Owner>(
      `select 'user' as kind, id from users where email = $1
       union all select 'admin', id from admin_accounts where email = $1`,
      [email],
    )
    if (rows.length === 0) throw new StartError(`Nobody here has the address ${email}.`)
    const done = []
    for (const owner of rows) done.push({ ...owner, removed: await reset(client, owner) })
    await client.query('commit')
    return done
  } catch (problem) {
    await client.query('rollback')
    throw problem
  }
}

/** As the modules do it, with the signal that makes every node forget whom it knew. */
const reset = async (client: pg.Client, { kind, id }: Owner): Promise<number> => {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`factors ${id}`])
  const { rowCount } = await client.query('delete from factors where principal_id = $1', [id])
  await client.query('delete from recovery_codes where principal_id = $1', [id])
  await client.query('delete from remembered_browsers where principal_id = $1', [id])
  await client.query('update sessions set revoked_at = now() where principal_id = $1 and revoked_at is null', [id])
  await client.query(
    `insert into audit_log (id, at, action, actor_kind, target_kind, target_id, detail)
     values ($1, now(), $2, 'system', $3, $4, '{"by": "command"}')`,
    [systemIds.next(), kind === 'admin' ? 'platform.reset_factors' : 'account.reset_factors', kind, id],
  )
  await client.query(`select pg_notify('chancery_signals', $1)`, [`principal ${id}`])
  return rowCount ?? 0
}
