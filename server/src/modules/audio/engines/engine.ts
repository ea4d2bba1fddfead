/** A speech engine, and how those on other servers are called. */
import { AppError } from '#kernel/errors.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { Log } from '#kernel/log.ts'
import { hostPortOf, type Outbound } from '#kernel/outbound/index.ts'

export interface Recording {
  bytes: Buffer
  name: string
  type: string
}

export interface Listening {
  language: string | undefined
  model: string | undefined
  prompt: string | undefined
  signal: AbortSignal
}

export interface Transcript {
  text: string
  /** As the engine reports it, if it does: some are charged by token, others by the minute. */
  usage?: unknown
}

export type Listen = (recording: Recording, listening: Listening) => Promise<Transcript>

export interface SttEngine {
  listen: Listen
  /** Whether the server can be offered for listening: what the engine can't do without is set. */
  isReady(): boolean
}

export interface Speaking {
  text: string
  voice: string
  model: string
  speed: number | undefined
  format: string | undefined
  instructions: string | undefined
  signal: AbortSignal
}

export interface Speech {
  bytes: Buffer
  type: string
}

export type TtsEngine = (speaking: Speaking) => Promise<Speech>

export interface EngineRequest {
  headers: Record<string, string>
  body: string | Buffer
  signal: AbortSignal
}

export type PostToEngine = (url: string, request: EngineRequest) => Promise<Speech>

interface Options {
  outbound: Outbound
  log: Log
  /** HTTP_CLIENT_SESSION_SSL */
  verifyTls: boolean
  timeoutMs: number
}

const maxReplyBytes = 30 * 1024 * 1024

/**
 * The address is the platform admin's own setting, so it may be on the local network. What the engine says about a
 * failure goes to the log, not to the caller: some repeat the key.
 */
export const createPostToEngine =
  ({ outbound, log, verifyTls, timeoutMs }: Options): PostToEngine =>
  async (url, { headers, body, signal }) => {
    const reply = await outbound.fetch(url, {
      method: 'POST',
      headers,
      body,
      trusted: hostPortOf(url),
      verifyTls,
      maxBytes: maxReplyBytes,
      maxRedirects: 0,
      firstByteMs: timeoutMs,
      totalMs: timeoutMs,
      signal,
    })
    const bytes = await reply.bytes()
    if (reply.status >= 200 && reply.status < 300)
      return { bytes, type: (reply.headers.get('content-type') ?? '').split(';')[0]?.trim() || 'audio/mpeg' }
    log.warn({ engine: new URL(url).host, status: reply.status }, 'The speech engine refused a request.')
    throw new EngineRefusal(reply.status)
  }

/** Statuses about the recording itself. A wrong key or address, or an empty account, can be mended meanwhile. */
const finalStatuses = [400, 413, 415, 422]

export class EngineRefusal extends AppError {
  /** Another attempt would be refused the same way. */
  readonly isPermanent: boolean

  constructor(status: number) {
    super('speech_engine_failed', { detail: `The speech engine answered with status ${status}.` })
    this.isPermanent = finalStatuses.includes(status)
  }
}

/** A setting that the chosen engine cannot do without. */
export const required = (value: string | undefined, name: string): string => {
  if (value !== undefined && value !== '') return value
  throw new AppError('speech_engine_not_ready', {
    detail: `The speech engine isn't set up completely: ${name} is missing.`,
  })
}

export const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

/** A multipart form as the engines take it: text fields and one file. */
export const formOf = async (fields: Record<string, string | undefined>, file: { field: string } & Recording) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value)
  form.append(file.field, new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.name)
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  return { headers: { 'content-type': type }, body: Buffer.from(await encoded.arrayBuffer()) }
}

/** The text that an engine answered, found by `pick`; anything else is the engine's failure. */
export const textIn = ({ bytes }: Speech, pick: (reply: never) => unknown): string => {
  try {
    const text = pick(parseForeign(bytes.toString()) as never)
    if (typeof text === 'string') return text.trim()
  } catch {
    // Not JSON, or of another shape: the same failure.
  }
  throw new AppError('speech_engine_failed', { detail: "The speech engine's answer can't be read." })
}
