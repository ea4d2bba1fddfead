/** An image as a data URL, for a model. */
import { buffer } from 'node:stream/consumers'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { FilesContext } from './context.ts'
import { getFile } from './get-file.ts'

/** What providers take. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const maxBytes = 10 * 1024 * 1024

export const readImage = async (context: FilesContext, actor: Actor, id: string): Promise<string> => {
  const file = await getFile(context, context.db, { actor, id })
  if (!imageTypes.has(file.contentType)) throw new AppError('not_an_image')
  if (file.size > maxBytes) throw new AppError('image_too_large')
  const blob = await context.blobs.get(file.blobKey)
  if (!blob) throw new AppError('not_found')
  return `data:${file.contentType};base64,${(await buffer(blob.stream)).toString('base64')}`
}
