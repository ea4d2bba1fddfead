/** Searches the web with the engine that the platform admin chose, and reads the first pages that it names. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { hostPortOf } from '#kernel/outbound/index.ts'
import type { KnowledgeContext } from '../context.ts'
import { fetchPage } from '../web/fetch-page.ts'
import { callOf, resultsOf, type SearchResult } from './engines.ts'

type Deps = Pick<KnowledgeContext, 'files' | 'log' | 'outbound' | 'search'>

interface Request {
  actor: Actor
  query: string
  signal: AbortSignal
}

/** Brave and Tavily take no more. */
const maxQueryLength = 400
const engineMs = 15_000
const maxBytes = 4 * 1024 * 1024
/** A reply waits no longer for a page. */
const pageMs = 8000
const maxPageLength = 4000

/** True when everything is set that the engine needs. */
export const canSearch = (settings: ReturnType<Deps['search']>): boolean =>
  callOf(settings, { query: '', count: 1 }) !== undefined

export const searchWeb = async (context: Deps, { actor, query, signal }: Request): Promise<SearchResult[]> => {
  const found = await askEngine(context, query, signal)
  const { pages } = context.search()
  return Promise.all(found.map((one, index) => (index < pages ? readInFull(context, { actor, signal }, one) : one)))
}

const askEngine = async ({ log, outbound, search }: Deps, query: string, signal: AbortSignal) => {
  const settings = search()
  const { engine, results: count } = settings
  const call = callOf(settings, { query: query.replace(/\s+/g, ' ').trim().slice(0, maxQueryLength), count })
  if (!call || engine === undefined) throw new AppError('web_search_unavailable')
  const { url, ...request } = call
  try {
    const limits = { maxBytes, totalMs: engineMs, maxRedirects: 0 }
    const reply = await outbound.fetch(url, { ...request, ...limits, trusted: hostPortOf(url), signal })
    const json = await reply.json()
    if (reply.status !== 200) throw new Error(`The search engine answered ${reply.status}.`)
    return resultsOf(engine, json, count)
  } catch (problem) {
    signal.throwIfAborted()
    log.warn({ err: problem, engine }, 'A web search failed.')
    throw new AppError('web_search_failed')
  }
}

/** A page that can't be read is given with the engine's own text. */
const readInFull = async (
  context: Deps,
  { actor, signal }: Omit<Request, 'query'>,
  result: SearchResult,
): Promise<SearchResult> => {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(pageMs)])
    const { text } = await fetchPage(context, { actor, url: result.url, signal: limit })
    return { ...result, text: text.content.slice(0, maxPageLength) }
  } catch {
    signal.throwIfAborted()
    return result
  }
}

/** The contract's source object (gaps, Gateway). */
export const webSourceOf = ({ url, title, text }: SearchResult) => ({
  source: { id: url, name: title, type: 'web_search', url },
  document: [text],
  metadata: [{ source: url, name: title, url }],
})

/** As the model should cite them. */
export const numberedResults = (results: readonly SearchResult[], first = 1): string =>
  results.map(({ url, title, text }, index) => `[${first + index}] ${title} (${url})\n${text}`).join('\n\n')
