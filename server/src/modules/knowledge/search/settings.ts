/** The settings under `search.`: which engine searches the web, where it is, and how much of it a model gets. */
import { type SearchEngineName, searchEngines } from '@chancery/contract/engines.ts'
import { z } from 'zod'
import type { Settings } from '#modules/settings/index.ts'
import type { KnowledgeConfig } from '../config.ts'

export type SearchEngine = Exclude<SearchEngineName, 'none'>

export interface SearchSettings {
  engine: SearchEngine | undefined
  url: string | undefined
  key: string | undefined
  /** Results that are used; the first pages of them are read in full. */
  results: number
  pages: number
}

export const registerSearchSettings = (
  { register }: Pick<Settings, 'register'>,
  config: KnowledgeConfig,
): (() => SearchSettings) => {
  const engine = register<SearchEngineName>({
    key: 'search.engine',
    type: 'text',
    schema: z.enum(searchEngines),
    environment: undefined,
    fallback: config.WEB_SEARCH_ENGINE,
    sentence: 'What searches the web: searxng, brave, tavily, json or none.',
  })
  const url = register<string | undefined>({
    key: 'search.url',
    type: 'text',
    schema: z.url({ protocol: /^https?$/ }).max(2000),
    environment: config.WEB_SEARCH_API_BASE_URL,
    fallback: undefined,
    sentence: 'Where the engine is. Brave and Tavily have a usual address; SearXNG and a JSON engine need one.',
  })
  const key = register<string | undefined>({
    key: 'search.key',
    type: 'secret',
    schema: z.string().trim().min(1).max(500),
    environment: config.WEB_SEARCH_API_KEY,
    fallback: undefined,
    sentence: 'Its key. SearXNG needs none.',
  })
  const results = register<number>({
    key: 'search.results',
    type: 'number',
    schema: z.int().min(1).max(20),
    environment: undefined,
    fallback: config.WEB_SEARCH_RESULTS,
    sentence: 'How many results a model gets.',
  })
  const pages = register<number>({
    key: 'search.pages',
    type: 'number',
    schema: z.int().min(0).max(10),
    environment: undefined,
    fallback: config.WEB_SEARCH_PAGES,
    sentence:
      'How many of the first results are read in full. The others are given with the text that the engine shows.',
  })
  return () => {
    const name = engine()
    const shared = { url: url(), key: key(), results: results(), pages: pages() }
    return { engine: name === 'none' ? undefined : name, ...shared }
  }
}
