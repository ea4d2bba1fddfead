/**
 * Providers of the common chat-completion API. Only our headers, the request and the connection's key are sent: none of
 * the caller's headers, and no field that would make a relay call another server.
 */

import { AppError } from '#kernel/errors.ts'
import type { OutboundReply } from '#kernel/outbound/index.ts'
import type { ProviderRequest } from '../interface.ts'
import { flowOfCompletion } from '../stream/completion-format.ts'
import { asProviderError, failureInBody, refusalOf } from '../stream/provider-errors.ts'
import type { ChatRequest, Driver, DriverAnswer, ListedModel, ProviderClient } from './driver.ts'
import { foldName } from './fold-name.ts'
import { isSteeringField } from './steering-fields.ts'

const maxListBytes = 16 * 1024 * 1024
const maxReplyBytes = 32 * 1024 * 1024
const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json' }
const streamHeaders = { 'content-type': 'application/json', accept: 'text/event-stream' }

export const compatDriver: Driver = {
  listModels: async (client, signal) => {
    const reply = await client.send({ method: 'GET', path: '/models', signal, maxBytes: maxListBytes })
    if (reply.status !== 200) throw await refusalOf(reply)
    return readList(await readJson(reply))
  },
  chat: (client, request) => {
    const { addedLimit, ...rest } = request
    const ask = ({ body }: Pick<ChatRequest, 'body'>) =>
      body.stream === true ? chatStreamed(client, { ...rest, body }) : chatWhole(client, { ...rest, body })
    return addedLimit === undefined ? ask(request) : askLimited(client, request.body, addedLimit, ask)
  },
}

/** Some providers have a newer name for the limit and refuse the older one, which all others take. */
const askLimited = async (
  { traits }: ProviderClient,
  body: ProviderRequest,
  limit: number,
  ask: (request: Pick<ChatRequest, 'body'>) => Promise<DriverAnswer>,
): Promise<DriverAnswer> => {
  try {
    return await ask({ body: { ...body, [traits.limitField ?? 'max_tokens']: limit } })
  } catch (problem) {
    const isAboutName = problem instanceof AppError && problem.message.includes('max_completion_tokens')
    if (!isAboutName || problem.code !== 'provider_refused' || traits.limitField) throw problem
    traits.limitField = 'max_completion_tokens'
    return ask({ body: { ...body, max_completion_tokens: limit } })
  }
}

const chatWhole = async (client: ProviderClient, { nativeId, body, signal }: ChatRequest): Promise<DriverAnswer> => {
  const reply = await client.send({
    method: 'POST',
    path: '/chat/completions',
    headers: jsonHeaders,
    signal,
    maxBytes: maxReplyBytes,
    body: JSON.stringify(outgoing(body, nativeId)),
  })
  if (reply.status !== 200) throw await refusalOf(reply)
  return { kind: 'whole', completion: asCompletion(await readJson(reply)) }
}

const chatStreamed = async (client: ProviderClient, request: ChatRequest): Promise<DriverAnswer> => {
  if (client.traits.refusesStreamOptions) return sendStreamed(client, request, false)
  try {
    return await sendStreamed(client, request, true)
  } catch (problem) {
    if (!mayBeAboutOptions(problem)) throw problem
    try {
      const answer = await sendStreamed(client, request, false)
      client.traits.refusesStreamOptions = true
      return answer
    } catch {
      throw problem
    }
  }
}

const sendStreamed = async (
  client: ProviderClient,
  request: ChatRequest,
  asksForUsage: boolean,
): Promise<DriverAnswer> => {
  const { nativeId, body, signal } = request
  const { stream_options: given } = body
  const options = asksForUsage ? { stream_options: { ...(given as object | undefined), include_usage: true } } : {}
  const reply = await client.send({
    method: 'POST',
    path: '/chat/completions',
    headers: streamHeaders,
    signal,
    body: JSON.stringify({ ...outgoing(body, nativeId), ...options }),
  })
  if (reply.status !== 200) throw await refusalOf(reply)
  const type = reply.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) return { kind: 'stream', flow: reply.flow() }
  // Some answer at one go although a stream was asked for; others tell a failure so.
  if (type.includes('json')) return { kind: 'stream', flow: flowOfCompletion(asCompletion(await readJson(reply))) }
  reply.discard()
  throw new AppError('provider_failed', { detail: 'The model answered with something that is no stream of events.' })
}

/** Providers written in Go read `Model` as `model` too, and of two the last one counts. */
const namesModel = (name: string): boolean => name.length === 5 && foldName(name) === 'model'

/** Built as a new object: V8 makes an object slow when a field is deleted from it. */
const outgoing = (body: ProviderRequest, model: string): Record<string, unknown> => {
  const request: Record<string, unknown> = { model }
  for (const name in body)
    if (!isSteeringField(name) && !namesModel(name) && name !== 'stream_options') request[name] = body[name]
  return request
}

const mayBeAboutOptions = (problem: unknown): boolean =>
  problem instanceof AppError &&
  problem.code === 'provider_refused' &&
  /stream_options|include_usage|extra|unknown|unexpected|unrecognized|unsupported|not permitted/i.test(problem.message)

const readJson = (reply: OutboundReply): Promise<unknown> =>
  reply.json().catch((problem) => {
    throw asProviderError(problem)
  })

const asCompletion = (body: unknown): Record<string, unknown> => {
  const completion = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  if (Array.isArray(completion.choices)) return completion
  throw failureInBody(body)
}

const readList = (body: unknown): ListedModel[] => {
  const data = Array.isArray(body) ? body : (body as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) throw new AppError('provider_failed', { detail: 'The model list could not be read.' })
  return data.flatMap((entry: unknown) => readEntry(entry))
}

const readEntry = (entry: unknown): ListedModel[] => {
  if (typeof entry !== 'object' || entry === null) return []
  const { id, name, owned_by: ownedBy, created, context_length: contextLength } = entry as Record<string, unknown>
  if (typeof id !== 'string') return []
  return [
    {
      id,
      name: typeof name === 'string' && name !== '' ? name.slice(0, 200) : id,
      ownedBy: typeof ownedBy === 'string' && ownedBy !== '' ? ownedBy.slice(0, 100) : 'compat',
      created: Number.isSafeInteger(created) ? (created as number) : null,
      capabilities: [],
      contextLength: Number.isSafeInteger(contextLength) ? (contextLength as number) : null,
    },
  ]
}
