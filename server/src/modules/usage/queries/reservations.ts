/** All SQL for `usage_reservations`. Leases are on the database's clock. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'

/** Reservations of an account are made one after the other, on whichever node. In one order, against deadlocks. */
export const lockAccountsUnscoped = async (tx: Db, accounts: readonly string[]): Promise<void> => {
  for (const account of accounts.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`usage ${account}`}, 0))`.execute(tx)
}

/** Reservations of other nodes, by account. */
export const sumOthersUnscoped = async (
  tx: Db,
  { nodeId, accounts }: { nodeId: string; accounts: readonly string[] },
): Promise<Map<string, number>> => {
  const { rows } = await sql<{ account: string; tokens: number }>`
    select account, sum(tokens)::bigint as tokens from usage_reservations
    where account = any(${accounts}::text[]) and node_id <> ${nodeId} and expires_at > now()
    group by account`.execute(tx)
  return new Map(rows.map(({ account, tokens }) => [account, Number(tokens)]))
}

interface NewReservation {
  id: string
  nodeId: string
  accounts: readonly string[]
  tokens: number
}

export const insertReservationUnscoped = async (
  tx: Db,
  { id, nodeId, accounts, tokens }: NewReservation,
): Promise<void> => {
  await sql`
    insert into usage_reservations (id, account, node_id, tokens, expires_at)
    select ${id}, account, ${nodeId}, ${tokens}, now() + interval '2 minutes' from unnest(${accounts}::text[]) account
  `.execute(tx)
}

export const deleteReservationsUnscoped = async (db: Db, ids: readonly string[]): Promise<void> => {
  await sql`delete from usage_reservations where id = any(${ids}::uuid[])`.execute(db)
}

/** Keeps this node's reservations, and deletes those of nodes that are gone. */
export const renewReservationsUnscoped = async (db: Db, nodeId: string): Promise<void> => {
  await sql`update usage_reservations set expires_at = now() + interval '2 minutes' where node_id = ${nodeId}`.execute(
    db,
  )
  await sql`delete from usage_reservations where expires_at < now()`.execute(db)
}
