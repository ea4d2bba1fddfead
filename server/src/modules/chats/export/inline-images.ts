/**
 * Puts images back into `files` as data URLs, for a copy that leaves its owner's files behind: an export, or a colleague's
 * copy of a shared chat. Storing such a copy makes files of them again.
 */
import { buffer } from 'node:stream/consumers'
import { isUuid } from '#kernel/ids.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { ChatsContext } from '../context.ts'

/**
 * The limit for all images of a chat together, each counted as often as it is named: one chat at a time is in memory, and
 * its export must be small enough to be imported.
 */
const maxBytes = 10 * 1024 * 1024

type Deps = Pick<ChatsContext, 'blobs' | 'db' | 'files'>

/** Returns the same lists. Images of other people, deleted ones, and those beyond the limit stay named by their id. */
export const inlineImages = async (
  { blobs, db, files }: Deps,
  ownerId: string,
  fileLists: readonly unknown[],
): Promise<unknown[]> => {
  const mentions = countMentions(fileLists)
  const urls = new Map<string, string>()
  let left = maxBytes
  for (const file of await files.listUnscoped(db, [...mentions.keys()])) {
    const isOwn = file.ownerKind === 'user' && file.ownerId === ownerId
    const bytes = file.size * (mentions.get(file.id) ?? 0)
    if (!isOwn || !file.contentType.startsWith('image/') || bytes > left) continue
    const blob = await blobs.get(file.blobKey)
    if (!blob) continue
    left -= bytes
    urls.set(file.id, `data:${file.contentType};base64,${(await buffer(blob.stream)).toString('base64')}`)
  }
  const inlined = (file: unknown): unknown => {
    const url = urls.get(imageIdOf(file) ?? '')
    return url !== undefined && isJsonObject(file) ? { ...file, url } : file
  }
  return fileLists.map((list) => (urls.size > 0 && Array.isArray(list) ? list.map(inlined) : list))
}

const countMentions = (fileLists: readonly unknown[]): Map<string, number> => {
  const mentions = new Map<string, number>()
  for (const file of fileLists.flat()) {
    const id = imageIdOf(file)
    if (id !== undefined) mentions.set(id, (mentions.get(id) ?? 0) + 1)
  }
  return mentions
}

const imageIdOf = (file: unknown): string | undefined => {
  if (!isJsonObject(file) || file.type !== 'image' || typeof file.id !== 'string') return undefined
  return isUuid(file.id) ? file.id.toLowerCase() : undefined
}
