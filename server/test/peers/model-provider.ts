/**
 * A provider of the chat-completion API that tests control: `/v1/models`, `/v1/chat/completions`, `/v1/completions`,
 * `/v1/embeddings`, `/v1/responses`, on loopback.
 *
 *   const provider = await startModelProvider({ models: ['swift', 'wise'], key: 'sk-peer' })
 *   provider.url                       // 'http://127.0.0.1:<port>/v1': the url of a compat connection
 *   provider.script({ text: 'Hi.' })   // for the next call; without a script it repeats what the user said
 *   provider.script({ chunks: ['a', 'b'], gate: hold })      // const hold = gate(); hold.open() lets one chunk pass
 *   provider.script({ toolCalls: [{ name: 'clock', arguments: {} }] }, { text: 'It is noon.' })   // two calls
 *   provider.script({ fail: { status: 429, headers: { 'retry-after': '7' } } })
 *   provider.script({ chunks: ['x'.repeat(10_000_000)] })    // one very long line
 *   provider.usually({ text: 'Always this.' })
 *   provider.listsModels({ hangs: true })                    // the list of models only
 *   (await provider.call(1)).body      // waits for the first call of a model; `requests` has everything
 *   await (await provider.call(1)).ended   // false: the other side hung up before the end
 *   await provider.close()
 *
 * All behaviours: model-behaviour.ts. The peer of local runtimes (model-runtime.ts) takes the same ones.
 */
import type { Behaviour, PeerRequest } from './model-behaviour.ts'
import { type ModelPeer, type ModelPeerOptions, startModelPeer } from './model-peer.ts'
import { plainWire, type Wire } from './model-wire.ts'
import { embeddingOf, type Said, saidBy, textsIn } from './model-words.ts'

export { type Behaviour, type Gate, gate, invalidUtf8, type PeerRequest } from './model-behaviour.ts'
export type { ModelPeer } from './model-peer.ts'

export interface ModelProvider extends ModelPeer {
  /** The models it lists; a test may change them. */
  models: string[]
}

export const startModelProvider = async (options: ModelPeerOptions = {}): Promise<ModelProvider> => {
  const models = [...(options.models ?? ['swift'])]
  const peer = await startModelPeer(
    {
      wireOf: compatWireOf,
      isModelList: ({ path }) => path.startsWith('/v1/models'),
      answer: ({ path }) =>
        path.startsWith('/v1/models')
          ? { status: 200, body: compatModelList(models) }
          : { status: 404, body: { error: { message: `No such path: ${path}`, type: 'invalid_request_error' } } },
    },
    options,
  )
  return { ...peer, url: `${peer.url}/v1`, models }
}

export const compatModelList = (models: readonly string[]): unknown => ({
  object: 'list',
  data: models.map((id) => ({ id, object: 'model', created: 1_700_000_000, owned_by: 'peer' })),
})

/** The paths under `/v1`, which a local runtime has as well. */
export const compatWireOf = (request: PeerRequest, behaviour: Behaviour): Wire | undefined => {
  if (request.method !== 'POST') return undefined
  switch (request.path.split('?')[0]) {
    case '/v1/chat/completions':
      return completionWire(request, behaviour)
    case '/v1/responses':
      return responsesWire(request, behaviour)
    case '/v1/embeddings':
      return embeddingsWire(request, behaviour)
    case '/v1/completions':
      return plainWire({
        id: 'cmpl-peer',
        object: 'text_completion',
        model: request.body?.model,
        choices: [{ index: 0, text: saidBy(behaviour, request).chunks.join(''), finish_reason: 'stop' }],
        usage: usageOf(saidBy(behaviour, request)),
      })
    default:
      return undefined
  }
}

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

const usageOf = ({ usage }: Said) =>
  usage && {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
  }

