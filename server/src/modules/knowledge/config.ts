/** Semantic search, and the search of the web. */
import { embeddingEngines, searchEngines } from '@chancery/contract/engines.ts'
import { choice, integer, text, url, type ValuesOf, web } from '#kernel/config/variable.ts'
import type { ModelsConfig } from '#modules/models/index.ts'

export const knowledgeVariables = {
  Files: {
    RAG_EMBEDDING_ENGINE: choice(embeddingEngines, {
      fallback: 'local',
      sentence: 'What makes vectors for semantic search; with none, full-text search serves alone.',
    }),
    RAG_EMBEDDING_MODEL: text({
      fallback: undefined,
      fallbackText: 'all-MiniLM-L6-v2 for local',
      sentence: 'The embedding model of the engine.',
    }),
    RAG_EMBEDDING_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'UPSTREAM_BASE_URL or COMPAT_API_BASE_URL',
      protocols: web,
      sentence: 'Where the upstream or compat engine is.',
    }),
    RAG_EMBEDDING_API_KEY: text({
      fallback: undefined,
      fallbackText: 'COMPAT_API_KEY',
      secret: true,
      sentence: 'Its key.',
    }),
    RAG_RERANKING_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'none: passages stay in the order of the search',
      protocols: web,
      sentence: 'A server with `/rerank` that puts passages into a better order.',
    }),
    RAG_RERANKING_MODEL: text({ fallback: undefined, sentence: 'Its model.' }),
    RAG_RERANKING_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    RAG_VECTOR_INDEX: choice(['auto', 'memory'], {
      fallback: 'auto',
      sentence:
        'Where vectors are searched: auto uses pgvector if the database has it; memory keeps them in each node.',
    }),
    RAG_VECTOR_MEMORY_MB: integer({
      fallback: 1024,
      min: 16,
      max: 1_000_000,
      sentence: 'How much memory vectors may take on each node, in mebibytes. Larger collections are searched slowly.',
    }),
    RAG_VECTOR_DISK_MB: integer({
      fallback: 4096,
      min: 0,
      max: 1_000_000,
      sentence:
        'How much of the data folder the vectors of large collections may take, in mebibytes, so that the first question after a start need not read them from the database; 0 keeps none.',
    }),
    RAG_CHUNK_SIZE: integer({
      fallback: 1000,
      min: 200,
      max: 10_000,
      sentence: 'How long a chunk of text is, in characters.',
    }),
    RAG_CHUNK_OVERLAP: integer({
      fallback: 100,
      min: 0,
      max: 2000,
      sentence: 'How many characters neighbouring chunks share.',
    }),
    WEB_SEARCH_ENGINE: choice(searchEngines, {
      fallback: 'none',
      sentence: 'What searches the web for models; json is any server that speaks the protocol in docs/knowledge.md.',
    }),
    WEB_SEARCH_API_BASE_URL: url({
      fallback: undefined,
      fallbackText: 'the usual address of Brave or Tavily',
      protocols: web,
      sentence: 'Where the search engine is.',
    }),
    WEB_SEARCH_API_KEY: text({ fallback: undefined, secret: true, sentence: 'Its key.' }),
    WEB_SEARCH_RESULTS: integer({
      fallback: 5,
      min: 1,
      max: 20,
      sentence: 'How many results of a search a model gets.',
    }),
    WEB_SEARCH_PAGES: integer({
      fallback: 3,
      min: 0,
      max: 10,
      sentence: 'How many of the first results of a search are read in full.',
    }),
  },
} as const
export type KnowledgeConfig = ValuesOf<typeof knowledgeVariables> &
  Pick<ModelsConfig, 'UPSTREAM_BASE_URL' | 'COMPAT_API_BASE_URL' | 'COMPAT_API_KEY'>
