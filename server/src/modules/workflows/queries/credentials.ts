/** All SQL for `http_credentials`. Reads are scoped by the actor: a foreign credential is not found. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { fetchPage, type Page } from '#kernel/db/paging.ts'
import { hasText } from '#kernel/db/text-search.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { HttpCredentialsTable } from '../tables.ts'

export type CredentialRow = Selectable<HttpCredentialsTable>
type Named = Pick<CredentialRow, 'id' | 'scopeId'>

const inScope = (db: Db, actor: Actor) => db.selectFrom('httpCredentials').where('scopeId', '=', scopeOf(actor))

export const listCredentials = (db: Db, actor: Actor, { search, ...page }: Page & { search?: string | undefined }) => {
  return fetchPage(db, inScope(db, actor), page, {
    select: (query) => query.selectAll().orderBy('name').orderBy('id'),
    search: search ? hasText(search, { columns: ['name'] }) : undefined,
  })
}

export const findCredential = (db: Db, actor: Actor, id: string): Promise<CredentialRow | undefined> =>
  inScope(db, actor).selectAll().where('id', '=', id).executeTakeFirst()

export const findCredentials = async (db: Db, actor: Actor, ids: readonly string[]): Promise<CredentialRow[]> =>
  ids.length === 0 ? [] : inScope(db, actor).selectAll().where('id', 'in', ids).execute()

export const lockCredential = (tx: Db, actor: Actor, id: string): Promise<CredentialRow | undefined> =>
  inScope(tx, actor).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** For runs, which have a scope and no actor. */
export const findCredentialUnscoped = (db: Db, { id, scopeId }: Named): Promise<CredentialRow | undefined> =>
  db.selectFrom('httpCredentials').selectAll().where('id', '=', id).where('scopeId', '=', scopeId).executeTakeFirst()

export const listCredentialsUnscoped = (
  db: Db,
  { scopeId, ids }: { scopeId: string; ids: readonly string[] },
): Promise<CredentialRow[]> =>
  db.selectFrom('httpCredentials').selectAll().where('id', 'in', ids).where('scopeId', '=', scopeId).execute()

export const upsertCredentialUnscoped = async (tx: Db, row: CredentialRow): Promise<void> => {
  const { id: _id, scopeId: _scopeId, createdAt: _createdAt, ...change } = row
  await tx
    .insertInto('httpCredentials')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute()
}

export const deleteCredentialUnscoped = async (tx: Db, id: string): Promise<void> => {
  await tx.deleteFrom('httpCredentials').where('id', '=', id).execute()
}

/** Workflows whose draft or live version has a node that uses it. Reads the graphs of the scope, and nobody else's. */
export const listUsers = async (db: Db, actor: Actor, id: string): Promise<{ id: string; name: string }[]> => {
  const part = JSON.stringify({ nodes: [{ config: { credential_id: id } }] })
  return db
    .selectFrom('workflows as w')
    .select(['w.id', 'w.name'])
    .where('w.scopeId', '=', scopeOf(actor))
    .where(
      sql<boolean>`w.graph @> ${part}::jsonb or exists (
        select from workflow_versions v join workflow_graphs g on g.workflow_id = v.workflow_id and g.hash = v.graph_hash
        where v.id = w.live_version_id and g.graph @> ${part}::jsonb)`,
    )
    .orderBy('w.name')
    .orderBy('w.id')
    .limit(100)
    .execute()
}

const refreshLease = sql<Date>`now() + interval '35 seconds'`

type Version = Pick<CredentialRow, 'id' | 'updatedAt'>

/**
 * One caller of all nodes fetches a token; undefined for the others, until it is saved or the claim ends, and for a
 * credential that was changed meanwhile.
 */
export const claimTokenUnscoped = (db: Db, { id, updatedAt }: Version): Promise<CredentialRow | undefined> =>
  db
    .updateTable('httpCredentials')
    .set({ refreshingUntil: refreshLease })
    .where('id', '=', id)
    .where('updatedAt', '=', updatedAt)
    .where(({ eb, or }) => or([eb('refreshingUntil', 'is', null), eb('refreshingUntil', '<', sql<Date>`now()`)]))
    .returningAll()
    .executeTakeFirst()

type Token = Pick<CredentialRow, 'sealedToken' | 'tokenEndsAt'>

/** Ends the claim. False for a credential that was changed meanwhile: the token is not kept. */
export const saveTokenUnscoped = async (
  db: Db,
  { id, updatedAt }: Version,
  token: Token | undefined,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('httpCredentials')
    .set({ refreshingUntil: null, ...token })
    .where('id', '=', id)
    .where('updatedAt', '=', updatedAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The server no longer accepts this token, so the next use fetches another. */
export const dropTokenUnscoped = async (db: Db, id: string, sealedToken: string): Promise<void> => {
  await db
    .updateTable('httpCredentials')
    .set({ sealedToken: null, tokenEndsAt: null })
    .where('id', '=', id)
    .where('sealedToken', '=', sealedToken)
    .execute()
}
