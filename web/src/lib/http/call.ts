/**
 * Calls of the contract's endpoints: `call(endpoints.getRun, { params: { runId } })` returns what the endpoint says, or
 * throws an ApiError. The credential is a cookie that this code can't read, so there is nothing to steal here.
 */
import type { Endpoint, ReplyKind } from '@chancery/contract/endpoint.ts'
import {
  addressOf,
  type BodyOf,
  type ReplyOf as DeclaredReplyOf,
  type Needed,
  type Place,
} from '@chancery/contract/reading/address.ts'
import { read, send } from './api.ts'
import type { Shape } from './shape.ts'

/** Where the contract leaves the reply open, the caller says its shape: `call({ ...endpoints.getChat, reply: Chat })`. */
type Called = Omit<Endpoint, 'reply'> & { reply?: ReplyKind | Shape<unknown> }
/** Loaded with the first call, for pages before sign-in and for what is part of every page. */
type Late<E> = () => Promise<E>

type ReplyOf<E> = E extends { reply: Shape<infer T> } ? T : DeclaredReplyOf<E>

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
