/** Collections, crawls and retrieval. */

import { del, get, post } from '../endpoint.ts'
import {
  ChunkList,
  ChunkListQuery,
  Collection,
  CollectionBody,
  CollectionDetail,
  CollectionList,
  CollectionListQuery,
  CollectionPatch,
  Crawl,
  CrawlBody,
  CrawlList,
  FileAddQuery,
  FileReferenceBody,
  QueryBody,
  QueryReply,
  RetrievalFacts,
  SyncBody,
  SyncReply,
  WebBody,
  WebQuery,
  WebReply,
} from '../files/knowledge.ts'

export const createCollection = post('/api/v1/knowledge/create', { body: CollectionBody, reply: CollectionDetail })
export const getCollection = get('/api/v1/knowledge/:id', { reply: CollectionDetail })
export const updateCollection = post('/api/v1/knowledge/:id/update', { body: CollectionPatch, reply: CollectionDetail })
export const deleteCollection = del('/api/v1/knowledge/:id/delete')
export const resetCollection = post('/api/v1/knowledge/:id/reset', { reply: CollectionDetail })
export const reindexCollection = post('/api/v1/knowledge/:id/reindex', { reply: Collection, status: 202 })
export const addToCollection = post('/api/v1/knowledge/:id/file/add', {
  query: FileAddQuery,
  body: FileReferenceBody,
  reply: CollectionDetail,
})
export const removeFromCollection = post('/api/v1/knowledge/:id/file/remove', {
  body: FileReferenceBody,
  reply: CollectionDetail,
})
export const syncCollection = post('/api/v1/knowledge/:id/sync', { body: SyncBody, reply: SyncReply })
export const listCrawls = get('/api/v1/knowledge/:id/crawls', { reply: CrawlList })
export const startCrawl = post('/api/v1/knowledge/:id/crawls', { body: CrawlBody, reply: Crawl, status: 202 })
export const cancelCrawl = post('/api/v1/knowledge/:id/crawls/cancel', { reply: Crawl })
export const listOwnCrawls = get('/api/v1/retrieval/crawls', { reply: CrawlList })
export const getRetrieval = get('/api/v1/retrieval/', { reply: RetrievalFacts })
export const listChunks = get('/api/v1/retrieval/files/:id/chunks', { query: ChunkListQuery, reply: ChunkList })
export const queryCollections = post('/api/v1/retrieval/query/collection', { body: QueryBody, reply: QueryReply })
export const processPage = post('/api/v1/retrieval/process/web', { query: WebQuery, body: WebBody, reply: WebReply })
export const listCollections = get('/api/v1/knowledge/', { query: CollectionListQuery, reply: CollectionList })
