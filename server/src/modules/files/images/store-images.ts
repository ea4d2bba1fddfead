/**
 * Images that arrive inside something else, such as a chat: each becomes a file of its owner in the transaction that
 * stores what names it. The same bytes are stored once: a repeated request finds the file of the first one.
 */
import { createHash } from 'node:crypto'
import type { StagedBlob } from '#kernel/blobs/index.ts'
import type { Db } from '#kernel/db/database.ts'
import { cleanFileName } from '#kernel/http/bodies/file-name.ts'
import { detectFileType, typeBytes } from '#kernel/http/bodies/file-types.ts'
import type { FilesContext } from '../context.ts'
import type { FileOwner, ImageBytes } from '../interface.ts'
import { type FileRow, findSameFileUnscoped, lockHashesUnscoped } from '../queries/files.ts'
import { storageLeft } from '../storage.ts'
import { enterStaged } from '../store-file.ts'
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
    return await context.db.transaction().execute(async (tx) => work(tx, await keep(context, tx, { owner, prepared })))
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

/** Those that don't fit into the owner's storage are left out. */
const keep = async (
  context: FilesContext,
  tx: Db,
  { owner, prepared }: { owner: FileOwner; prepared: ReadonlyMap<string, Prepared> },
): Promise<Map<string, FileRow>> => {
  const stored = new Map<string, FileRow>()
  if (prepared.size > 0) await lockHashesUnscoped(tx, owner)
  // Counted once, where there is something new.
  let left: number | undefined
  for (const [key, image] of prepared) {
    const { name, contentType, blob } = image
    const known = await findSameFileUnscoped(tx, owner, image)
    if (known) stored.set(key, known)
    // Neither known nor staged: the file that had these bytes was deleted a moment ago.
    if (known || !blob) continue
    left ??= await storageLeft(context, tx, owner)
    if (blob.size > left) continue
    left -= blob.size
    stored.set(key, await enterStaged(context, tx, { owner, file: { name, contentType, blob } }))
  }
  return stored
}
