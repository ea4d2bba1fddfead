/** `/api/v1/retrieval`: questions to collections, and web pages into them. */
import * as endpoints from '@chancery/contract/endpoints/knowledge.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { KnowledgeContext } from '../context.ts'
import { listChunksOfFileUnscoped } from '../queries/chunks.ts'
import { countEmbeddedUnscoped } from '../queries/vectors.ts'
import { metadataOf } from '../retrieval/completion-sources.ts'
import { narrowScope } from '../retrieval/narrow-scope.ts'
import { resolveNames } from '../retrieval/resolve-scope.ts'
import { retrieve } from '../retrieval/retrieve.ts'
import { processWeb } from '../web/process-web.ts'

export const retrievalRoutes = (context: KnowledgeContext): Route[] => [
  route({
    ...endpoints.getRetrieval,
    access: 'signedIn',
    summary: 'How search works on this instance',
    handle: async () => {
      const [engine = 'none', ...model] = (context.embeddings.engine()?.id ?? 'none').split('/')
      const { size, overlap } = context.chunking()
      const facts = { engine, model: model.join('/'), semantic: engine !== 'none' }
      const vectorIndex = await context.vectors.kind(context.db)
      return { status: true as const, ...facts, vector_index: vectorIndex, chunk_size: size, chunk_overlap: overlap }
    },
  }),
  route({
    ...endpoints.queryCollections,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'The passages of some collections that answer a question best',
    limits: [{ per: 'actor', max: 600, windowSec: 60 }],
    handle: async ({ actor, body, http }) => {
      const scope = await resolveNames(context, actor, body.collection_names)
      const { query, k, threshold, hybrid: isHybrid, rerank: isReranked, filter, explain } = body
      const question = { query, k, threshold, isHybrid, isReranked, payer: actor, signal: http.signal }
      const found = await retrieve(context, await narrowScope(context, scope, filter), question)
      return {
        documents: [found.map(({ text }) => text)],
        metadatas: [found.map(metadataOf)],
        distances: [found.map(({ score }) => score)],
        ...(explain ? { reasons: [found.map(({ reason }) => reason)] } : {}),
      }
    },
  }),
  route({
    ...endpoints.listChunks,
    access: 'signedIn',
    summary: 'How a file was cut for retrieval',
    handle: async ({ actor, params, query }) => {
      const { db, embeddings, files } = context
      const { id } = await files.get(db, actor, params.id)
      const { items, total } = await listChunksOfFileUnscoped(db, id, query)
      const shown = items.map(({ page, heading, ...chunk }) => ({
        ...chunk,
        ...(page === null ? {} : { page }),
        ...(heading === null ? {} : { heading }),
      }))
      return { items: shown, total, embedded: await countEmbeddedUnscoped(db, embeddings.engine()?.id ?? '', id) }
    },
  }),
  route({
    ...endpoints.processPage,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Fetch a web page, and unless process=false store it in a collection',
    limits: [{ per: 'actor', max: 300, windowSec: 3600 }],
    handle: ({ actor, query, body, http }) =>
      processWeb(context, actor, {
        ...query,
        url: body.url,
        collectionName: body.collection_name,
        signal: http.signal,
      }),
  }),
]
