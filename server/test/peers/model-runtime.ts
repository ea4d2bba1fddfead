/**
 * A local model runtime that tests control: its native API (`/api/tags`, `show`, `version`, `ps`, `chat`, `generate`,
 * `embed`, `embeddings`, `pull`, `push`, `create`, `delete`, `copy`, `blobs/:digest`) and what it has under `/v1`.
 *
 *   const runtime = await startModelRuntime({ models: ['tiny:latest'] })
 *   runtime.url                        // 'http://127.0.0.1:<port>': the url of an upstream connection
 *   runtime.script({ chunks: ['Hel', 'lo'], reasoning: ['Hm.'] })
 *   runtime.models                     // what pull, copy and delete change
 *   runtime.blobs                      // what was uploaded, by digest
 *
 * Everything else is as in model-provider.ts: scripts, gates, failures, `call(n)`, `requests`, `close()`.
 */
import type { Behaviour, PeerRequest } from './model-behaviour.ts'
import { type ModelPeer, type ModelPeerOptions, startModelPeer } from './model-peer.ts'
import { compatModelList, compatWireOf } from './model-provider.ts'
import { plainWire, type Wire } from './model-wire.ts'
import { embeddingOf, type Said, saidBy, textsIn } from './model-words.ts'

export { type Behaviour, type Gate, gate, type PeerRequest } from './model-behaviour.ts'

export interface ModelRuntime extends ModelPeer {
  models: string[]
  blobs: Map<string, Buffer>
}

export const startModelRuntime = async (options: ModelPeerOptions = {}): Promise<ModelRuntime> => {
  const models = [...(options.models ?? ['tiny:latest'])]
  const blobs = new Map<string, Buffer>()
  const peer = await startModelPeer(
    {
      wireOf: (request, behaviour) => nativeWireOf(request, behaviour) ?? compatWireOf(request, behaviour),
      isModelList: ({ path }) => path === '/api/tags' || path === '/v1/models',
      answer: (request) => answer(request, { models, blobs }),
    },
    options,
  )
  return { ...peer, models, blobs }
}

const madeAt = '2026-01-02T03:04:05.678Z'

const entry = (name: string) => ({
  name,
  model: name,
  modified_at: madeAt,
  size: 1234,
  digest: 'a'.repeat(64),
  details: { format: 'gguf', family: 'peer', families: ['peer'], parameter_size: '1B', quantization_level: 'Q4_0' },
})

const answer = (
  { method, path, body, bytes }: PeerRequest,
  { models, blobs }: Pick<ModelRuntime, 'models' | 'blobs'>,
): { status: number; body?: unknown; lines?: unknown[]; text?: string } => {
  const name: string = body?.model ?? body?.name ?? ''
  const missing = { status: 404, body: { error: `model '${name}' not found` } }
  switch (`${method} ${path.replace(/^(\/api\/blobs\/).*/, '$1')}`) {
    case 'GET /':
    case 'HEAD /':
      return { status: 200, text: 'The runtime is running' }
    case 'GET /api/tags':
      return { status: 200, body: { models: models.map(entry) } }
    case 'GET /v1/models':
      return { status: 200, body: compatModelList(models) }
    case 'GET /api/version':
      return { status: 200, body: { version: '0.12.3' } }
    case 'GET /api/ps':
      return { status: 200, body: { models: models.slice(0, 1).map((one) => ({ ...entry(one), expires_at: madeAt })) } }
    case 'POST /api/show':
      return models.includes(name) ? { status: 200, body: shown } : missing
    case 'POST /api/pull':
    case 'POST /api/create':
      models.push(name)
      return { status: 200, lines: [{ status: 'pulling manifest' }, { status: 'success' }] }
    case 'POST /api/push':
      return { status: 200, lines: [{ status: 'success' }] }
    case 'POST /api/copy':
      models.push(body?.destination)
      return { status: 200 }
    case 'DELETE /api/delete':
      if (!models.includes(name)) return missing
      models.splice(models.indexOf(name), 1)
      return { status: 200 }
    case 'HEAD /api/blobs/':
      return { status: blobs.has(path.slice(11)) ? 200 : 404 }
    case 'POST /api/blobs/':
      blobs.set(path.slice(11), bytes)
      return { status: 201 }
    default:
      return { status: 404, text: '404 page not found' }
  }
}

