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
import type { Use } from '#kernel/meter.ts'
import { allowedOf, type Backend, type Models, type ResolvedModel, replyTokensOf } from '#modules/models/index.ts'
import { withEarlyStream } from './early-stream.ts'
import { refusalReply } from './errors.ts'
import { fillVariables } from './fill-variables.ts'
import { findModel } from './find-model.ts'
import type { Fields } from './model-defaults.ts'
import { type ModelPath, providerPath } from './paths.ts'
import { estimatedPrompt, isUnload, outgoingBody } from './request-body.ts'
import { isEventStream, streamReply, typeOf } from './stream-reply.ts'
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
  const bodyFor = outgoingBody(to.applyDefaults(filled.body, filled.defaults))
  const { signal, requestId } = http
  const estimate = (): number => estimatedPrompt(body) + replyTokensOf(body)
  const reservation = to.isCounted ? await models.meter.reserve(actor, estimate) : undefined
  const record = (use: Omit<Use, 'model'>): void => {
    if (to.isCounted) models.meter.record(actor, { model: model.id, ...use }, reservation)
  }
  try {
    const reply = await tryBackends(backends, (backend) => ({
      method: 'POST',
      path: pathAt(backend, to),
      headers: { 'content-type': 'application/json' },
      body: bodyFor(backend.nativeId),
      signal,
    }))
    if (reply.status >= 400) {
      record({ promptTokens: 0, completionTokens: 0, failed: true })
      return await refusalReply(reply, { path: to.path, requestId })
    }
    const counter = createTokenCounter(typeOf(reply.headers).toLowerCase())
    const recordCost = (isCut: boolean): void => {
      const { hasError, ...tokens } = counter.cost(estimatedPrompt(body))
      record({ ...tokens, failed: isCut || hasError })
    }
    if (isInCommonFormat(to) && !isEventStream(reply.headers))
      return await wholeReply(reply, {
        isTyped: to.hasTypedEvents,
        onWhole: (bytes) => {
          counter.add(bytes)
          recordCost(false)
        },
      })
    return streamReply(reply, {
      isTyped: to.hasTypedEvents,
      onPiece: counter.add,
      onEnd: recordCost,
    })
  } catch (problem) {
    // A caller who hangs up doesn't make it a failed request.
    record({ promptTokens: 0, completionTokens: 0, failed: !signal.aborted })
    throw problem
  }
}

const isInCommonFormat = ({ path, isConversation }: ModelPath): boolean => isConversation && path.startsWith('/v1/')

const pathAt = ({ type }: Backend, to: ModelPath): string =>
  type === 'compat' ? (providerPath(to) ?? to.path) : to.path
