/** Which engine is in force, by settings and environment, and how questions get their vector. */
import { type EmbeddingEngineName, embeddingEngines } from '@chancery/contract/engines.ts'
import { z } from 'zod'
import { createCallersBreaker } from '#kernel/breaker/callers-breaker.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { isLimitReached, type Meter, type Payer } from '#kernel/meter.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { KnowledgeConfig } from '../config.ts'
import type { Engine } from './engine.ts'
import { fastFolder } from './fast-files.ts'
import { createLocalEngines } from './local-engines.ts'
import { createRemoteEngine } from './remote-engine.ts'

export interface Embeddings {
  /** Undefined: full-text search serves alone. */
  engine(): Engine | undefined
  /** Undefined where there is no engine, it fails, or the budget is spent: the question is then answered by full-text search. */
  embedQuestion(text: string, options: QuestionOptions): Promise<{ engine: string; vector: Float32Array } | undefined>
}

interface QuestionOptions {
  /** Whose vectors serve, by id; that may be the engine before the current one. */
  servingId: string
  payer: Payer
  signal: AbortSignal
}

interface Deps {
  kernel: Pick<Kernel<KnowledgeConfig>, 'children' | 'clock' | 'config' | 'log' | 'outbound'>
  settings: Pick<Settings, 'register'>
  meter: Meter
}

/** A question waits no longer for a busy engine. */
const questionMs = 10_000

export const createEmbeddings = ({ kernel, settings, meter }: Deps): Embeddings => {
  const { children, clock, log, outbound } = kernel
  const { read, readAs } = registerSettings(kernel, settings)
  const local = createLocalEngines({ children, log }, fastFolder)
  let current: { key: string; engine: Engine | undefined } | undefined
  // A question's own text can make an engine fail: that pauses it for who asked.
  const breaker = createCallersBreaker(clock)

  const engine = (): Engine | undefined => {
    const wanted = read()
    if (wanted.name === 'local') return local.current()
    const key = JSON.stringify(wanted)
    if (current?.key !== key) current = { key, engine: make(wanted) }
    return current.engine
  }
  /** One that was in force before is asked at the addresses that are set now. */
  const engineBy = (id: string): Engine | undefined => {
    if (engine()?.id === id) return engine()
    const [name, ...model] = id.split('/')
    if (name === 'local') return local.byId(id)
    if (name !== 'upstream' && name !== 'compat') return undefined
    return make({ ...readAs(name), name, model: model.join('/') })
  }
  const make = ({ name, url, model, key }: ReturnType<typeof read>): Engine | undefined => {
    if (name === 'local' || name === 'none' || url === undefined || model === undefined) return undefined
    return createRemoteEngine({ outbound, meter }, { engine: name, url, model, key })
  }
  return {
    engine,
    embedQuestion: async (text, { servingId, payer, signal }) => {
      const active = engineBy(servingId)
      const permit = active && breaker.acquire(payer.id)
      if (!permit || 'pausedBy' in permit) return undefined
      const timeout = AbortSignal.timeout(questionMs)
      try {
        const limit = AbortSignal.any([signal, timeout])
        const [vector] = await active.embed([text.slice(0, 2000)], { payer, signal: limit, isQuestion: true })
        permit.settle('answered')
        return vector && { engine: active.id, vector }
      } catch (problem) {
        // After a limit the engine is well, and a busy one isn't broken.
        permit.settle(signal.aborted || timeout.aborted || isLimitReached(problem) ? 'abandoned' : 'failed')
        signal.throwIfAborted()
        if (isLimitReached(problem)) return undefined
        log.warn(
          { err: problem, engine: active.id },
          'A question could not be embedded; full-text search serves alone.',
        )
        return undefined
      }
    },
  }
}

const registerSettings = ({ config }: Deps['kernel'], settings: Deps['settings']) => {
  const optional = (key: string, environment: string | undefined, sentence: string, type: 'text' | 'secret' = 'text') =>
    settings.register<string | undefined>({
      key,
      type,
      schema: z.string().trim().min(1).max(2000),
      environment,
      fallback: undefined,
      sentence,
    })
  const name = settings.register<EmbeddingEngineName>({
    key: 'rag.embedding.engine',
    type: 'text',
    schema: z.enum(embeddingEngines),
    environment: config.RAG_EMBEDDING_ENGINE,
    fallback: 'local',
    sentence: 'What makes vectors for semantic search: local, upstream, compat or none.',
  })
  const model = optional(
    'rag.embedding.model',
    config.RAG_EMBEDDING_MODEL,
    'The embedding model of the upstream or compat engine.',
  )
  const url = optional(
    'rag.embedding.url',
    config.RAG_EMBEDDING_API_BASE_URL,
    'Where the upstream or compat engine is.',
  )
  const key = optional('rag.embedding.key', config.RAG_EMBEDDING_API_KEY, 'Its key.', 'secret')
  const readAs = (engine: EmbeddingEngineName) => {
    const usual = engine === 'upstream' ? config.UPSTREAM_BASE_URL : config.COMPAT_API_BASE_URL
    return {
      name: engine,
      model: model(),
      url: url() ?? usual,
      key: key() ?? (engine === 'compat' && url() === undefined ? config.COMPAT_API_KEY : undefined),
    }
  }
  return { read: () => readAs(name()), readAs }
}
