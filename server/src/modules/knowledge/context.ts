import type { JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Files } from '#modules/files/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { ChunkOptions } from './chunks/chunk-text.ts'
import type { KnowledgeConfig } from './config.ts'
import type { Embeddings } from './embeddings/embeddings.ts'
import type { ServingEngine } from './embeddings/serving-engine.ts'
import type { Reranker } from './retrieval/reranker.ts'
import type { SearchSettings } from './search/settings.ts'
import type { VectorIndex } from './vectors/vector-index.ts'

export interface KnowledgeContext
  extends Pick<
    Kernel<KnowledgeConfig>,
    'audit' | 'clock' | 'config' | 'db' | 'failpoints' | 'ids' | 'jobs' | 'log' | 'outbound' | 'quotas'
  > {
  files: Files
  organizations: Pick<Organizations, 'grants' | 'requireWritable'>
  embeddings: Embeddings
  servingEngine: ServingEngine
  vectors: VectorIndex
  reranker: Reranker
  search: () => SearchSettings
  chunking: () => ChunkOptions
  queues: {
    reindex: JobDefinition<{ collectionId: string }>
    embed: JobDefinition<object>
    crawl: JobDefinition<{ crawlId: string }>
  }
}
