/**
 * Images that arrive inside something else, such as a chat: each becomes a file of its owner in the transaction that
 * stores what names it. The same bytes are stored once: a repeated request finds the file of the first one.
 */
import { createHash } from 'node:crypto'
import type { StagedBlob } from '#kernel/blobs/index.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { cleanFileName } from '#kernel/http/file-name.ts'
import { detectFileType, typeBytes } from '#kernel/http/file-types.ts'
import type { FilesContext } from '../context.ts'
import type { FileOwner, ImageBytes } from '../face.ts'
import { type FileRow, findSameFileUnscoped, lockHashesUnscoped } from '../queries/files.ts'
import { storeStaged } from '../store-file.ts'
import { imageTypes } from './read-image.ts'

interface Prepared {
  name: string
  contentType: string
  sha256: string
  /** Undefined where the owner has a file of these bytes. */
  blob: StagedBlob | undefined
}

interface Request<Result> {
  images: Iterable<[string, ImageBytes]>
  work(tx: Db, stored: ReadonlyMap<string, FileRow>): Promise<Result>
}

export const storeImages = async <Result>(
  context: FilesContext,
  owner: FileOwner,
  { images, work }: Request<Result>,
): Promise<Result> => {
  const prepared = new Map<string, Prepared>()
  try {
    for (const [key, image] of images) {
      const ready = await prepare(context, owner, image)
      if (ready) prepared.set(key, ready)
    }
    return await context.db.transaction().execute(async (tx) => {
      const stored = new Map<string, FileRow>()
      if (prepared.size > 0) await lockHashesUnscoped(tx, owner)
      for (const [key, image] of prepared) {
        const file = await keep(context, tx, { owner, image })
        if (file) stored.set(key, file)
      }
      return work(tx, stored)
    })
  } finally {
    await context.blobs.discardUnclaimed([...prepared.values()].flatMap(({ blob }) => blob?.key ?? []))
  }
}

/** Undefined for what an upload would refuse, or no model and no browser shows. */
const prepare = async (
  { blobs, config, db }: FilesContext,
  owner: FileOwner,
  { name, bytes }: ImageBytes,
): Promise<Prepared | undefined> => {
  const contentType = detectFileType(bytes.subarray(0, typeBytes))
  if (contentType === undefined || !imageTypes.has(contentType)) return undefined
  if (bytes.length > config.FILE_MAX_SIZE_MB * 1024 * 1024) return undefined
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const isKnown = (await findSameFileUnscoped(db, owner, { sha256, contentType })) !== undefined
  const blob = isKnown ? undefined : await blobs.stage(bytes, { area: 'files', contentType })
  const extension = contentType.slice('image/'.length)
  return { name: cleanFileName(name === '' ? `image.${extension}` : name), contentType, sha256, blob }
}

/** Undefined where the owner's storage is full, or the file that had the bytes was deleted a moment ago. */
const keep = async (
  context: FilesContext,
  tx: Db,
  { owner, image }: { owner: FileOwner; image: Prepared },
): Promise<FileRow | undefined> => {
  const { name, contentType, blob } = image
  const known = await findSameFileUnscoped(tx, owner, image)
  if (known || !blob) return known
  try {
    return await storeStaged(context, tx, { owner, file: { name, contentType, blob } })
  } catch (problem) {
    if (problem instanceof AppError && problem.code === 'plan_limit_reached') return undefined
    throw problem
  }
}
