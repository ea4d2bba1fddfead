/** A space that the actor sees, or the answer that there is none. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { findSpace, type SpaceRow } from '../queries/spaces.ts'

export const getSpace = async (db: Db, actor: Actor, id: string): Promise<SpaceRow> => {
  const space = await findSpace(db, actor, id)
  if (!space) throw new AppError('space_not_found')
  return space
}

/** Where a body names one. None is fine. */
export const requireSpace = async (db: Db, actor: Actor, id: string | null | undefined): Promise<void> => {
  if (id !== null && id !== undefined) await getSpace(db, actor, id)
}
