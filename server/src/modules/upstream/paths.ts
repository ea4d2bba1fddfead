/** The paths of a runtime's API that name a model, and where each puts a model's own defaults. Pure. */
import { type ApplyDefaults, applyDefaults } from './model-defaults.ts'

export interface ModelPath {
  /** At the runtime; here it follows `/upstream`. */
  path: `/api/${string}` | `/v1/${string}`
  summary: string
  /** Puts a custom model's system prompt and parameters into the request. */
  applyDefaults: ApplyDefaults
  /** False for paths that use no tokens. */
  isCounted: boolean
  /** Carries what people and models say to each other, so filters apply. */
  isConversation: boolean
  /** Its streams are events with a type, as opposed to chunks. */
  hasTypedEvents: boolean
}

const counted = (path: ModelPath['path'], summary: string, how: ApplyDefaults): ModelPath => ({
  path,
  summary,
  applyDefaults: how,
  isCounted: true,
  isConversation: !/embed/.test(path),
  hasTypedEvents: /responses|messages/.test(path),
})

export const modelPaths: readonly ModelPath[] = [
  counted(
    '/api/generate',
    "A completion in the runtime's own format, as NDJSON unless `stream` is false",
    applyDefaults.generate,
  ),
  counted(
    '/api/chat',
    "A chat reply in the runtime's own format, as NDJSON unless `stream` is false",
    applyDefaults.chat,
  ),
  counted('/api/embed', 'Embeddings of one or more texts', applyDefaults.nothing),
  counted('/api/embeddings', 'The embedding of one text, for older clients', applyDefaults.nothing),
  {
    path: '/api/show',
    summary: 'Details of a model',
    applyDefaults: applyDefaults.nothing,
    isCounted: false,
    isConversation: false,
    hasTypedEvents: false,
  },
  counted('/v1/chat/completions', 'A chat completion, without the pipeline', applyDefaults.completions),
  counted('/v1/completions', 'A completion of a text', applyDefaults.parameters),
  counted('/v1/embeddings', 'Embeddings in the common format', applyDefaults.nothing),
  counted('/v1/responses', 'The responses API, as JSON or server-sent events', applyDefaults.responses),
  counted('/v1/messages', "The runtime's own messages format", applyDefaults.messages),
]

/** Providers of the common API have these too; their base address already ends in `/v1`. */
export const providerPath = ({ path }: ModelPath): string | undefined =>
  path.startsWith('/v1/') ? path.slice('/v1'.length) : undefined
