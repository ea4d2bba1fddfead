/** Reading a file is for its owner, and for people whom a module above allows (a shared collection shows its files). */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { FilesContext } from './context.ts'
import { type FileRow, findFileUnscoped, findOwnFile } from './queries/files.ts'

export const getOwnFile = async (db: Db, actor: Actor, id: string): Promise<FileRow> => {
  const file = await findOwnFile(db, actor, id)
  if (!file) throw new AppError('not_found')
  return file
}

export const getFile = async (
  { ports }: Pick<FilesContext, 'ports'>,
  db: Db,
  { actor, id }: { actor: Actor; id: string },
): Promise<FileRow> => {
  const own = await findOwnFile(db, actor, id)
  if (own) return own
  const shared = (await ports.mayRead?.(db, actor, id)) ? await findFileUnscoped(db, id) : undefined
  if (!shared) throw new AppError('not_found')
  return shared
}
