/** Makes a collection equal to a folder: adds, replaces and removes in one transaction, by path and hash. */
import type { SyncReply } from '@chancery/contract/files/knowledge.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { FileRow } from '#modules/files/index.ts'
import type { KnowledgeContext } from '../context.ts'
import {
  addFileUnscoped,
  listHeldElsewhereUnscoped,
  listMembersUnscoped,
  listSyncedUnscoped,
  removeFilesUnscoped,
  updateCollectionUnscoped,
} from '../queries/collections.ts'
import { requireProcessed } from './change-files.ts'
import { getWritable, lockWritable } from './get-collection.ts'
import { type Held, type Plan, planSync, type Wanted } from './plan-sync.ts'

const maxMembers = 100_000

interface Request {
  id: string
  files: Wanted
  /** Nothing is changed; the reply tells what would be. */
  isPreview: boolean
  expected: Expected
}

/**
 * Removals and replacements that the caller has seen in the preview. Undefined: any are fine. Undefined: anything may
 * be.
 */
interface Expected {
  removals: readonly string[] | undefined
  changes: Plan['named']['changed'] | undefined
}

/** Files that were added by hand have no path and stay. */
export const syncFiles = (
  context: KnowledgeContext,
  actor: Actor,
  { id, files: wanted, isPreview, expected }: Request,
): Promise<SyncReply> =>
  context.db.transaction().execute(async (tx) => {
    await getWritable(context, tx, { actor, id })
    // Before the collection, like everything that deletes files.
    const locked = isPreview ? await listSyncedUnscoped(tx, id) : await lockFiles(context, tx, { actor, id, wanted })
    await lockWritable(context, tx, { actor, id })
    const plan = planSync(wanted, await readFolder(context, tx, id))
    const { unchanged, missing } = plan
    const nothing = { added: 0, changed: 0, removed: 0, unchanged: unchanged.length, missing, deleted: 0 }
    if (missing.length > 0 && !isPreview) return nothing
    const lost = await listLost(context, tx, { actor, id, among: locked, plan })
    if (isPreview) return presentPlan(plan, lost.length)
    requireExpected(plan, expected)
    const added = await apply(context, tx, { actor, id, plan })
    await context.files.deleteUnscoped(tx, lost)
    return { ...nothing, ...added, removed: plan.gone.length, deleted: lost.length }
  })

const lockFiles = async (
  { files }: KnowledgeContext,
  tx: Db,
  { actor, id, wanted }: { actor: Actor; id: string; wanted: Wanted },
): Promise<string[]> => {
  const synced = await listSyncedUnscoped(tx, id)
  const given = await files.listUnscoped(
    tx,
    wanted.flatMap(({ file_id: fileId }) => fileId ?? []),
  )
  const own = given.filter((file) => isOwn(file, actor)).map((file) => file.id)
  await files.lockUnscoped(tx, [...new Set([...synced, ...own])], { forDeletion: true })
  return synced
}

const isOwn = (file: FileRow, actor: Actor): boolean => file.ownerKind === actor.kind && file.ownerId === actor.id

interface Applying {
  actor: Actor
  id: string
  plan: Plan
}

/** Files that the folder no longer has, where a sync of the caller's added them and no other collection holds them. */
const listLost = async (
  { files }: KnowledgeContext,
  tx: Db,
  { actor, id, among, plan }: Applying & { among: readonly string[] },
): Promise<string[]> => {
  const synced = new Set(among)
  const dropped = plan.dropped.filter((fileId) => synced.has(fileId))
  const held = await listHeldElsewhereUnscoped(tx, id, dropped)
  const rows = await files.listUnscoped(
    tx,
    dropped.filter((fileId) => !held.has(fileId)),
  )
  return rows.filter((file) => isOwn(file, actor)).map((file) => file.id)
}

const apply = async (
  context: KnowledgeContext,
  tx: Db,
  { actor, id, plan: { put, gone } }: Applying,
): Promise<Pick<SyncReply, 'added' | 'changed'>> => {
  for (const { fileId, hash } of put)
    if ((await requireProcessed(context, tx, { actor, fileId })) !== hash) throw new AppError('hash_mismatch')
  const before = await removeFilesUnscoped(tx, id, [...gone, ...put.flatMap(({ replaces }) => replaces ?? [])])
  const wasSynced = new Map(before.map(({ fileId, isSynced }) => [fileId, isSynced]))
  const elsewhere = await listHeldElsewhereUnscoped(
    tx,
    id,
    put.map(({ fileId }) => fileId),
  )
  const addedAt = context.clock.now()
  for (const { fileId, path } of put) {
    const isSynced = wasSynced.get(fileId) ?? !elsewhere.has(fileId)
    await addFileUnscoped(tx, { collectionId: id, fileId, path, isSynced, addedAt })
  }
  await updateCollectionUnscoped(tx, id, { updatedAt: addedAt })
  const changed = put.filter(({ replaces }) => replaces !== undefined).length
  return { added: put.length - changed, changed }
}

/** Refuses to lose files that others added or replaced since the preview. */
const requireExpected = ({ named }: Plan, { removals, changes }: Expected): void => {
  const known = new Set(removals)
  const hashes = new Map(changes?.map(({ path, hash }) => [path, hash]))
  const isSurprise =
    (removals && named.removed.some((path) => !known.has(path))) ||
    (changes && named.changed.some(({ path, hash }) => hashes.get(path) !== hash))
  if (isSurprise) throw new AppError('collection_changed')
}

const readFolder = async ({ files }: KnowledgeContext, tx: Db, id: string): Promise<Map<string, Held>> => {
  const members = (await listMembersUnscoped(tx, id, maxMembers)).filter(({ path }) => path !== null)
  const rows = await files.listUnscoped(
    tx,
    members.map(({ fileId }) => fileId),
  )
  const hashes = new Map(rows.map((file) => [file.id, file.sha256]))
  return new Map(members.map(({ fileId, path }) => [path ?? '', { fileId, hash: hashes.get(fileId) ?? '' }]))
}

const presentPlan = ({ unchanged, missing, named }: Plan, deleted: number): SyncReply => ({
  added: named.added.length,
  changed: named.changed.length,
  removed: named.removed.length,
  unchanged: unchanged.length,
  missing,
  deleted,
  plan: named,
})
