/** Turns references of a request into a scope. Access is checked here, at the time of the question: what isn't the caller's to read is 404. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import { findByName, getCollections } from '../collections/get-collection.ts'
import type { KnowledgeContext } from '../context.ts'
import type { Scope } from './scope.ts'

interface Reference {
  type: string
  id: string
}

/** Files that aren't processed are left out, as the contract says. */
export const resolveReferences = async (
  context: KnowledgeContext,
  actor: Actor,
  references: readonly Reference[],
): Promise<Scope> => {
  const { db, files } = context
  const idsOf = (type: string) => [...new Set(references.filter((one) => one.type === type).map(({ id }) => id))]
  const ids = { collection: idsOf('collection'), file: idsOf('file') }
  if (![...ids.collection, ...ids.file].every(isUuid)) throw new AppError('not_found')
  const [collections, found] = await Promise.all([
    getCollections(context, db, { actor, ids: ids.collection }),
    Promise.all(ids.file.map((id) => files.get(db, actor, id))),
  ])
  return {
    collectionIds: collections.map(({ id }) => id),
    fileIds: found.filter(({ state }) => state === 'completed').map(({ id }) => id),
  }
}

const fileName = /^file-([0-9a-f-]{36})$/

/** Names of collections: their ids, names of the caller's own, or `file-<id>` for one file. */
export const resolveNames = async (
  context: KnowledgeContext,
  actor: Actor,
  names: readonly string[],
): Promise<Scope> => {
  const references = await Promise.all(
    names.map(async (name): Promise<Reference> => {
      const fileId = fileName.exec(name)?.[1]
      if (fileId !== undefined) return { type: 'file', id: fileId }
      const collection = await findByName(context, context.db, { actor, name })
      if (!collection) throw new AppError('not_found')
      return { type: 'collection', id: collection.id }
    }),
  )
  return resolveReferences(context, actor, references)
}
