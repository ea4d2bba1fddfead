/** Plays a behaviour: writes a reply, or breaks it, as the test said. */
import type { ServerResponse } from 'node:http'
import type { Behaviour } from './model-behaviour.ts'

/** The form of a reply on one path. */
export interface Wire {
  contentType: string
  isStreamed: boolean
  /** The reply in one piece. */
  whole: unknown
  head: string[]
  chunks: string[]
  /** Finish, usage and whatever else belongs to a proper end. */
  tail: string[]
  error: string
}

/** A reply that has no streamed form. */
export const plainWire = (whole: unknown): Wire => ({
  contentType: 'application/json',
  isStreamed: false,
  whole,
  head: [],
  chunks: [],
  tail: [],
  error: '',
})

export const play = async (response: ServerResponse, behaviour: Behaviour, wire: Wire): Promise<void> => {
  if (behaviour.hangs) return
  if (behaviour.fail) return sendFailure(response, behaviour.fail)
  const contentType = behaviour.contentType ?? (wire.isStreamed ? wire.contentType : 'application/json')
  if (behaviour.bytes !== undefined) {
    response.writeHead(200, { 'content-type': contentType })
    await write(response, behaviour.bytes, behaviour)
    return void response.end()
  }
  if (!wire.isStreamed) {
    await behaviour.gate?.pass()
    return void response.writeHead(200, { 'content-type': contentType }).end(JSON.stringify(wire.whole))
  }
  response.writeHead(200, { 'content-type': contentType })
  response.flushHeaders()
  await stream(response, behaviour, wire)
}

const stream = async (response: ServerResponse, behaviour: Behaviour, wire: Wire): Promise<void> => {
  const { hangsAfter, errorAfter, cutsAfter } = behaviour
  for (const frame of wire.head) await write(response, frame, behaviour)
  const frames = [...wire.chunks, undefined]
  for (const [index, frame] of frames.entries()) {
    if (index === hangsAfter) return
    if (index === errorAfter) return void response.end(wire.error)
    if (index === cutsAfter) {
      const half = Buffer.from(frame ?? wire.tail.join(''))
      return void response.write(half.subarray(0, half.length >> 1), () => response.destroy())
    }
    if (frame === undefined) break
    await behaviour.gate?.pass()
    await write(response, frame, behaviour)
  }
  for (const frame of wire.tail) await write(response, frame, behaviour)
  response.end()
}

/** Waits until each piece is on its way, so that the pieces arrive as they were cut. */
const write = async (response: ServerResponse, text: string | Uint8Array, { splitsAt }: Behaviour): Promise<void> => {
  const bytes = Buffer.from(text)
  const size = splitsAt ?? bytes.length
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    await new Promise((resolve) => response.write(bytes.subarray(at, at + size), resolve))
    if (splitsAt !== undefined) await new Promise((resolve) => setImmediate(resolve))
  }
}

export const sendFailure = (response: ServerResponse, fail: NonNullable<Behaviour['fail']>): void => {
  const { status, body = { error: { message: `Scripted ${status}`, type: 'scripted', code: null } } } = fail
  const isText = typeof body === 'string'
  const contentType = fail.contentType ?? (isText ? 'text/html' : 'application/json')
  response.writeHead(status, { 'content-type': contentType, ...fail.headers })
  response.end(isText ? body : JSON.stringify(body))
}

export interface PlainAnswer {
  status: number
  body?: unknown
  /** As NDJSON. */
  lines?: unknown[]
  text?: string
}

export const send = (response: ServerResponse, { status, body, lines, text }: PlainAnswer): void => {
  if (text !== undefined) return void response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
  if (lines === undefined) return void sendJson(response, status, body)
  response.writeHead(status, { 'content-type': 'application/x-ndjson' })
  response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}
