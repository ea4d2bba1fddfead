/** All SQL for `run_keys`: the idempotency keys of runs that were started by hand. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import type { RunKeysTable } from '../../run-tables.ts'

/**
 * Claims the key for this run, unless another run has it. Returns the run that has it: when two requests race, the second
 * waits for the first to commit and then finds its run.
 */
export const claimRunKeyUnscoped = async (tx: Db, claim: RunKeysTable, now: Date): Promise<string> => {
  const { userId, workflowId, key, runId, expiresAt } = claim
  const { rows } = await sql<{ runId: string }>`
    insert into run_keys (user_id, workflow_id, key, run_id, expires_at)
    values (${userId}, ${workflowId}, ${key}, ${runId}, ${expiresAt})
    on conflict (user_id, workflow_id, key) do update set run_id = excluded.run_id, expires_at = excluded.expires_at
      where run_keys.expires_at <= ${now}
    returning run_id`.execute(tx)
  if (rows[0]) return rows[0].runId
  const known = await tx
    .selectFrom('runKeys')
    .select('runId')
    .where('userId', '=', userId)
    .where('workflowId', '=', workflowId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return known.runId
}

/** Returns whether there may be more. */
export const deleteRunKeysBeforeUnscoped = async (db: Db, before: Date, limit: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    delete from run_keys where (user_id, workflow_id, key) in (
      select user_id, workflow_id, key from run_keys where expires_at <= ${before} limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0) === limit
}