const toolCallsOf = ({ toolCalls = [] }: Behaviour) =>
  toolCalls.map((call, index) => ({
    id: call.id ?? `call_${index}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }))

const completionWire = (request: PeerRequest, behaviour: Behaviour): Wire => {
  const said = saidBy(behaviour, request)
  const toolCalls = toolCallsOf(behaviour)
  const finish_reason = behaviour.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')
  const base = { id: 'chatcmpl-peer', created: 1_700_000_000, model: request.body?.model }
  const chunk = (delta: unknown, finish: string | null = null): string =>
    event({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })
  const usage = usageOf(said)
  const isUsageWanted = usage && request.body?.stream_options?.include_usage === true
  const done = { once: 1, twice: 2, never: 0 }[behaviour.done ?? 'once']
  return {
    contentType: 'text/event-stream',
    isStreamed: request.body?.stream === true,
    whole: {
      ...base,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: said.chunks.length > 0 ? said.chunks.join('') : null,
            ...(said.reasoning.length > 0 && { reasoning_content: said.reasoning.join('') }),
            ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
          },
          finish_reason,
        },
      ],
      ...(usage && { usage }),
    },
    head: [chunk({ role: 'assistant', content: '' })],
    chunks: [
      ...said.reasoning.map((text) => chunk({ reasoning_content: text })),
      ...said.chunks.map((text) => chunk({ content: text })),
    ],
    tail: [
      ...toolCalls.flatMap((call, index) => toolCallChunks(call, index).map((delta) => chunk(delta))),
      chunk({}, finish_reason),
      ...(isUsageWanted ? [event({ ...base, object: 'chat.completion.chunk', choices: [], usage })] : []),
      ...Array.from({ length: done }, () => 'data: [DONE]\n\n'),
    ],
    error: event({ error: { message: 'The model broke down', type: 'server_error', code: null } }),
  }
}

/** The name first, then the arguments in two pieces, as providers do it. */
const toolCallChunks = (call: ReturnType<typeof toolCallsOf>[number], index: number): unknown[] => {
  const { name, arguments: text } = call.function
  const half = text.length >> 1
  return [
    { tool_calls: [{ index, id: call.id, type: 'function', function: { name, arguments: '' } }] },
    { tool_calls: [{ index, function: { arguments: text.slice(0, half) } }] },
    { tool_calls: [{ index, function: { arguments: text.slice(half) } }] },
  ]
}

const responsesWire = (request: PeerRequest, behaviour: Behaviour): Wire => {
  const said = saidBy(behaviour, request)
  const text = said.chunks.join('')
  const usage = said.usage && {
    input_tokens: said.usage.prompt,
    output_tokens: said.usage.completion,
    total_tokens: said.usage.prompt + said.usage.completion,
  }
  const item = { type: 'message', id: 'msg_peer', role: 'assistant', status: 'completed' }
  const response = {
    id: 'resp_peer',
    object: 'response',
    created_at: 1_700_000_000,
    model: request.body?.model,
    status: 'completed',
    output: [{ ...item, content: [{ type: 'output_text', text, annotations: [] }] }],
    ...(usage && { usage }),
  }
  const named = (type: string, rest: object): string => `event: ${type}\n${event({ type, ...rest })}`
  return {
    contentType: 'text/event-stream; charset=utf-8',
    isStreamed: request.body?.stream === true,
    whole: response,
    head: [named('response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } })],
    chunks: said.chunks.map((delta) =>
      named('response.output_text.delta', { item_id: item.id, output_index: 0, content_index: 0, delta }),
    ),
    tail: [named('response.completed', { response })],
    error: named('error', { code: 'server_error', message: 'The model broke down' }),
  }
}

const embeddingsWire = (request: PeerRequest, behaviour: Behaviour): Wire => {
  const texts = textsIn(request.body?.input)
  const tokens = behaviour.usage?.prompt ?? texts.length
  return plainWire({
    object: 'list',
    model: request.body?.model,
    data: texts.map((text, index) => ({ object: 'embedding', index, embedding: embeddingOf(text) })),
    ...(behaviour.usage !== null && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  })
}
