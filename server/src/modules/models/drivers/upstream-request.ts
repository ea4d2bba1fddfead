/** Pure. A chat-completion request as a local runtime's native `/api/chat` takes it. */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { AppError } from '#kernel/errors.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { createForeignReader } from '#kernel/json/parse-foreign.ts'
import type { ProviderRequest } from '../interface.ts'

type Fields = Record<string, unknown>

/** Options with the same name in the native API. */
const sameOptions = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'typical_p',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'repeat_penalty',
  'repeat_last_n',
  'num_ctx',
  'num_keep',
  'num_predict',
  'num_batch',
  'num_gpu',
  'num_thread',
  'mirostat',
  'mirostat_eta',
  'mirostat_tau',
  'tfs_z',
  'penalize_newline',
  'use_mmap',
  'use_mlock',
]
/** Fields with the same name beside `model`. */
const sameFields = ['keep_alive', 'think', 'format', 'template', 'logprobs', 'top_logprobs']

/** A native request can't force a tool call, and dropping the wish silently would surprise the caller. */
const requireFreeChoice = ({ tools, tool_choice: choice }: ProviderRequest): void => {
  if (!Array.isArray(tools) || tools.length === 0) return
  if (choice === 'required' || isJsonObject(choice))
    throw new AppError('provider_refused', {
      detail: 'A model of a local runtime can\'t be forced to call a tool. Send tool_choice "auto" or leave it out.',
    })
}

export const toNativeChat = (request: ProviderRequest, model: string): Fields => {
  requireFreeChoice(request)
  const options = nativeOptions(request)
  const format = nativeFormat(request.response_format)
  const think = nativeThinking(request.reasoning_effort)
  const hasTools = Array.isArray(request.tools) && request.tools.length > 0 && request.tool_choice !== 'none'
  return {
    model,
    messages: nativeMessages(request.messages),
    stream: request.stream === true,
    ...(hasTools && { tools: request.tools }),
    ...(format !== undefined && { format }),
    ...(think !== undefined && { think }),
    ...given(request, sameFields),
    ...(Object.keys(options).length > 0 && { options }),
  }
}

/** `max_tokens` and `stop` have other names or shapes there; an `options` object of the caller's comes last. */
export const nativeOptions = (request: Fields): Fields => {
  const most = request.max_completion_tokens ?? request.max_tokens
  const stop = typeof request.stop === 'string' ? [request.stop] : request.stop
  return {
    ...given(request, sameOptions),
    ...(typeof most === 'number' && { num_predict: most }),
    ...(Array.isArray(stop) && { stop }),
    ...(isJsonObject(request.options) && request.options),
  }
}

const given = (from: Fields, names: readonly string[]): Fields => {
  const found: Fields = {}
  for (const name of names) if (from[name] !== undefined && from[name] !== null) found[name] = from[name]
  return found
}

const nativeFormat = (format: unknown): unknown => {
  if (!isJsonObject(format)) return undefined
  if (format.type === 'json_object') return 'json'
  return format.type === 'json_schema' && isJsonObject(format.json_schema) ? format.json_schema.schema : undefined
}

const nativeThinking = (effort: unknown): unknown => {
  if (typeof effort !== 'string') return undefined
  return { none: false, minimal: 'low', xhigh: 'high' }[effort] ?? effort
}

const nativeMessages = (messages: readonly ChatMessage[]): Fields[] => {
  const toolNames = new Map<unknown, unknown>()
  const readArguments = createArgumentsReader()
  return messages.map((message) => {
    const calls = nativeToolCalls(message.tool_calls, readArguments)
    for (const { id, function: called } of calls) toolNames.set(id, called.name)
    const images = imagesIn(message.content)
    const toolName = message.name ?? toolNames.get(message.tool_call_id)
    return {
      role: message.role === 'developer' ? 'system' : message.role,
      content: textIn(message.content),
      ...(images.length > 0 && { images }),
      ...(typeof message.reasoning_content === 'string' && { thinking: message.reasoning_content }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(message.role === 'tool' && {
        tool_call_id: message.tool_call_id,
        ...(toolName !== undefined && { tool_name: toolName }),
      }),
    }
  })
}

const textIn = (content: ChatMessage['content']): string => {
  if (!Array.isArray(content)) return content ?? ''
  return content
    .filter((part) => part.type === 'text' && typeof part.text === 'string')
    .map((part) => part.text)
    .join('\n')
}

const imagesIn = (content: ChatMessage['content']): string[] =>
  Array.isArray(content) ? content.filter((part) => part.type === 'image_url').map(base64Of) : []

/** The native API takes the bytes alone, and fetches nothing. */
const base64Of = ({ image_url: image }: Fields): string => {
  const url = isJsonObject(image) ? image.url : image
  const comma = typeof url === 'string' && url.startsWith('data:') ? url.indexOf(';base64,') : -1
  if (comma === -1)
    throw new AppError('provider_refused', { detail: 'A local runtime takes images as base64 data addresses only.' })
  return String(url).slice(comma + ';base64,'.length)
}

interface NativeToolCall {
  id: unknown
  function: { name: unknown; arguments: Fields }
}

const nativeToolCalls = (calls: unknown, readArguments: (written: unknown) => Fields): NativeToolCall[] =>
  (Array.isArray(calls) ? calls : []).filter(isJsonObject).map((call) => {
    const called = isJsonObject(call.function) ? call.function : {}
    return { id: call.id, function: { name: called.name, arguments: readArguments(called.arguments) } }
  })

/**
 * A model can write arguments that are no JSON object; its runtime reads nothing else. All calls of a conversation together
 * have no more parts than one body.
 */
const createArgumentsReader = (): ((written: unknown) => Fields) => {
  const read = createForeignReader({ tooLarge: 'body_too_large' })
  return (written) => {
    if (isJsonObject(written)) return written
    try {
      const parsed = read(String(written))
      return isJsonObject(parsed) ? parsed : {}
    } catch (problem) {
      if (problem instanceof AppError) throw problem
      return {}
    }
  }
}
