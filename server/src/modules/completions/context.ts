import type { Kernel } from '#kernel/kernel.ts'
import type { Chats } from '#modules/chats/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import type { Tools } from '#modules/tools/index.ts'
import type { CompletionsConfig } from './config.ts'
import type { Feature, FilterSource, ImageReader, Retriever, WebSearcher } from './interface.ts'
import type { ReplyRegistry } from './replies/registry.ts'
import type { Unstored } from './replies/unstored.ts'
import type { RunningCalls } from './running-calls.ts'

export interface CompletionsContext
  extends Pick<
    Kernel<CompletionsConfig>,
    'config' | 'db' | 'clock' | 'failpoints' | 'ids' | 'log' | 'signals' | 'tasks'
  > {
  /** Identifies this process in `reply_tasks`. */
  nodeId: string
  /** Aborted when the stop of this process begins. Replies under way go on. */
  leaving: AbortSignal
  /** The time between writes of a reply under way. */
  saveEveryMs: number
  /** A stream sends its head after waiting this long for the model. */
  silenceMs: number
  models: Models
  tools: Tools
  chats: Chats
  realtime: Realtime
  replies: ReplyRegistry
  unstored: Unstored
  calls: RunningCalls
  /** The model that writes titles and tags; without one, the model that wrote the reply. */
  taskModel(): string | undefined
  filterSources: FilterSource[]
  features: Map<string, Feature>
  retriever: Retriever | undefined
  webSearcher: WebSearcher | undefined
  readImage: ImageReader
}
