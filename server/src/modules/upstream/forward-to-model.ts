/**
 * A call that names a model: only what the caller may use, under the name its backend has for it. Somebody else's model
 * and none at all look alike, and the runtime hears of neither.
 */
import { requireAccess } from '#kernel/http/access.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { RawReply } from '#kernel/http/raw-reply.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import { type Backend, type Models, promptTokensOf, tokensOf } from '#modules/models/index.ts'
import { askInTurn } from './ask-in-turn.ts'
import type { Fields } from './dress-request.ts'
import { refusalReply } from './errors.ts'
import { findModel } from './find-model.ts'
import { outgoingBody } from './outgoing-body.ts'
import { type ModelPath, providerPath } from './paths.ts'
import { streamReply, typeOf } from './stream-reply.ts'
import { createTally } from './tally.ts'
import { isUnload } from './unload.ts'

interface Request {
  to: ModelPath
  body: Fields
  http: Pick<HttpCall, 'requestId' | 'signal'>
}

export const forwardToModel = async (models: Models, actor: Actor, { to, body, http }: Request): Promise<RawReply> => {
  const { model, backends } = await findModel(models, actor, { body, to })
  if (isUnload(body)) requireAccess('platformOwner', actor)
  const bodyFor = outgoingBody(to.dress(body, model))
  const { signal, requestId } = http
  const record = recorder(models, actor, { name: model.id, to })
  if (to.isCounted) await models.meter.admit(actor)
  try {
    const reply = await askInTurn(backends, (backend) => ({
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
    const tally = createTally(typeOf(reply.headers))
    return streamReply(reply, {
      onPiece: tally.add,
      onEnd: (isCut) => {
        const { toldError, ...tokens } = tally.cost(estimatedPrompt(body))
        record({ ...tokens, failed: isCut || toldError })
      },
    })
  } catch (problem) {
    record({ promptTokens: 0, completionTokens: 0, failed: true })
    throw problem
  }
}

const pathAt = ({ type }: Backend, to: ModelPath): string =>
  type === 'compat' ? (providerPath(to) ?? to.path) : to.path

const recorder =
  ({ meter }: Models, actor: Actor, { name, to }: { name: string; to: ModelPath }) =>
  (use: { promptTokens: number; completionTokens: number; failed: boolean }): void => {
    if (to.isCounted) meter.record(actor, { model: name, ...use })
  }

/** For prompts that the backend does not count. */
const estimatedPrompt = ({ prompt, input, messages }: Fields): number => {
  const texts = [prompt, input].flat().filter((part) => typeof part === 'string')
  const said = Array.isArray(messages)
    ? messages.filter((message) => typeof message === 'object' && message !== null)
    : []
  return tokensOf(texts.join('').length) + promptTokensOf(said)
}
