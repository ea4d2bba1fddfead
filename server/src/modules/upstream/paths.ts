/** What of a runtime's API can be reached with a model's name, and how each path words its request. Pure. */
import { type Dress, dress } from './dress-request.ts'

export interface ModelPath {
  /** At the runtime, and behind `/upstream` here. */
  path: `/api/${string}` | `/v1/${string}`
  summary: string
  /** Where a model's own system prompt and parameters go. */
  dress: Dress
  /** What only looks at a model costs nothing. */
  isCounted: boolean
}

const counted = (path: ModelPath['path'], summary: string, how: Dress): ModelPath => ({
  ...{ path, summary, dress: how, isCounted: true },
})

export const modelPaths: readonly ModelPath[] = [
  counted(
    '/api/generate',
    "A completion in the runtime's own format, as NDJSON unless `stream` is false",
    dress.generate,
  ),
  counted('/api/chat', "A chat reply in the runtime's own format, as NDJSON unless `stream` is false", dress.chat),
  counted('/api/embed', 'Embeddings of one or more texts', dress.nothing),
  counted('/api/embeddings', 'The embedding of one text, as older clients ask for it', dress.nothing),
  { path: '/api/show', summary: 'What the runtime says about a model', dress: dress.nothing, isCounted: false },
  counted('/v1/chat/completions', "A chat completion, past the house's own pipeline", dress.completions),
  counted('/v1/completions', 'A completion of a text', dress.parameters),
  counted('/v1/embeddings', 'Embeddings in the common format', dress.nothing),
  counted('/v1/responses', 'The responses API, as JSON or server-sent events', dress.responses),
  counted('/v1/messages', "The runtime's own messages format", dress.messages),
]

/** Providers of the common API have these as well, below an address that ends in `/v1` already. */
export const providerPath = ({ path }: ModelPath): string | undefined =>
  path.startsWith('/v1/') ? path.slice('/v1'.length) : undefined
