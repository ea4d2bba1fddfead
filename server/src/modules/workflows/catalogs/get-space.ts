/** A space that the actor may see. Any other doesn't exist (404). */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { findSpace, type SpaceRow } from '../queries/spaces.ts'

export const getSpace = async (db: Db, actor: Actor, id: string): Promise<SpaceRow> => {
  const space = await findSpace(db, actor, id)
  if (!space) throw new AppError('space_not_found')
  return space
}

/** For bodies that may name a space; none is fine. */
export const requireSpace = async (db: Db, actor: Actor, id: string | null | undefined): Promise<void> => {
  if (id !== null && id !== undefined) await getSpace(db, actor, id)
}