const shown = {
  modelfile: 'FROM peer',
  parameters: 'temperature 0.5',
  template: '{{ .Prompt }}',
  details: entry('').details,
  model_info: { 'general.architecture': 'peer', 'peer.context_length': 4096 },
  capabilities: ['completion', 'tools'],
}

const nativeWireOf = (request: PeerRequest, behaviour: Behaviour): Wire | undefined => {
  if (request.method !== 'POST') return undefined
  switch (request.path.split('?')[0]) {
    case '/api/chat':
      return talkWire(request, behaviour, (part) => ({ message: { role: 'assistant', content: '', ...part } }))
    case '/api/generate':
      return talkWire(request, behaviour, ({ content = '', ...rest }) => ({ response: content, ...rest }))
    case '/api/embed':
      return embedWire(request, behaviour)
    case '/v1/messages':
      return messagesWire(request, behaviour)
    case '/api/embeddings':
      return plainWire({ embedding: embeddingOf(String(request.body?.prompt ?? '')) })
    default:
      return undefined
  }
}

interface Part {
  content?: string
  thinking?: string
  tool_calls?: unknown[]
}

const talkWire = (request: PeerRequest, behaviour: Behaviour, wrap: (part: Part) => object): Wire => {
  const said = saidBy(behaviour, request)
  const tool_calls = (behaviour.toolCalls ?? []).map((call) => ({
    function: { name: call.name, arguments: call.arguments },
  }))
  const base = { model: request.body?.model, created_at: madeAt }
  const line = (rest: object): string => `${JSON.stringify({ ...base, ...rest })}\n`
  const last = { done: true, done_reason: behaviour.finishReason ?? 'stop', ...countsOf(said) }
  return {
    contentType: 'application/x-ndjson',
    isStreamed: request.body?.stream !== false,
    whole: {
      ...base,
      ...wrap({
        content: said.chunks.join(''),
        ...(said.reasoning.length > 0 && { thinking: said.reasoning.join('') }),
        ...(tool_calls.length > 0 && { tool_calls }),
      }),
      ...last,
    },
    head: [],
    chunks: [
      ...said.reasoning.map((thinking) => line({ ...wrap({ thinking }), done: false })),
      ...said.chunks.map((content) => line({ ...wrap({ content }), done: false })),
    ],
    tail: [
      ...(tool_calls.length > 0 ? [line({ ...wrap({ tool_calls }), done: false })] : []),
      ...(behaviour.done === 'never' ? [] : [line({ ...wrap({}), ...last })]),
    ],
    error: `${JSON.stringify({ error: 'the model runner has unexpectedly stopped' })}\n`,
  }
}

const countsOf = ({ usage }: Said) =>
  usage && {
    total_duration: 1_000_000,
    load_duration: 1000,
    prompt_eval_count: usage.prompt,
    prompt_eval_duration: 1000,
    eval_count: usage.completion,
    eval_duration: 1000,
  }

const embedWire = (request: PeerRequest, behaviour: Behaviour): Wire => {
  const texts = textsIn(request.body?.input)
  return plainWire({
    model: request.body?.model,
    embeddings: texts.map(embeddingOf),
    ...(behaviour.usage !== null && { prompt_eval_count: behaviour.usage?.prompt ?? texts.length }),
  })
}

const messagesWire = (request: PeerRequest, behaviour: Behaviour): Wire => {
  const { chunks, usage } = saidBy(behaviour, request)
  return plainWire({
    id: 'msg_peer',
    type: 'message',
    role: 'assistant',
    model: request.body?.model,
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: chunks.join('') }],
    usage: { input_tokens: usage?.prompt ?? 0, output_tokens: usage?.completion ?? 0 },
  })
}
