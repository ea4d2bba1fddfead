/** An OpenAPI server: its description as tools, and one call of an operation. */
import { randomUUID } from 'node:crypto'
import { defineComputation } from '#kernel/compute/index.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { parseOwn } from '#kernel/json/parse-own.ts'
import { hostPortOf } from '#kernel/outbound/index.ts'
import type { ToolServersContext } from '../context.ts'
import {
  type Call,
  callMs,
  callOf,
  isText,
  listMs,
  type OpenServer,
  type Run,
  showFiles,
} from '../remote/remote-call.ts'
import { headersFor } from '../remote/request-headers.ts'
import type { Operation } from './openapi-operations.ts'
import { prepareRequest } from './openapi-request.ts'
import type { compute as read } from './read-description.computation.ts'

const maxReplyBytes = 4 * 1024 * 1024

const reading = defineComputation<typeof read>({
  name: 'openapi-description',
  module: new URL('./read-description.computation.ts', import.meta.url),
  deadlineMs: 2000,
  maxInputBytes: 2 * maxReplyBytes,
})

export const readDescription = async (
  { kernel }: ToolServersContext,
  server: OpenServer,
  { asking, signal }: Call,
): Promise<Operation[]> => {
  const reply = await kernel.outbound.fetch(`${server.url.replace(/\/+$/, '')}/${server.path.replace(/^\/+/, '')}`, {
    headers: { ...headersFor(kernel.config, server, asking), accept: 'application/json' },
    trusted: hostPortOf(server.url),
    maxBytes: maxReplyBytes,
    totalMs: listMs,
    signal,
  })
  if (reply.status !== 200) {
    reply.discard()
    throw new Error(`it answered ${reply.status} to the request for its description.`)
  }
  const givenHeaders = Object.keys(headersFor(kernel.config, server, asking))
  const input = { description: await reply.text(), givenHeaders }
  const json = await kernel.compute(reading, input, { owner: scopeOf(asking.actor), signal })
  return parseOwn(json) as Operation[]
}

export const runOperation =
  (shared: ToolServersContext, server: OpenServer, operation: Operation): Run =>
  async (args, context) => {
    const { kernel } = shared
    const { asking, signal } = callOf(context)
    const boundary = `chancery-${randomUUID()}`
    const { method, url, headers, body } = prepareRequest(server.url, operation, { args, boundary })
    const reply = await kernel.outbound.fetch(url, {
      method,
      headers: {
        ...headers,
        ...headersFor(kernel.config, server, asking),
        ...(body && { 'content-type': body.contentType }),
      },
      body: body?.text,
      trusted: hostPortOf(server.url),
      maxBytes: maxReplyBytes,
      totalMs: callMs,
      signal,
    })
    const type = reply.headers.get('content-type') ?? ''
    const disposition = reply.headers.get('content-disposition') ?? ''
    if (reply.status < 300 && (type.startsWith('image/') || /^attachment/i.test(disposition))) {
      const bytes = await reply.bytes()
      const mimeType = type.split(';')[0]?.trim() || 'application/octet-stream'
      const made = [{ data: bytes.toString('base64'), mimeType, name: nameIn(disposition) }]
      const told = await showFiles(shared, context, { toolName: operation.name, made })
      return { content: (isText(mimeType) && bytes.toString()) || told }
    }
    const text = await reply.text()
    if (reply.status >= 300) throw new Error(`it answered ${reply.status}: ${text.slice(0, 500)}`)
    const isEmbed = type.startsWith('text/html') && /^inline/i.test(disposition)
    if (!isEmbed) return { content: text === '' ? 'Done.' : text }
    context.emit({ type: 'embeds', data: { embeds: [context.hide(text)] } })
    return { content: 'The result is shown to the user.' }
  }

/** The last part of what the server calls the file. */
const nameIn = (disposition: string): string | undefined =>
  /filename="?([^";]{1,200})"?/i.exec(disposition)?.[1]?.split(/[\\/]/).at(-1) || undefined
