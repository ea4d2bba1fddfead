/** Stores a file's row together with its bytes, within the organization's plan, and has it processed. */
import type { FileMetadata } from '@chancery/contract/files/files.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { UploadedFile } from '#kernel/http/bodies/upload.ts'
import type { FilesContext } from './context.ts'
import { deleteFiles } from './delete-file.ts'
import { enqueueProcessing } from './enqueue-processing.ts'
import { type FileOwner, type GivenFile, type Joining, ProcessingFailure, type StoredFile } from './interface.ts'
import { processFile } from './process-file.ts'
import { type FileRow, findFileUnscoped, insertFileUnscoped, markProvisionalUnscoped } from './queries/files.ts'
import { saveTextUnscoped } from './queries/processing.ts'
import { requireStorage } from './storage.ts'
import type { FileState } from './tables.ts'

interface Options {
  process: boolean
  inBackground: boolean
  metadata: FileMetadata
  /** The file waits for this collection from its first moment on, so that no crash or closed tab comes in between. */
  collectionId: string | undefined
}

export const uploadFile = async (
  context: FilesContext,
  actor: Actor,
  { file, metadata, process, inBackground, collectionId }: Options & { file: UploadedFile },
): Promise<FileRow> => {
  const { db } = context
  const row = await db.transaction().execute(async (tx) => {
    await file.claim(tx)
    const { name, size, sha256 } = file
    const facts = { name, contentType: shownType(file), size, sha256, metadata }
    const inserted = await insert(context, tx, actor, {
      ...facts,
      blobKey: file.key,
      state: process ? 'pending' : 'stored',
    })
    if (collectionId !== undefined) await joinLater(context, tx, { actor, collectionId, fileId: inserted.id })
    if (process && inBackground) await enqueueProcessing(context, tx, inserted)
    return inserted
  })
  if (!process || inBackground) return row
  return processNow(context, row)
}

const joinLater = async ({ ports }: FilesContext, tx: Db, joining: Joining): Promise<void> => {
  if (!ports.joinCollection) throw new AppError('not_found')
  await ports.joinCollection(tx, joining)
}

/** The caller waits. What fails for now is left to the job and answered as pending. */
const processNow = async (context: FilesContext, row: FileRow): Promise<FileRow> => {
  const { db, log } = context
  try {
    await processFile(context, row.id, new AbortController().signal)
  } catch (problem) {
    log.warn({ err: problem, file: row.id }, 'A file could not be processed at once and is left to its job.')
    await enqueueProcessing(context, db, row)
  }
  const current = await findFileUnscoped(db, row.id)
  if (!current) throw new AppError('not_found')
  return current
}

export const storeFile = async (
  context: FilesContext,
  actor: Actor,
  { name, contentType, bytes, text, state }: Omit<GivenFile, 'signal'> & { state: 'stored' | 'provisional' },
): Promise<FileRow> => {
  const { db, blobs } = context
  const { key, size, sha256 } = await blobs.stage(bytes, { area: 'files', contentType })
  return db.transaction().execute(async (tx) => {
    await blobs.claim(tx, key)
    const facts = { name, contentType, size, sha256, blobKey: key }
    const inserted = await insert(context, tx, actor, { ...facts, state: state === 'stored' ? 'stored' : 'pending' })
    if (state === 'provisional') await markProvisionalUnscoped(tx, inserted.id)
    if (text) await saveTextUnscoped(tx, inserted.id, text)
    return inserted
  })
}

/** Deleted again when it fails, or when nobody keeps it: the caller gets a whole file or none. */
export const createProcessed = async (context: FilesContext, actor: Actor, given: GivenFile): Promise<FileRow> => {
  const { db } = context
  const row = await storeFile(context, actor, { ...given, state: 'provisional' })
  const discard = () => db.transaction().execute((tx) => deleteFiles(context, tx, [row.id]))
  try {
    await processFile(context, row.id, given.signal ?? new AbortController().signal)
  } catch (problem) {
    await discard()
    throw problem
  }
  const current = await findFileUnscoped(db, row.id)
  if (current?.state === 'completed') return current
  await discard()
  throw new ProcessingFailure(current?.error ?? 'The file was deleted while it was processed.')
}

interface Staged {
  owner: FileOwner
  file: StoredFile
}

export const storeStaged = async (context: FilesContext, tx: Db, { owner, file }: Staged): Promise<FileRow> => {
  await requireStorage(context, tx, { owner, size: file.blob.size })
  return enterStaged(context, tx, { owner, file })
}

/** The caller made sure that there is storage for it. */
export const enterStaged = async (context: FilesContext, tx: Db, { owner, file }: Staged): Promise<FileRow> => {
  const { name, contentType, blob } = file
  const { size, sha256, key: blobKey } = blob
  const row = await enter(context, tx, owner, { name, contentType, size, sha256, blobKey, state: 'stored' })
  await context.blobs.claim(tx, blobKey)
  return row
}

interface Facts {
  name: string
  contentType: string
  size: number
  sha256: string
  blobKey: string
  state: FileState
  metadata?: FileMetadata
}

const insert = async (context: FilesContext, tx: Db, actor: FileOwner, facts: Facts): Promise<FileRow> => {
  await requireStorage(context, tx, { owner: actor, size: facts.size })
  return enter(context, tx, actor, facts)
}

const enter = ({ clock, ids }: FilesContext, tx: Db, actor: FileOwner, facts: Facts): Promise<FileRow> => {
  const now = clock.now()
  return insertFileUnscoped(tx, {
    ...facts,
    id: ids.next(),
    ownerKind: actor.kind,
    ownerId: actor.id,
    organizationId: actor.organizationId,
    error: null,
    progress: null,
    createdAt: now,
    updatedAt: now,
  })
}

/** Content decides. Between kinds of text and of zip, which content doesn't tell apart here, the sender's word is shown. */
const shownType = ({ type, claimedType }: UploadedFile): string => {
  const isText = /^text\/|^application\/(json|xml|javascript)$|^message\/rfc822$/.test(claimedType)
  const isZip = /^application\/(vnd\.|epub\+zip|zip)/.test(claimedType)
  if ((type === 'text/plain' && isText) || (type === 'application/zip' && isZip)) return claimedType
  return type ?? (isText ? claimedType : 'application/octet-stream')
}
