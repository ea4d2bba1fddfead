/** Optional: a model on a compatible server that puts what search found into a better order. */
import { z } from 'zod'
import type { Kernel } from '#kernel/kernel.ts'
import { isLimitReached, type Meter, type Payer } from '#kernel/meter.ts'
import { hostPortOf } from '#kernel/outbound/index.ts'
import { countCall, tokensOf } from '#modules/models/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { KnowledgeConfig } from '../config.ts'

export interface Reranker {
  /** One score from 0 to 1 for each text. Undefined where none is set up or it fails: the order stays. */
  score(query: string, texts: readonly string[], caller: Caller): Promise<number[] | undefined>
}

interface Caller {
  /** Whose usage it is. Once their budget is spent, nothing is sent. */
  payer: Payer
  signal: AbortSignal
}

interface Deps {
  kernel: Pick<Kernel<KnowledgeConfig>, 'config' | 'log' | 'outbound'>
  settings: Pick<Settings, 'register'>
  meter: Meter
}

const Reply = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })),
  // Only counted: a value that we cannot read must not refuse the scores.
  usage: z.object({ total_tokens: z.unknown().optional() }).optional().catch(undefined),
})

const totalMs = 10_000
const maxBytes = 4 * 1024 * 1024

export const createReranker = ({ kernel: { config, log, outbound }, settings, meter }: Deps): Reranker => {
  const read = registerSettings(config, settings)
  const score = async (query: string, texts: readonly string[], { payer, signal }: Caller) => {
    const { url, model, key } = read()
    if (url === undefined || model === undefined) return undefined
    const characters = texts.reduce((sum, { length }) => sum + length, query.length)
    const usual = { promptTokens: tokensOf(characters), completionTokens: 0 }
    const call = { payer, model, usual, estimate: usual.promptTokens, isContinued: true, signal }
    return countCall(meter, call, async (onSpent) => {
      const { results, usage } = await ask({ url, model, key }, { query, texts, signal })
      onSpent({ prompt_tokens: usage?.total_tokens })
      return scoresOf(results, texts.length)
    })
  }
  const ask = async ({ url, model, key }: Server, { query, texts, signal }: Asked) => {
    const address = `${url.replace(/\/+$/, '')}/rerank`
    const reply = await outbound.fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, query, documents: texts, top_n: texts.length }),
      trusted: hostPortOf(address),
      maxBytes,
      maxRedirects: 0,
      totalMs,
      signal,
    })
    const json = await reply.json()
    if (reply.status !== 200) throw new Error(`The reranker answered ${reply.status}.`)
    return Reply.parse(json)
  }
  return {
    score: async (query, texts, caller) => {
      try {
        return texts.length === 0 ? undefined : await score(query, texts, caller)
      } catch (problem) {
        caller.signal.throwIfAborted()
        if (!isLimitReached(problem))
          log.warn({ err: problem }, 'Passages could not be reranked and stay in the order of the search.')
        return undefined
      }
    },
  }
}

interface Server {
  url: string
  model: string
  key: string | undefined
}

interface Asked {
  query: string
  texts: readonly string[]
  signal: AbortSignal
}

/** Some servers answer with logits instead of shares. A text that isn't named is worth nothing. */
const scoresOf = (results: z.infer<typeof Reply>['results'], count: number): number[] => {
  const isShare = results.every(({ relevance_score: score }) => score >= 0 && score <= 1)
  const scores = new Array<number>(count).fill(0)
  for (const { index, relevance_score: score } of results)
    if (index < count) scores[index] = isShare ? score : 1 / (1 + Math.exp(-score))
  return scores
}

const registerSettings = (config: Deps['kernel']['config'], { register }: Deps['settings']) => {
  const optional = (name: string, environment: string | undefined, sentence: string) =>
    register<string | undefined>({
      key: `rag.reranking.${name}`,
      type: name === 'key' ? 'secret' : 'text',
      schema: name === 'url' ? z.url({ protocol: /^https?$/ }).max(2000) : z.string().trim().min(1).max(500),
      environment,
      fallback: undefined,
      sentence,
    })
  const url = optional('url', config.RAG_RERANKING_API_BASE_URL, 'The compatible server that reranks passages.')
  const model = optional('model', config.RAG_RERANKING_MODEL, 'Its model. Without one, nothing is reranked.')
  const key = optional('key', config.RAG_RERANKING_API_KEY, 'Its key.')
  return () => ({ url: url(), model: model(), key: key() })
}
