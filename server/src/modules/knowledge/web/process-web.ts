/**
 * Puts a web page into a collection. The page is fetched, read and indexed first; only then, in one transaction, is the
 * collection emptied (with `overwrite`) and the page added. A failure before that changes nothing.
 */
import { createHash } from 'node:crypto'
import type { WebReply } from '@chancery/contract/files/knowledge.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type FileRow, ProcessingFailure } from '#modules/files/index.ts'
import { emptyCollection, lockPages } from '../collections/change-files.ts'
import { findByName, lockWritable } from '../collections/get-collection.ts'
import { insertCollection } from '../collections/save-collection.ts'
import type { KnowledgeContext } from '../context.ts'
import { addFileUnscoped } from '../queries/collections.ts'
import { type FetchedPage, fetchPage } from './fetch-page.ts'

interface Request {
  url: string
  collectionName: string | undefined
  process: boolean
  overwrite: boolean
  signal: AbortSignal
}

export const processWeb = async (context: KnowledgeContext, actor: Actor, request: Request): Promise<WebReply> => {
  const { url, signal, overwrite } = request
  // Before anything is fetched: a collection that is not the caller's to change is refused.
  const name = request.collectionName ?? generatedName(url)
  if (request.process) await requireWritableIfKnown(context, actor, name)
  const page = await fetchPage(context, { actor, url, signal })
  if (!request.process) return { status: true, content: page.text.content }
  const file = await storePage(context, actor, page)
  try {
    await context.db
      .transaction()
      .execute((tx) => putInto(context, tx, { actor, name, file, url: page.url, overwrite }))
  } catch (problem) {
    await context.db.transaction().execute((tx) => context.files.deleteUnscoped(tx, [file.id]))
    throw problem
  }
  return {
    status: true,
    collection_name: name,
    filename: page.url,
    file: {
      id: file.id,
      data: { content: page.text.content },
      meta: { name: file.name, source: page.url, content_type: page.contentType },
    },
  }
}

const requireWritableIfKnown = async (context: KnowledgeContext, actor: Actor, name: string): Promise<void> => {
  const collection = await findByName(context, context.db, { actor, name })
  if (collection && !collection.canWrite) throw new AppError('forbidden')
}

export const storePage = async ({ files }: KnowledgeContext, actor: Actor, page: FetchedPage): Promise<FileRow> => {
  const { title, contentType, bytes, text } = page
  try {
    return await files.createProcessed(actor, { name: title, contentType, bytes, text })
  } catch (problem) {
    if (problem instanceof ProcessingFailure) throw new AppError('page_not_readable', { detail: problem.message })
    throw problem
  }
}

interface Placement {
  actor: Actor
  name: string
  file: FileRow
  url: string
  overwrite: boolean
}

const putInto = async (
  context: KnowledgeContext,
  tx: Db,
  { actor, name, file, url, overwrite }: Placement,
): Promise<void> => {
  await context.files.keepUnscoped(tx, file.id)
  const known = await findByName(context, tx, { actor, name })
  const { id } = known ?? (await insertCollection(context, tx, { actor, draft: { name, description: '', grants: [] } }))
  if (overwrite) await lockPages(context, tx, id)
  await lockWritable(context, tx, { actor, id })
  if (overwrite) await emptyCollection(context, tx, { actor, id })
  await addFileUnscoped(tx, { collectionId: id, fileId: file.id, url, addedAt: context.clock.now() })
}

/** Readable, and the same for the same address. */
const generatedName = (url: string): string => {
  const host = URL.parse(url)?.hostname ?? 'page'
  return `web-${host.slice(0, 100)}-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`
}
