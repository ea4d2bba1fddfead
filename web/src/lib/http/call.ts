/**
 * Calls of the contract's endpoints: `call(endpoints.getRun, { params: { runId } })` returns what the endpoint says, or
 * throws an ApiError. The credential is a cookie that this code can't read, so there is nothing to steal here.
 */
import type { Endpoint, ParamsOf, ReplyKind } from '@chancery/contract/endpoint.ts'
import type { z } from 'zod'
import { read, send } from './api.ts'
import type { Shape } from './shape.ts'
import { withQuery } from './with-query.ts'

/** Where the contract leaves the reply open, the caller says its shape: `call({ ...endpoints.getChat, reply: Chat })`. */
type Called = Omit<Endpoint, 'reply'> & { reply?: ReplyKind | Shape<unknown> }
/** Loaded with the first call, for pages before sign-in and for what is part of every page. */
type Late<E> = () => Promise<E>

type Word = string | number | undefined
type QueryOf<E> = E extends { query: infer Q extends z.ZodType } ? Partial<Record<keyof z.input<Q>, Word>> : undefined
/** What is sent is not changed, so it may be something that nobody may change. */
type Sendable<T> = T extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : T extends object
    ? { [Key in keyof T]: Sendable<T[Key]> }
    : T
type BodyOf<E> = E extends { body: infer B extends z.ZodType } ? Sendable<z.input<B>> : undefined
type ReplyOf<E> = E extends { reply: infer R extends z.ZodType }
  ? z.output<R>
  : E extends { reply: Shape<infer T> }
    ? T
    : undefined

type Place<E extends Called> = (keyof ParamsOf<E['path']> extends never
  ? { params?: undefined }
  : { params: ParamsOf<E['path']> }) & { query?: QueryOf<E> }

type Request<E extends Called> = Place<E> & {
  body?: BodyOf<E>
  /** Refused when what it replaces is no longer the version that was read. */
  version?: string
  /** For calls that must not run twice: the server runs a call once per key, however often it is sent. */
  key?: string
  /** The call only starts the work: the reply confirms that, and the result comes another way. */
  isBegun?: boolean
  /** Also sent while the page unloads. For small bodies: browsers allow 64 kB for all such requests together. */
  keepalive?: boolean
}

/** For what a form collected: the server says at which field something is wrong. */
export const unchecked = (body: unknown) => body as never

type Needed<T> = [T] extends [{ params: object }] ? [T] : [T?]

/** The address of an endpoint, for links and for calls of another kind. */
export function addressOf<E extends Called>(endpoint: E, ...[place]: Needed<Place<E>>): string {
  const params: Record<string, string> = place?.params ?? {}
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return withQuery(path, place?.query ?? {})
}

export async function call<E extends Called>(
  endpoint: E | Late<E>,
  ...[request]: Needed<Request<E>>
): Promise<ReplyOf<E>> {
  const called: Called = typeof endpoint === 'function' ? await endpoint() : endpoint
  const { body, version, key, isBegun, keepalive } = request ?? {}
  const headers = {
    ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(isBegun ? { prefer: 'respond-async' } : {}),
  }
  const path = addressOf(called, request as Place<Called>)
  const reply = await send(called.method, path, { body, headers, keepalive })
  const isRead = typeof called.reply === 'object' || typeof called.reply === 'function'
  return (isRead ? await read(reply, called.reply as Shape<unknown>) : undefined) as ReplyOf<E>
}
