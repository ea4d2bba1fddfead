/** Creates, changes and deletes collections. Without `access_grants` a new one is its owner's alone. */
import { can } from '@chancery/contract/abilities.ts'
import type { AccessGrant } from '@chancery/contract/grants.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { subjectOf } from '#kernel/http/quota-subject.ts'
import type { KnowledgeContext } from '../context.ts'
import {
  type CollectionRow,
  deleteCollectionUnscoped,
  insertCollectionUnscoped,
  updateCollectionUnscoped,
} from '../queries/collections.ts'
import { collectionsQuota } from '../quotas.ts'
import { collectionResource, lockWritable, type Readable } from './get-collection.ts'

type Grants = readonly AccessGrant[] | null

interface Draft {
  name: string
  description: string
  grants: Grants
}

export const createCollection = (context: KnowledgeContext, actor: Actor, draft: Draft): Promise<Readable> =>
  context.db.transaction().execute(async (tx) => {
    const row = await insertCollection(context, tx, { actor, draft })
    return { ...row, grants: draft.grants, canWrite: true }
  })

export const insertCollection = async (
  context: KnowledgeContext,
  tx: Db,
  { actor, draft: { name, description, grants } }: { actor: Actor; draft: Draft },
): Promise<CollectionRow> => {
  const { clock, ids, organizations, quotas } = context
  await organizations.requireWritable(tx, actor)
  requireOpenable(actor, grants)
  await quotas.requireRoom(tx, collectionsQuota, subjectOf(actor))
  const now = clock.now()
  const row = await insertCollectionUnscoped(tx, {
    id: ids.next(),
    name,
    description,
    ownerKind: actor.kind,
    ownerId: actor.id,
    organizationId: actor.organizationId,
    isRestricted: grants !== null,
    createdAt: now,
    updatedAt: now,
  })
  await organizations.grants.replace(tx, actor, {
    resource: { type: collectionResource, id: row.id },
    grants: grants ?? [],
  })
  return row
}

interface Change {
  id: string
  name?: string | undefined
  description?: string | undefined
  grants?: Grants | undefined
}

export const updateCollection = (context: KnowledgeContext, actor: Actor, change: Change): Promise<Readable> =>
  context.db.transaction().execute(async (tx) => {
    const { id, name, description, grants } = change
    const collection = await lockWritable(context, tx, { actor, id })
    if (grants === null && collection.isRestricted) requireOpenable(actor, grants)
    const row = await updateCollectionUnscoped(tx, id, {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(grants === undefined ? {} : { isRestricted: grants !== null }),
      updatedAt: context.clock.now(),
    })
    const resource = { type: collectionResource, id }
    if (grants !== undefined) await context.organizations.grants.replace(tx, actor, { resource, grants: grants ?? [] })
    return { ...row, canWrite: true, grants: grants === undefined ? collection.grants : grants }
  })

/** A person with a write grant may change a collection, but not delete it. */
export const deleteCollection = (context: KnowledgeContext, actor: Actor, id: string): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const collection = await lockWritable(context, tx, { actor, id })
    const isOwner = collection.ownerKind === actor.kind && collection.ownerId === actor.id
    if (!isOwner && !can(actor, 'use-everything')) throw new AppError('forbidden')
    await deleteCollectionUnscoped(tx, id)
    await context.organizations.grants.deleteUnscoped(tx, { type: collectionResource, id })
  })

/** Only platform admins open a collection to everyone. */
const requireOpenable = (actor: Actor, grants: Grants): void => {
  if (grants === null && !can(actor, 'open-to-everyone')) throw new AppError('grant_not_allowed')
}
