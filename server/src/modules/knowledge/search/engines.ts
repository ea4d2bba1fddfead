/** Pure. How each search engine is asked, and where its results are in the answer. */
import { z } from 'zod'
import type { SearchEngine, SearchSettings } from './settings.ts'

export interface SearchResult {
  url: string
  title: string
  text: string
}

export interface EngineCall {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

export interface SearchQuestion {
  query: string
  count: number
}

interface Protocol {
  /** The address of the service where it has only one. */
  usualUrl?: string
  needsKey: boolean
  call(base: string, key: string, question: SearchQuestion): EngineCall
  results(json: unknown): unknown[]
}

const Results = z.object({ results: z.array(z.unknown()) })
const BraveReply = z.object({ web: Results.optional() })
const JsonReply = z.union([z.array(z.unknown()), Results.transform(({ results }) => results)])

const accept = { accept: 'application/json' }
const post = (url: string, key: string, body: object): EngineCall => ({
  url,
  method: 'POST',
  headers: {
    ...accept,
    'content-type': 'application/json',
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
  },
  body: JSON.stringify(body),
})

const protocols: Record<SearchEngine, Protocol> = {
  searxng: {
    needsKey: false,
    call: (base, key, { query }) => ({
      url: `${base}/search?${new URLSearchParams({ q: query, format: 'json' })}`,
      method: 'GET',
      headers: { ...accept, ...(key === '' ? {} : { authorization: `Bearer ${key}` }) },
    }),
    results: (json) => Results.parse(json).results,
  },
  brave: {
    usualUrl: 'https://api.search.brave.com/res/v1',
    needsKey: true,
    call: (base, key, { query, count }) => ({
      url: `${base}/web/search?${new URLSearchParams({ q: query, count: String(count) })}`,
      method: 'GET',
      headers: { ...accept, 'x-subscription-token': key },
    }),
    results: (json) => BraveReply.parse(json).web?.results ?? [],
  },
  tavily: {
    usualUrl: 'https://api.tavily.com',
    needsKey: true,
    call: (base, key, { query, count }) => post(`${base}/search`, key, { query, max_results: count }),
    results: (json) => Results.parse(json).results,
  },
  json: {
    needsKey: false,
    call: (base, key, { query, count }) => post(base, key, { query, count }),
    results: (json) => JsonReply.parse(json),
  },
}

/** Undefined while something that the engine needs isn't set. */
export const callOf = (settings: SearchSettings, question: SearchQuestion): EngineCall | undefined => {
  if (settings.engine === undefined) return undefined
  const { call, needsKey, usualUrl } = protocols[settings.engine]
  const base = (settings.url ?? usualUrl)?.replace(/\/+$/, '')
  if (base === undefined || (needsKey && settings.key === undefined)) return undefined
  return call(base, settings.key ?? '', question)
}

const text = z.string().catch('')
/** The names that engines have for the same thing. */
const Found = z
  .object({ url: text, link: text, title: text, name: text, content: text, snippet: text, description: text })
  .transform((found) => ({
    url: found.url || found.link,
    title: plain(found.title || found.name),
    text: plain(found.content || found.snippet || found.description),
  }))

/** Each page once; what has no web address is left out. */
export const resultsOf = (engine: SearchEngine, json: unknown, count: number): SearchResult[] => {
  const byUrl = new Map<string, SearchResult>()
  for (const item of protocols[engine].results(json)) {
    const { data } = Found.safeParse(item)
    const url = data && URL.parse(data.url)
    if (!url || !/^https?:$/.test(url.protocol) || url.href.length > 2000 || byUrl.has(url.href)) continue
    byUrl.set(url.href, { url: url.href, title: data.title || url.hostname, text: data.text })
  }
  return [...byUrl.values()].slice(0, count)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", nbsp: ' ' }

/** Engines mark the words of the question with tags. */
const plain = (html: string): string =>
  html
    .slice(0, 10_000)
    .replace(/<[^>]{0,200}>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_whole, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
