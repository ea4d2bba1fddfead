/**
 * Calls of the contract's endpoints: `call(endpoints.getRun, { params: { runId } })` returns what the endpoint says, or
 * throws an ApiError.
 */
import type { Endpoint, ParamsOf } from '@chancery/contract/endpoint.ts'
import type { z } from 'zod'
import { read, send } from './api.ts'
import { withQuery } from './with-query.ts'

type Word = string | number | undefined
type QueryOf<E> = E extends { query: infer Q extends z.ZodType } ? Partial<Record<keyof z.input<Q>, Word>> : undefined
/** What is sent is not changed, so it may be something that nobody may change. */
type Sendable<T> = T extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : T extends object
    ? { [Key in keyof T]: Sendable<T[Key]> }
    : T
type BodyOf<E> = E extends { body: infer B extends z.ZodType } ? Sendable<z.input<B>> : undefined
type ReplyOf<E> = E extends { reply: infer R extends z.ZodType } ? z.output<R> : undefined

type Place<E extends Endpoint> = (keyof ParamsOf<E['path']> extends never
  ? { params?: undefined }
  : { params: ParamsOf<E['path']> }) & { query?: QueryOf<E> }

type Request<E extends Endpoint> = Place<E> & {
  body?: BodyOf<E>
  /** Refused when what it replaces is no longer the version that was read. */
  version?: string
  /** For calls that must not run twice: the server runs a call once per key, however often it is sent. */
  key?: string
}

/** For what a form collected: the server says at which field something is wrong. */
export const unchecked = (body: unknown) => body as never

type Needed<T> = [T] extends [{ params: object }] ? [T] : [T?]

/** The address of an endpoint, for links and for calls of another kind. */
export function addressOf<E extends Endpoint>(endpoint: E, ...[place]: Needed<Place<E>>): string {
  const params: Record<string, string> = place?.params ?? {}
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return withQuery(path, place?.query ?? {})
}

export async function call<E extends Endpoint>(endpoint: E, ...[request]: Needed<Request<E>>): Promise<ReplyOf<E>> {
  const { body, version, key } = request ?? {}
  const headers = {
    ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const reply = await send(endpoint.method, addressOf<Endpoint>(endpoint, request as Place<Endpoint>), {
    body,
    headers,
  })
  const shape = typeof endpoint.reply === 'object' ? endpoint.reply : undefined
  return (shape && (await read(reply, shape))) as ReplyOf<E>
}
