/** Knowledge: collections of files, retrieval, web pages. The public interface of the module. */
import { join, resolve } from 'node:path'
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Accounts } from '#modules/accounts/index.ts'
import type { Completions } from '#modules/completions/index.ts'
import type { Files } from '#modules/files/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import { joinWhenProcessed } from './collections/change-files.ts'
import { mayReadFile } from './collections/get-collection.ts'
import { handOverCollections } from './collections/hand-over-collections.ts'
import type { KnowledgeConfig } from './config.ts'
import type { KnowledgeContext } from './context.ts'
import { createEmbeddings } from './embeddings/embeddings.ts'
import { createServingEngine } from './embeddings/serving-engine.ts'
import { createIndexProcessor } from './index-processor.ts'
import { createCrawlSweep, createEmbedJob, createReindexJob, createVectorSweep } from './jobs.ts'
import { addWaitingFilesUnscoped } from './queries/waiting.ts'
import { collectionsQuota } from './quotas.ts'
import { createRetriever } from './retrieval/completion-sources.ts'
import { createReranker } from './retrieval/reranker.ts'
import { collectionRoutes } from './routes/collections.ts'
import { crawlRoutes } from './routes/crawls.ts'
import { retrievalRoutes } from './routes/retrieval.ts'
import { createWebSearcher } from './search/search-feature.ts'
import { registerSearchSettings } from './search/settings.ts'
import { knowledgeTools } from './tools.ts'
import { createVectorIndex } from './vectors/vector-index.ts'
import { createCrawlJob } from './web/crawl/run-crawl.ts'

export interface KnowledgeNeeds {
  kernel: Kernel<KnowledgeConfig>
  accounts: Pick<Accounts, 'registerDeletionHandler'>
  files: Files
  organizations: Organizations
  models: Pick<Models, 'meter'>
  settings: Settings
  completions: Completions
  tools: Tools
  /** Between two pages of a crawl, where the site doesn't ask for more. */
  crawlDelayMs?: number | undefined
}

const mebibyte = 1024 * 1024
const sweepEveryMs = 60 * 60_000

export const createKnowledge = ({
  kernel,
  accounts,
  files,
  organizations,
  models: { meter },
  settings,
  completions,
  tools,
  crawlDelayMs,
}: KnowledgeNeeds): Module => {
  const { config } = kernel
  kernel.quotas.declare(collectionsQuota)
  const context: KnowledgeContext = {
    ...kernel,
    files,
    organizations,
    embeddings: createEmbeddings({ kernel, settings, meter }),
    servingEngine: createServingEngine({ clock: kernel.clock, settings }),
    vectors: createVectorIndex({
      clock: kernel.clock,
      log: kernel.log,
      isAllowed: config.RAG_VECTOR_INDEX === 'auto',
      maxBytes: config.RAG_VECTOR_MEMORY_MB * mebibyte,
      packs: { root: join(resolve(config.SVC_DATA_DIR), 'vectors'), maxBytes: config.RAG_VECTOR_DISK_MB * mebibyte },
    }),
    reranker: createReranker({ kernel, settings, meter }),
    search: registerSearchSettings(settings, config),
    chunking: () => ({
      size: config.RAG_CHUNK_SIZE,
      overlap: Math.min(config.RAG_CHUNK_OVERLAP, Math.floor(config.RAG_CHUNK_SIZE / 2)),
    }),
    queues: {
      reindex: createReindexJob(() => context),
      embed: createEmbedJob(() => context),
      crawl: createCrawlJob(() => context, crawlDelayMs),
    },
  }
  accounts.registerDeletionHandler(handOverCollections)
  files.registerProcessor(createIndexProcessor(context))
  files.registerCompletion((tx, { id }) => addWaitingFilesUnscoped(tx, id))
  files.registerCollections((tx, joining) => joinWhenProcessed(context, tx, joining))
  files.registerReaders((db, actor, fileId) => mayReadFile(context, db, { actor, fileId }))
  completions.registerRetriever(createRetriever(context))
  completions.registerWebSearcher(createWebSearcher(context))
  for (const source of knowledgeTools(context)) tools.registerSource(source)
  return {
    routes: [...collectionRoutes(context), ...crawlRoutes(context), ...retrievalRoutes(context)],
    jobs: [...Object.values(context.queues), createVectorSweep(context), createCrawlSweep(context)],
    start: (signal) => {
      kernel.tasks.run('knowledge.vector-index', () => context.vectors.kind(kernel.db))
      // Each machine has its own, so this is no job.
      kernel.tasks.every('knowledge.sweep-packs', { everyMs: sweepEveryMs, signal }, () =>
        context.vectors.sweep(kernel.db),
      )
    },
  }
}
