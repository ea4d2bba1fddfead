/** `/api/v1/knowledge` (contract, Knowledge collection; gaps, Gateway). */
import * as endpoints from '@chancery/contract/endpoints/knowledge.ts'
import type { CollectionListQuery } from '@chancery/contract/files/knowledge.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { addFile, removeFile, resetCollection } from '../collections/change-files.ts'
import {
  collectionResource,
  getCollection,
  lockWritable,
  type Readable,
  withAccess,
} from '../collections/get-collection.ts'
import { createCollection, deleteCollection, updateCollection } from '../collections/save-collection.ts'
import { syncFiles } from '../collections/sync-files.ts'
import type { KnowledgeContext } from '../context.ts'
import { presentCollection, presentMember, presentWaiting } from '../present.ts'
import { markStaleUnscoped } from '../queries/chunks.ts'
import { countFilesUnscoped, listCollections, listMembersUnscoped } from '../queries/collections.ts'
import { listWaitingUnscoped } from '../queries/waiting.ts'

const base = '/api/v1/knowledge'
const maxShownFiles = 1000
const maxSyncBytes = 8 * 1024 * 1024

const present = async ({ db }: KnowledgeContext, collection: Readable) =>
  presentCollection(collection, (await countFilesUnscoped(db, [collection.id])).get(collection.id))

const presentDetail = async (context: KnowledgeContext, collection: Readable) => {
  const { db, files } = context
  const read = async (ids: readonly string[]) => {
    const rows = new Map((await files.listUnscoped(db, ids)).map((file) => [file.id, file]))
    return ids.flatMap((id) => rows.get(id) ?? [])
  }
  const members = await listMembersUnscoped(db, collection.id, maxShownFiles)
  const paths = new Map(members.map(({ fileId, path }) => [fileId, path]))
  const shown = await read(members.map(({ fileId }) => fileId))
  const waiting = collection.canWrite ? await read(await listWaitingUnscoped(db, collection.id, maxShownFiles)) : []
  return {
    ...(await present(context, collection)),
    files: shown.map((file) => presentMember(file, paths.get(file.id) ?? null)),
    ...(waiting.length > 0 ? { waiting: waiting.map(presentWaiting) } : {}),
  }
}

export const collectionRoutes = (context: KnowledgeContext): Route[] => [
  ...listRoutes(context),
  ...changeRoutes(context),
  ...fileRoutes(context),
]

const listRoutes = (context: KnowledgeContext): Route[] => [
  ...([base, `${base}/`] as const).map((path) =>
    route({
      ...endpoints.listCollections,
      path,
      access: 'signedIn',
      summary: 'The collections that the caller may read',
      handle: async ({ actor, query }) => listReadable(context, actor, query),
    }),
  ),
  route({
    ...endpoints.getCollection,
    access: 'signedIn',
    summary: 'One collection with its files',
    handle: async ({ actor, params }) =>
      presentDetail(context, await getCollection(context, context.db, { actor, id: params.id })),
  }),
]

const listReadable = async (context: KnowledgeContext, actor: Actor, query: CollectionListQuery) => {
  const { db, organizations } = context
  const grantedIds = await organizations.grants.listGrantedIds(db, actor, collectionResource)
  const { items, total } = await listCollections(db, actor, { ...query, grantedIds })
  const readable = await withAccess(context, db, { actor, rows: items })
  const counts = await countFilesUnscoped(
    db,
    readable.map(({ id }) => id),
  )
  return { items: readable.map((collection) => presentCollection(collection, counts.get(collection.id))), total }
}

const changeRoutes = (context: KnowledgeContext): Route[] => [
  route({
    ...endpoints.createCollection,
    access: 'signedIn',
    writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
    summary: 'Create a collection; without access_grants it is private',
    handle: async ({ actor, body: { access_grants: grants = [], ...draft } }) =>
      presentDetail(context, await createCollection(context, actor, { ...draft, grants })),
  }),
  route({
    ...endpoints.updateCollection,
    access: 'signedIn',
    writes: { reachesOthers: 'sometimes', whenReadOnly: 'refused' },
    summary: 'Change the name, the description or the grants',
    handle: async ({ actor, params: { id }, body: { access_grants: grants, ...change } }) =>
      presentDetail(context, await updateCollection(context, actor, { id, ...change, grants })),
  }),
  route({
    ...endpoints.deleteCollection,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Delete a collection; its files stay',
    handle: ({ actor, params }) => deleteCollection(context, actor, params.id),
  }),
  route({
    ...endpoints.resetCollection,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Remove every file from a collection',
    handle: async ({ actor, params }) => presentDetail(context, await resetCollection(context, actor, params.id)),
  }),
  route({
    ...endpoints.reindexCollection,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Cut and embed every file again; the old index serves meanwhile',
    handle: async ({ actor, params: { id } }) => {
      const { db, jobs, queues } = context
      const collection = await db.transaction().execute(async (tx) => {
        const locked = await lockWritable(context, tx, { actor, id })
        await markStaleUnscoped(tx, id)
        await jobs.enqueue(tx, queues.reindex, { collectionId: id }, { group: scopeOf(actor) })
        return locked
      })
      return present(context, collection)
    },
  }),
]

const fileRoutes = (context: KnowledgeContext): Route[] => [
  route({
    ...endpoints.addToCollection,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Add a processed file of your own; with when_processed=true, as soon as it is processed',
    handle: async ({ actor, params: { id }, query, body }) => {
      const addition = { id, fileId: body.file_id, whenProcessed: query.when_processed }
      return presentDetail(context, await addFile(context, actor, addition))
    },
  }),
  route({
    ...endpoints.removeFromCollection,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Remove a file; the file itself stays',
    handle: async ({ actor, params: { id }, body }) =>
      presentDetail(context, await removeFile(context, actor, { id, fileId: body.file_id })),
  }),
  route({
    ...endpoints.syncCollection,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Make the collection equal to a folder: add, replace and remove by path and hash; preview=true only tells',
    maxBodyBytes: maxSyncBytes,
    handle: ({ actor, params: { id }, body }) =>
      syncFiles(context, actor, {
        id,
        files: body.files,
        isPreview: body.preview === true,
        expected: { removals: body.expected_removals, changes: body.expected_changes },
      }),
  }),
]
