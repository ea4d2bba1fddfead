/** `features.web_search`: what the web says about the question, before the model is asked. */
import type { WebSearcher } from '#modules/completions/index.ts'
import type { KnowledgeContext } from '../context.ts'
import { canSearch, numberedResults, searchWeb, webSourceOf } from './search-web.ts'

/** A search that fails costs the reply nothing but its sources; the person sees why there are none. */
export const createWebSearcher =
  (context: KnowledgeContext): WebSearcher =>
  async ({ actor, query, firstNumber, emit, signal }) => {
    const say = (description: string, done: boolean, more: object = {}) =>
      emit({ type: 'status', data: { action: 'web_search', description, done, ...more } })
    const none = { sources: [], context: '' }
    if (query.trim() === '') return none
    if (!canSearch(context.search())) {
      say("Web search isn't set up on this server.", true)
      return none
    }
    say('Searching the web', false)
    try {
      const found = await searchWeb(context, { actor, query, signal })
      const urls = found.map(({ url }) => url)
      say(found.length === 0 ? 'The web search found nothing' : `Found ${found.length} web pages`, true, { urls })
      return { sources: found.map(webSourceOf), context: numberedResults(found, firstNumber) }
    } catch {
      signal.throwIfAborted()
      say("The web search failed. The reply doesn't use the web.", true)
      return none
    }
  }
