/** Completions: the pipeline to a model, and replies that run as tasks of their own. The public interface of the module. */
import './tables.ts'
import { z } from 'zod'
import { pingEveryMs } from '#kernel/http/replies/early-head.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Chats } from '#modules/chats/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import { complete } from './complete.ts'
import type { CompletionsConfig } from './config.ts'
import type { CompletionsContext } from './context.ts'
import type { Completions, ImageReader } from './interface.ts'
import { isFiltered } from './pipeline/run-filters.ts'
import { anyStaleTaskUnscoped } from './queries.ts'
import { endStaleReplies, heartbeatEveryMs, leaseMs, renewHeartbeats, sweepReplies } from './replies/heartbeat.ts'
import { createReplyRegistry } from './replies/registry.ts'
import { stopTopic } from './replies/stop-reply.ts'
import { createUnstored } from './replies/unstored.ts'
import { readChunks } from './rounds/read-chunks.ts'
import { completionRoutes } from './routes/completions.ts'
import { replyRoutes } from './routes/replies.ts'
import { createRunningCalls } from './running-calls.ts'
import { searchChats } from './search-chats.ts'

export type {
  CompletionOutcome,
  CompletionRequest,
  Completions,
  Feature,
  Filter,
  FilterContext,
  FilterSource,
  OutletPayload,
  Retriever,
  WebSearcher,
} from './interface.ts'
export { fillIn, growthBudget, knownVariables, readVariables, type Variables } from './pipeline/variables.ts'
export { type Chunk, deltaOf } from './rounds/chunk.ts'

export interface CompletionsNeeds {
  kernel: Kernel<CompletionsConfig>
  models: Models
  tools: Tools
  chats: Chats
  realtime: Realtime
  settings: Pick<Settings, 'register'>
  /** Reads an image of the instance, as a data URL. */
  readImage: ImageReader
  /** The time between writes of a reply under way. */
  saveEveryMs?: number | undefined
  /** A stream sends its head after waiting this long for the model. */
  silenceMs?: number | undefined
}

export const createCompletions = (needs: CompletionsNeeds): Completions => {
  const { kernel, models, tools, chats, realtime, settings, saveEveryMs = 1500 } = needs
  const { readImage, silenceMs = pingEveryMs } = needs
  const { checks, config, db, clock, failpoints, ids, log, signals, tasks } = kernel
  const replies = createReplyRegistry()
  const unstored = createUnstored()
  const calls = createRunningCalls()
  kernel.metrics.gauge({
    name: 'chancery_completion_streams_open',
    help: 'Completions under way that belong to a connection, streamed or piped.',
    read: () => calls.count,
  })
  const leaving = new AbortController()
  const context: CompletionsContext = {
    config,
    db,
    clock,
    failpoints,
    ids,
    log,
    signals,
    tasks,
    models,
    tools,
    chats,
    realtime,
    replies,
    unstored,
    calls,
    leaving: leaving.signal,
    nodeId: ids.next(),
    saveEveryMs,
    silenceMs,
    filterSources: [],
    features: new Map(),
    retriever: undefined,
    webSearcher: undefined,
    readImage,
    taskModel: settings.register<string | undefined>({
      key: 'task.model',
      type: 'text',
      schema: z.string().trim().min(1).max(300),
      environment: undefined,
      fallback: undefined,
      sentence: 'The model that writes titles, tags and follow-up questions. Without one, the model that replied does.',
    }),
  }
  tools.registerSource(searchChats(chats))
  chats.onOutsideText((ref, content) => {
    const reply = replies.findAt(ref)
    if (!reply?.isStarted) return false
    reply.appendText({ content, reasoning: '' })
    return true
  })
  chats.onDelete((chatIds) => {
    for (const chatId of chatIds) for (const reply of replies.inChat(chatId)) reply.cancel('stop')
  })
  signals.on(stopTopic, (taskId) => {
    if (taskId !== undefined) replies.find(taskId)?.cancel('stop')
  })

  let draining: Promise<void> | undefined
  /** Renewed for as long as a reply runs here, also while this node is stopping. */
  const beating = new AbortController()
  const drainAll = async (): Promise<void> => {
    leaving.abort()
    const patienceMs = kernel.drain.remainingMs()
    await Promise.all([replies.drain(patienceMs), calls.drain(patienceMs)])
  }
  const drain = (): Promise<void> => {
    draining ??= drainAll()
    return draining
  }
  return {
    complete: async (request) => {
      const outcome = await complete(context, request)
      if (outcome.kind !== 'bytes') return outcome
      return { kind: 'stream', chunks: readChunks(outcome.flow), taskId: null }
    },
    isFiltered: (model) => isFiltered(context, model),
    registerFilters: (source) => void context.filterSources.push(source),
    registerRetriever: (retriever) => {
      context.retriever = retriever
    },
    registerWebSearcher: (searcher) => {
      context.webSearcher = searcher
    },
    registerFeature: (name, feature) => void context.features.set(name, feature),
    routes: [...completionRoutes(context), ...replyRoutes(context)],
    start: (signal) => {
      // With an embedded database this is the only process: whatever the table says is running ended with the last one.
      const silentMs = config.DATABASE_URL === undefined ? 0 : leaseMs
      tasks.run('completions.sweep', () => sweepReplies(context, silentMs))
      tasks.every('completions.heartbeat', { everyMs: heartbeatEveryMs, signal: beating.signal }, () =>
        renewHeartbeats(context),
      )
      const question = () => anyStaleTaskUnscoped(leaseMs)
      checks.add({ name: 'completions.stale', question, act: () => endStaleReplies(context) }, signal)
      signal.addEventListener('abort', () => tasks.run('completions.drain', drain), { once: true })
    },
    stop: async () => {
      await drain()
      // Requests that had just arrived when the stop began; there are no new ones.
      await drainAll()
      calls.end()
      unstored.giveUpAll()
      beating.abort()
    },
  }
}
