/** `search_knowledge`, `search_web` and `fetch_page` for models: they see what their caller may see. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { builtinSource, type ToolSource } from '#modules/tools/index.ts'
import { collectionResource } from './collections/get-collection.ts'
import type { KnowledgeContext } from './context.ts'
import { listCollections } from './queries/collections.ts'
import { sourceOf } from './retrieval/completion-sources.ts'
import { resolveNames } from './retrieval/resolve-scope.ts'
import { retrieve } from './retrieval/retrieve.ts'
import { canSearch, numberedResults, searchWeb, webSourceOf } from './search/search-web.ts'
import { pageAddress } from './web/crawl/links.ts'
import { type FetchedPage, fetchPage } from './web/fetch-page.ts'

const passages = 6
const maxCollections = 200
const maxPageLength = 40_000
const maxNamed = 50

export const knowledgeTools = (context: KnowledgeContext): ToolSource[] => [
  searchKnowledge(context),
  searchTheWeb(context),
  readPage(context),
]

const searchKnowledge = (context: KnowledgeContext): ToolSource =>
  builtinSource({
    id: 'builtin:knowledge',
    name: 'Knowledge',
    description: 'Searches the collections that you may read.',
    tools: [
      {
        name: 'search_knowledge',
        routes: ['/api/v1/knowledge', '/api/v1/retrieval/query/collection'],
        description: "Finds passages about a question in the user's knowledge collections.",
        parameters: {
          type: 'object',
          properties: {
            query: { type: 'string', description: 'What to look for, as a question or in key words.' },
            collections: {
              type: 'array',
              items: { type: 'string' },
              description: 'Ids or names of collections; all that the user may read without it.',
            },
          },
          required: ['query'],
        },
        run: async ({ query, collections }, { actor, signal }) => {
          const text = textOf(query, 'query')
          if (Array.isArray(collections) && collections.length > maxNamed)
            throw new AppError('tool_failed', { detail: `Name at most ${maxNamed} collections.` })
          const scope =
            Array.isArray(collections) && collections.length > 0
              ? await resolveNames(context, actor, collections.map(String))
              : { collectionIds: await readableIds(context, actor), fileIds: [] }
          const found = await retrieve(context, scope, { query: text, k: passages, payer: actor, signal })
          if (found.length === 0) return { content: 'Nothing was found.' }
          const content = found.map((passage, index) => `[${index + 1}] ${passage.name}\n${passage.text}`).join('\n\n')
          return { content, sources: found.map(sourceOf) }
        },
      },
    ],
  })

const readableIds = async ({ db, organizations }: KnowledgeContext, actor: Actor): Promise<string[]> => {
  const grantedIds = await organizations.grants.listGrantedIds(db, actor, collectionResource)
  const { items } = await listCollections(db, actor, { grantedIds, page: 1, limit: maxCollections })
  return items.map(({ id }) => id)
}

/** Offered only while an engine is set. */
const searchTheWeb = (context: KnowledgeContext): ToolSource =>
  builtinSource({
    id: 'builtin:search',
    name: 'Web search',
    description: 'Searches the web.',
    isFor: () => canSearch(context.search()),
    tools: [
      {
        name: 'search_web',
        routes: [],
        description: 'Searches the web and returns the best pages with their address and text.',
        parameters: {
          type: 'object',
          properties: { query: { type: 'string', description: 'What to look for, in key words.' } },
          required: ['query'],
        },
        run: async ({ query }, { actor, signal }) => {
          const found = await searchWeb(context, { actor, query: textOf(query, 'query'), signal })
          if (found.length === 0) return { content: 'Nothing was found.' }
          return { content: numberedResults(found), sources: found.map(webSourceOf) }
        },
      },
    ],
  })

const readPage = (context: KnowledgeContext): ToolSource =>
  builtinSource({
    id: 'builtin:web',
    name: 'Web pages',
    description: 'Reads a web page.',
    tools: [
      {
        name: 'fetch_page',
        routes: ['/api/v1/retrieval/process/web'],
        approval: {
          sentence: 'Asks the person before a model reads a web page whose address the person didn’t write themselves.',
          isAsked: ({ url }, { conversation }) => !isWritten(conversation?.messages ?? [], url),
        },
        description: 'The readable text of a public web page or PDF, and the pages that it links to.',
        parameters: {
          type: 'object',
          properties: { url: { type: 'string', description: 'Its address, with http or https.' } },
          required: ['url'],
        },
        run: async ({ url }, { actor, signal }) => {
          const page = await fetchPage(context, { actor, url: textOf(url, 'url'), signal })
          const text = page.text.content.slice(0, maxPageLength)
          const source = {
            source: { id: page.url, name: page.title, type: 'web', url: page.url },
            document: [text],
            metadata: [{ source: page.url, name: page.title }],
          }
          return { content: `${page.title}\n\n${text}${linksOf(page)}`, sources: [source] }
        },
      },
    ],
  })

/** Any other address may come from text that wants the model to carry something out in it. */
const isWritten = (messages: readonly unknown[], url: unknown): boolean =>
  typeof url === 'string' &&
  messages.some((message) => isJsonObject(message) && message.role === 'user' && wordsOf(message).includes(url))

const wordsOf = ({ content }: Record<string, unknown>): string[] =>
  textIn(content)
    .split(/\s+/)
    .flatMap((word) => [word, word.replace(/^[("'<[]+|(?<![)"'>\].,;:!?])[)"'>\].,;:!?]+$/g, '')])

const textIn = (content: unknown): string => {
  if (typeof content === 'string') return content
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : []
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join(' ')
}

const maxLinks = 50

/** Links where a model can read on. Not part of the source, which is quoted to people. */
const linksOf = ({ url, text }: FetchedPage): string => {
  const links = new Set(text.links.flatMap((link) => pageAddress(link, url) ?? []))
  links.delete(url)
  return links.size === 0 ? '' : `\n\nLinks:\n${[...links].slice(0, maxLinks).join('\n')}`
}

const textOf = (value: unknown, name: string): string => {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 8000) return value
  throw new AppError('tool_failed', { detail: `Give ${name} as text.` })
}
