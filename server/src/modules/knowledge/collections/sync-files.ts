/** Makes a collection equal to a folder: adds, replaces and removes in one transaction, by path and hash. */
import type { SyncBody, SyncReply } from '@chancery/contract/knowledge.ts'
import type { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { KnowledgeContext } from '../context.ts'
import {
  addFileUnscoped,
  listMembersUnscoped,
  removeFilesUnscoped,
  updateCollectionUnscoped,
} from '../queries/collections.ts'
import { requireProcessed } from './change-files.ts'
import { lockWritable } from './get-collection.ts'

type Wanted = z.output<typeof SyncBody>['files']

const maxMembers = 100_000

interface Request {
  id: string
  files: Wanted
  /** Nothing is changed; the reply tells what would be. */
  isPreview: boolean
  /** Paths that the caller knows to be removed. Undefined: any may be. */
  expectedRemovals: readonly string[] | undefined
}

/** Files that were added by hand have no path and stay. */
export const syncFiles = (
  context: KnowledgeContext,
  actor: Actor,
  { id, files: wanted, isPreview, expectedRemovals }: Request,
): Promise<SyncReply> =>
  context.db.transaction().execute(async (tx) => {
    await context.files.lockUnscoped(
      tx,
      wanted.flatMap(({ file_id: fileId }) => fileId ?? []),
    )
    await lockWritable(context, tx, { actor, id })
    const plan = planSync(wanted, await readFolder(context, tx, id))
    const { unchanged, missing, put, gone } = plan
    if (isPreview) return presentPlan(plan)
    if (missing.length > 0) return { added: 0, changed: 0, removed: 0, unchanged: unchanged.length, missing }
    requireExpected(plan, expectedRemovals)
    for (const { fileId, hash } of put)
      if ((await requireProcessed(context, tx, { actor, fileId })) !== hash) throw new AppError('hash_mismatch')
    await removeFilesUnscoped(tx, id, [...gone, ...put.flatMap(({ replaces }) => replaces ?? [])])
    const addedAt = context.clock.now()
    for (const { fileId, path } of put) await addFileUnscoped(tx, { collectionId: id, fileId, path, addedAt })
    await updateCollectionUnscoped(tx, id, { updatedAt: addedAt })
    const changed = put.filter(({ replaces }) => replaces !== undefined).length
    return { added: put.length - changed, changed, removed: gone.length, unchanged: unchanged.length, missing: [] }
  })

/** What others added since the preview must not be removed without a question. */
const requireExpected = ({ named }: Plan, expected: readonly string[] | undefined): void => {
  const known = new Set(expected)
  if (expected && named.removed.some((path) => !known.has(path))) throw new AppError('collection_changed')
}

interface Held {
  fileId: string
  hash: string
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

interface Plan {
  unchanged: string[]
  missing: string[]
  put: { path: string; hash: string; fileId: string; replaces: string | undefined }[]
  gone: string[]
  /** By path, whether or not the contents are there already. */
  named: { added: string[]; changed: { path: string; hash: string }[]; removed: string[] }
}

const presentPlan = ({ unchanged, missing, named }: Plan): SyncReply => ({
  added: named.added.length,
  changed: named.changed.length,
  removed: named.removed.length,
  unchanged: unchanged.length,
  missing,
  plan: named,
})

/** Pure. */
const planSync = (wanted: Wanted, held: ReadonlyMap<string, Held>): Plan => {
  const plan: Plan = { unchanged: [], missing: [], put: [], gone: [], named: { added: [], changed: [], removed: [] } }
  const paths = new Set<string>()
  for (const { path, hash, file_id: fileId } of wanted) {
    if (paths.has(path)) throw new AppError('duplicate_path', { detail: `The path ${path} is named twice.` })
    paths.add(path)
    const before = held.get(path)
    if (before?.hash === hash) {
      plan.unchanged.push(path)
      continue
    }
    if (before) plan.named.changed.push({ path, hash: before.hash })
    else plan.named.added.push(path)
    if (fileId === undefined) plan.missing.push(path)
    else plan.put.push({ path, hash, fileId, replaces: before?.fileId })
  }
  for (const [path, { fileId }] of held) {
    if (paths.has(path)) continue
    plan.gone.push(fileId)
    plan.named.removed.push(path)
  }
  requireOnePathEach(plan, held)
  return plan
}

/** A collection holds a file once, so a file that is named under two paths would lose one of them without a word. */
const requireOnePathEach = ({ put, unchanged }: Plan, held: ReadonlyMap<string, Held>): void => {
  const paths = new Map(unchanged.map((path) => [held.get(path)?.fileId, path]))
  for (const { fileId, path } of put) {
    const other = paths.get(fileId)
    if (other !== undefined)
      throw new AppError('duplicate_path', {
        detail: `The same file is named under ${other} and ${path}. Upload it once for each path.`,
      })
    paths.set(fileId, path)
  }
}
