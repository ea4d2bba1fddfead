/** Puts files into a collection and takes them out. Only a processed file is in a collection, and only its owner adds it. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { KnowledgeContext } from '../context.ts'
import {
  addFileUnscoped,
  listPagesUnscoped,
  listUnheldUnscoped,
  removeFilesUnscoped,
  updateCollectionUnscoped,
} from '../queries/collections.ts'
import { addWaitingUnscoped, removeWaitingUnscoped } from '../queries/waiting.ts'
import { lockWritable, type Readable } from './get-collection.ts'

interface Request {
  id: string
  fileId: string
}

interface Addition extends Request {
  /** A file that is still being processed joins when it is completed; one that fails, when a retry succeeds. */
  whenProcessed: boolean
}

export const addFile = (
  context: KnowledgeContext,
  actor: Actor,
  { id, fileId, whenProcessed }: Addition,
): Promise<Readable> =>
  context.db.transaction().execute(async (tx) => {
    await context.files.lockUnscoped(tx, [fileId])
    const collection = await lockWritable(context, tx, { actor, id })
    const member = { collectionId: id, fileId, addedAt: context.clock.now() }
    const mustWait = whenProcessed && (await context.files.getOwn(tx, actor, fileId)).state !== 'completed'
    if (mustWait) await addWaitingUnscoped(tx, member)
    else {
      await requireProcessed(context, tx, { actor, fileId })
      await addFileUnscoped(tx, member)
    }
    return touch(context, tx, collection)
  })

/** For a file that is being stored in the same transaction. */
export const joinWhenProcessed = async (
  context: KnowledgeContext,
  tx: Db,
  { actor, collectionId, fileId }: { actor: Actor; collectionId: string; fileId: string },
): Promise<void> => {
  const collection = await lockWritable(context, tx, { actor, id: collectionId })
  await addWaitingUnscoped(tx, { collectionId, fileId, addedAt: context.clock.now() })
  await touch(context, tx, collection)
}

export const requireProcessed = async (
  { files }: KnowledgeContext,
  tx: Db,
  { actor, fileId }: { actor: Actor; fileId: string },
): Promise<string> => {
  const file = await files.getOwn(tx, actor, fileId)
  if (file.state !== 'completed') throw new AppError('empty_content')
  return file.sha256
}

export const removeFile = (context: KnowledgeContext, actor: Actor, { id, fileId }: Request): Promise<Readable> =>
  context.db.transaction().execute(async (tx) => {
    const collection = await lockWritable(context, tx, { actor, id })
    const removed = await removeFilesUnscoped(tx, id, [fileId])
    const unawaited = await removeWaitingUnscoped(tx, id, fileId)
    if (removed.length + unawaited === 0) throw new AppError('not_found')
    return touch(context, tx, collection)
  })

export const resetCollection = (context: KnowledgeContext, actor: Actor, id: string): Promise<Readable> =>
  context.db.transaction().execute(async (tx) => {
    await lockPages(context, tx, id)
    const collection = await lockWritable(context, tx, { actor, id })
    await removeWaitingUnscoped(tx, id)
    await emptyCollection(context, tx, { actor, id })
    return touch(context, tx, collection)
  })

/** Before the collection itself is locked: deleting a file locks in this order too. */
export const lockPages = async ({ files }: KnowledgeContext, tx: Db, id: string): Promise<void> => {
  await files.lockUnscoped(tx, await listPagesUnscoped(tx, id))
}

export const emptyCollection = async (
  context: KnowledgeContext,
  tx: Db,
  { actor, id }: { actor: Actor; id: string },
): Promise<void> => deleteUnheldPages(context, tx, { actor, removed: await removeFilesUnscoped(tx, id) })

/** Fetched pages that no collection holds any more are deleted; uploaded files stay their owners'. */
export const deleteUnheldPages = async (
  { files }: KnowledgeContext,
  tx: Db,
  { actor, removed }: { actor: Actor; removed: readonly { fileId: string; url: string | null }[] },
): Promise<void> => {
  const pages = removed.filter(({ url }) => url !== null).map(({ fileId }) => fileId)
  const unheld = await listUnheldUnscoped(tx, pages)
  const own = (await files.listUnscoped(tx, unheld)).filter(
    (file) => file.ownerKind === actor.kind && file.ownerId === actor.id,
  )
  await files.deleteUnscoped(
    tx,
    own.map((file) => file.id),
  )
}

const touch = async ({ clock }: KnowledgeContext, tx: Db, collection: Readable): Promise<Readable> => ({
  ...collection,
  ...(await updateCollectionUnscoped(tx, collection.id, { updatedAt: clock.now() })),
})
