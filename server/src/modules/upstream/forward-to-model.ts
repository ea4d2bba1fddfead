/**
 * A call that names a model: only models that the caller may use, under the name that the backend has for them. Unknown
 * and forbidden models get the same error, and nothing is sent to the runtime.
 */
import type { Clock } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import { requireAccess } from '#kernel/http/access.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { RawReply } from '#kernel/http/replies/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { isLimitReached } from '#kernel/meter.ts'
import {
  allowedOf,
  type Backend,
  type BackendReply,
  budgetEnded,
  CallAccount,
  type Models,
  type ResolvedModel,
} from '#modules/models/index.ts'
import { failureFrame, withEarlyStream } from './early-stream.ts'
import { refusalReply } from './errors.ts'
import { fillVariables } from './fill-variables.ts'
import { findModel } from './find-model.ts'
import type { Fields } from './model-defaults.ts'
import { type ModelPath, providerPath } from './paths.ts'
import { isUnload, outgoingBody, withLimit } from './request-body.ts'
import { isEventStream, type StreamEnd, streamReply, typeOf } from './stream-reply.ts'
import { createTokenCounter } from './token-counter.ts'
import { tryBackends } from './try-backends.ts'
import { wholeReply } from './whole-reply.ts'

interface Request {
  to: ModelPath
  body: Fields
  http: Pick<HttpCall, 'requestId' | 'signal'>
}

export interface Gateway {
  models: Models
  clock: Clock
  /** After so long without a word from the backend, the head of a stream goes out. */
  silenceMs: number
  /** True when filters must see every request to the model. They don't run here. */
  isFiltered(model: ResolvedModel): boolean
}

export const forwardToModel = (gateway: Gateway, actor: Actor, request: Request): Promise<RawReply> => {
  const { to, body, http } = request
  const reply = forward(gateway, actor, request)
  return isInCommonFormat(to) && body.stream === true
    ? withEarlyStream(reply, { path: to.path, requestId: http.requestId, silenceMs: gateway.silenceMs })
    : reply
}

const forward = async (
  { models, clock, isFiltered }: Gateway,
  actor: Actor,
  { to, body, http }: Request,
): Promise<RawReply> => {
  const { model, backends } = await findModel(models, actor, { body, to })
  if (to.isConversation && isFiltered(model)) throw new AppError('model_has_filters')
  if (isUnload(body)) requireAccess('platformOwner', actor)
  const filled = fillVariables(allowedOf({ actor, model }, body), model, { userName: actor.name, now: clock.now() })
  const wanted = to.applyDefaults(filled.body, filled.defaults)
  const { signal, requestId } = http
  const account = accountOf(models, actor, { to, model, body: wanted, signal })
  await account?.reserve()
  const bodyFor = outgoingBody(withLimit(to.path, account?.body ?? wanted, account?.addedLimit))
  try {
    signal.throwIfAborted()
    account?.noteSent()
    const reply = await tryBackends(backends, (backend) => ({
      method: 'POST',
      path: pathAt(backend, to),
      headers: { 'content-type': 'application/json' },
      body: bodyFor(backend.nativeId),
      signal,
    }))
    if (reply.status >= 400) {
      account?.settleUnanswered(new AppError('provider_refused'))
      return await refusalReply(reply, { path: to.path, requestId })
    }
    return await passOn(reply, { to, account, requestId })
  } catch (problem) {
    account?.settleUnanswered(problem)
    throw problem
  }
}

interface Accounted {
  to: ModelPath
  model: ResolvedModel
  body: Fields
  signal: AbortSignal
}

/** A runtime's own format streams unless it is told not to. */
const accountOf = ({ meter }: Models, actor: Actor, { to, model, body, signal }: Accounted) =>
  to.isCounted
    ? new CallAccount({
        meter,
        payer: actor,
        model: model.id,
        body,
        contextLength: model.contextLength,
        isStreamed: isInCommonFormat(to) ? body.stream === true : body.stream !== false,
        hasAnswer: to.isConversation,
        signal,
      })
    : undefined

interface Passing {
  to: ModelPath
  account: CallAccount | undefined
  requestId: string
}

const passOn = async (reply: BackendReply, { to, account, requestId }: Passing): Promise<RawReply> => {
  const counter = createTokenCounter(typeOf(reply.headers).toLowerCase())
  const settle = ({ isWhole, hasFailed }: StreamEnd): void => {
    if (!account) return
    const { hasError, ...counted } = counter.cost(account.promptTokens)
    const isUnheard = !isWhole && !hasError && counted.completionTokens === 0
    const told = isUnheard ? undefined : counted
    account.settle({ told, textBytes: 0, bytes: counter.bytes, isCut: isUnheard, failed: hasFailed || hasError })
  }
  if (isInCommonFormat(to) && !isEventStream(reply.headers))
    return wholeReply(reply, {
      isTyped: to.hasTypedEvents,
      onWhole: (bytes) => {
        counter.add(bytes)
        settle({ isWhole: true, hasFailed: false })
      },
    })
  const isInEvents = isInCommonFormat(to) && isEventStream(reply.headers)
  const failure = failureFrame({ path: to.path, requestId })
  return streamReply(reply, {
    isTyped: to.hasTypedEvents,
    onPiece: async (piece) => {
      counter.add(piece)
      if (account && !(await account.allows(counter.soFar))) throw budgetEnded()
    },
    closing: (problem) => (isInEvents && isLimitReached(problem) ? failure(problem) : undefined),
    onEnd: settle,
  })
}

const isInCommonFormat = ({ path, isConversation }: ModelPath): boolean => isConversation && path.startsWith('/v1/')

const pathAt = ({ type }: Backend, to: ModelPath): string =>
  type === 'compat' ? (providerPath(to) ?? to.path) : to.path
