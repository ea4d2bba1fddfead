/**
 * Access to a collection, for reading and for changes. Grants are read each time, so that a revoked one works at once.
 */
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import { mayUse } from '#modules/organizations/index.ts'
import type { KnowledgeContext } from '../context.ts'
import {
  type CollectionRow,
  findCollectionsUnscoped,
  findOwnByName,
  listCollectionsOfFileUnscoped,
  lockCollectionUnscoped,
} from '../queries/collections.ts'

export const collectionResource = 'knowledge'

export interface Access {
  canWrite: boolean
  grants: readonly AccessGrant[] | null
}

export type Readable = CollectionRow & Access

type Deps = Pick<KnowledgeContext, 'organizations'>

/** Those of the collections that the caller may read. */
export const withAccess = async (
  { organizations: { grants } }: Deps,
  db: Db,
  { actor, rows }: { actor: Actor; rows: readonly CollectionRow[] },
): Promise<Readable[]> => {
  if (rows.length === 0) return []
  const [groups, granted] = await Promise.all([
    grants.groupsOf(actor, db),
    grants.listAmongUnscoped(
      db,
      collectionResource,
      rows.map(({ id }) => id),
    ),
  ])
  return rows.flatMap((row) => {
    const own = row.isRestricted ? (granted.get(row.id) ?? []) : null
    const question = { actor, groups, owner: { kind: row.ownerKind, id: row.ownerId }, grants: own }
    if (!mayUse({ ...question, permission: 'read' })) return []
    return [{ ...row, grants: own, canWrite: mayUse({ ...question, permission: 'write' }) }]
  })
}

export const getCollection = async (
  deps: Deps,
  db: Db,
  { actor, id }: { actor: Actor; id: string },
): Promise<Readable> => {
  const [collection] = await withAccess(deps, db, { actor, rows: await findCollectionsUnscoped(db, [id]) })
  if (!collection) throw new AppError('not_found')
  return collection
}

/** Locked until the transaction ends. 404 where the caller may not even read it, 403 where they may only read. */
export const lockWritable = async (
  deps: Deps,
  tx: Db,
  { actor, id }: { actor: Actor; id: string },
): Promise<Readable> => {
  await lockCollectionUnscoped(tx, id)
  return getWritable(deps, tx, { actor, id })
}

/** The same without a lock. */
export const getWritable = async (deps: Deps, db: Db, request: { actor: Actor; id: string }): Promise<Readable> => {
  const collection = await getCollection(deps, db, request)
  if (!collection.canWrite) throw new AppError('forbidden')
  return collection
}

/** By id, or by the name of one of the caller's own. */
export const findByName = async (
  deps: Deps,
  db: Db,
  { actor, name }: { actor: Actor; name: string },
): Promise<Readable | undefined> => {
  if (isUuid(name)) return getCollection(deps, db, { actor, id: name })
  const own = await findOwnByName(db, actor, name)
  const [collection] = await withAccess(deps, db, { actor, rows: own ? [own] : [] })
  return collection
}

/** True when a collection shows the caller this file. */
export const mayReadFile = async (
  deps: Deps,
  db: Db,
  { actor, fileId }: { actor: Actor; fileId: string },
): Promise<boolean> =>
  (await withAccess(deps, db, { actor, rows: await listCollectionsOfFileUnscoped(db, fileId) })).length > 0
