/**
 * An image as a data URL, for a model. A large one is made smaller in the limited child, once; the smaller one is stored
 * beside the original, which stays as it was uploaded.
 */
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { ChildFailure, type ChildFailureCode, exhausted } from '#kernel/child/index.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { FilesContext } from '../context.ts'
import { getFile } from '../get-file.ts'
import { type FileRow, lockFilesUnscoped } from '../queries/files.ts'
import { findModelImageUnscoped, insertModelImageUnscoped, type ModelImage } from '../queries/images.ts'

interface Request {
  actor: Actor
  fileId: string
  signal: AbortSignal
}

/** Types that providers take. */
export const imageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const maxBytes = 10 * 1024 * 1024
/** Smaller ones aren't looked at. */
const smallBytes = 256 * 1024
/** Providers scale down what is larger, and charge for it. */
const limits = { maxEdge: 1568, maxBytes: 2 * 1024 * 1024 }

export const readImage = async (context: FilesContext, { actor, fileId, signal }: Request): Promise<string> => {
  const file = await getFile(context, context.db, { actor, id: fileId })
  if (!imageTypes.has(file.contentType)) throw new AppError('not_an_image')
  if (file.size > maxBytes) throw new AppError('image_too_large')
  // A moving GIF would become a still one.
  const isShown = file.size <= smallBytes || file.contentType === 'image/gif'
  const shown = isShown ? undefined : await smallerImage(context, file, signal)
  const bytes = await readBlob(context, shown?.blobKey ?? file.blobKey)
  return `data:${shown?.contentType ?? file.contentType};base64,${bytes.toString('base64')}`
}

const readBlob = async ({ blobs }: FilesContext, key: string): Promise<Buffer> => {
  const blob = await blobs.get(key)
  if (!blob) throw new AppError('not_found')
  return buffer(blob.stream)
}

const smallerImage = async (context: FilesContext, file: FileRow, signal: AbortSignal): Promise<ModelImage> => {
  const { blobs, db } = context
  const known = await findModelImageUnscoped(db, file.id)
  if (known) return known
  const { bytes, type } = await shrink(context, file, signal)
  if (type === null) return keep(context, { fileId: file.id, blobKey: null, contentType: file.contentType })
  const staged = await blobs.stage(bytes, { area: 'files', contentType: type })
  return keep(context, { fileId: file.id, blobKey: staged.key, contentType: type })
}

/** When two requests make the smaller image at the same time, the first one's is kept. */
const keep = async ({ blobs, db }: FilesContext, image: ModelImage & { fileId: string }): Promise<ModelImage> => {
  const isFirst = await db.transaction().execute(async (tx) => {
    if ((await lockFilesUnscoped(tx, [image.fileId])).length === 0) throw new AppError('not_found')
    const isInserted = await insertModelImageUnscoped(tx, image)
    if (isInserted && image.blobKey !== null) await blobs.claim(tx, image.blobKey)
    return isInserted
  })
  if (isFirst) return image
  if (image.blobKey !== null) await blobs.discardUnclaimed([image.blobKey])
  return (await findModelImageUnscoped(db, image.fileId)) ?? image
}

const Shrunk = z.object({ type: z.enum(['image/png', 'image/jpeg']).nullable() })

const shrink = async ({ blobs, children, imageWorker }: FilesContext, file: FileRow, signal: AbortSignal) => {
  const blob = await blobs.get(file.blobKey)
  if (!blob) throw new AppError('not_found')
  const pieces: Buffer[] = []
  try {
    const result = await children.run(imageWorker, 'shrink', limits, {
      body: blob.stream,
      tenant: file.organizationId ?? file.ownerId,
      onBytes: (bytes) => void pieces.push(Buffer.from(bytes)),
      signal,
    })
    return { type: Shrunk.parse(result).type, bytes: Buffer.concat(pieces) }
  } catch (problem) {
    throw explain(problem)
  } finally {
    blob.stream.destroy()
  }
}

/** Which picture ends the process isn't known beforehand, so one that did is not given to a model. */
const explain = (problem: unknown): unknown => {
  if (!(problem instanceof ChildFailure)) return problem
  if (unreadable.has(problem.code)) return new AppError('image_unreadable', { cause: problem })
  return new AppError('not_ready', { retryAfterSec: 5, cause: problem })
}

const unreadable = new Set<ChildFailureCode>([...exhausted, 'child_task_failed'])
