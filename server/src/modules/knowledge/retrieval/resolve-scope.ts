/**
 * Turns references of a request into a scope. Access is checked here, at the time of the question: what isn't the caller's
 * to read is 404, or left out where an earlier message brought it.
 */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isUuid } from '#kernel/ids.ts'
import type { FileRow } from '#modules/files/index.ts'
import { findByName, withAccess } from '../collections/get-collection.ts'
import type { KnowledgeContext } from '../context.ts'
import { findCollectionsUnscoped } from '../queries/collections.ts'
import type { Scope } from '../scope.ts'

interface Reference {
  type: string
  id: string
  earlier?: boolean | undefined
}

/** Files that aren't processed are left out, as the contract says. */
export const resolveReferences = async (
  context: KnowledgeContext,
  actor: Actor,
  references: readonly Reference[],
): Promise<Scope> => {
  const { db } = context
  const idsOf = (type: string) => [
    ...new Set(references.filter((one) => one.type === type && isUuid(one.id)).map(({ id }) => id.toLowerCase())),
  ]
  const [collections, files] = await Promise.all([
    findCollectionsUnscoped(db, idsOf('collection')).then((rows) => withAccess(context, db, { actor, rows })),
    Promise.all(idsOf('file').map((id) => findFile(context, actor, id))),
  ])
  const found = files.filter((file) => file !== undefined)
  const readable = new Set([...collections, ...found].map(({ id }) => id))
  if (references.some(({ id, earlier }) => !earlier && !readable.has(id.toLowerCase()))) throw new AppError('not_found')
  return {
    collectionIds: collections.map(({ id }) => id),
    fileIds: found.filter(({ state }) => state === 'completed').map(({ id }) => id),
  }
}

const findFile = ({ db, files }: KnowledgeContext, actor: Actor, id: string): Promise<FileRow | undefined> =>
  files.get(db, actor, id).catch((problem: unknown) => {
    if (problem instanceof AppError && problem.code === 'not_found') return undefined
    throw problem
  })

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
