/**
 * One call of a model: reserved in the caller's allowance (`call-account.ts`), tried at the backends that serve it, and
 * recorded once, however it ends. When a backend fails before its first byte the next one is tried; after that the caller sees the failure, since
 * half an answer cannot be taken back.
 */
import { AppError } from '#kernel/errors.ts'
import type { Meter } from '#kernel/meter.ts'
import { activeSpan } from '#kernel/spans/span.ts'
import { type ConnectionSettings, priceOf } from '../connections/connection.ts'
import { isPauseError } from '../connections/connection-health.ts'
import { isHealthy, type ServedModel } from '../connections/live-connection.ts'
import type { DriverAnswer } from '../drivers/driver.ts'
import type { ModelAnswer, ModelCall, ProviderRequest } from '../interface.ts'
import type { ModelChain } from '../records/model-chain.ts'
import { correctedUsage } from '../stream/believable-usage.ts'
import { knownFields } from '../stream/clean-frames.ts'
import { CountedFlow } from '../stream/counted-flow.ts'
import { readUsage, tokensOf } from '../stream/estimate.ts'
import { statusOf } from '../stream/provider-errors.ts'
import { CallAccount } from './call-account.ts'
import { answerOf } from './source-answer.ts'

export interface Target {
  /** As the caller named it. */
  id: string
  end: ModelChain['end']
  contextLength: number | null
  /** Behind credentials of a user. */
  isPrivate?: boolean
}

interface Deps {
  meter: Meter
  newId(): string
  nowSec(): number
}

export const callModel = async (deps: Deps, target: Target, call: ModelCall): Promise<ModelAnswer> => {
  const account = accountOf(deps, target, call)
  const reserving = account.reserve()
  if (reserving) await reserving
  try {
    call.signal.throwIfAborted()
    account.noteSent()
    const asked = { ...call, body: account.body as ProviderRequest }
    const answer = await account.during(() => askEnd(deps, target, { call: asked, model: target.id, account }))
    if (answer.kind === 'stream') return answer
    const completion = knownFields(answer.completion)
    completion.model = target.id
    settleWhole(account, completion)
    return { kind: 'whole', completion }
  } catch (problem) {
    account.settleUnanswered(problem)
    throw problem
  }
}

const accountOf = ({ meter }: Deps, { id, contextLength, isPrivate }: Target, call: ModelCall): CallAccount => {
  const { actor, body, signal } = call
  const payer = isPrivate ? { ...actor, isPrivate } : actor
  const isStreamed = body.stream === true
  return new CallAccount({ meter, payer, model: id, body, contextLength, isStreamed, signal })
}

/** Those who sum up what was used read it from the completion: they too get what can be true. */
const settleWhole = (account: CallAccount, completion: Record<string, unknown>): void => {
  const told = readUsage(completion.usage)
  const textBytes = textLengthIn(completion.choices)
  // Only of a user's own server anything but the text counts.
  const bytes = account.isPrivate ? Buffer.byteLength(JSON.stringify(completion.choices ?? null)) : textBytes
  const used = account.settle({ told, textBytes, bytes, failed: false })
  if (told) completion.usage = correctedUsage(completion.usage, used)
}

interface Asking {
  call: ModelCall
  /** The caller's name for it. */
  model: string
  account: CallAccount
}

const askEnd = (deps: Deps, target: Target, asking: Asking): Promise<ModelAnswer> =>
  target.end.kind === 'served' ? askInTurn(target.end.by, asking) : askSource(deps, target.id, target.end, asking)

type Source = Extract<ModelChain['end'], { kind: 'source' }>

const askSource = async (deps: Deps, id: string, end: Source, asking: Asking): Promise<ModelAnswer> => {
  const head = { id: `chatcmpl-${deps.newId()}`, created: deps.nowSec(), model: id }
  return begun(await answerOf(end.source.call(end.model.id, asking.call), head, asking.call), asking)
}

const askInTurn = async (servers: readonly ServedModel[], asking: Asking): Promise<ModelAnswer> => {
  let problem: unknown
  for (const { connection, listed } of inOrder(servers))
    try {
      const { actor, body, signal } = asking.call
      const price = priceOf(connection.settings, listed.id)
      asking.account.notePrice(price)
      const { addedLimit } = asking.account
      activeSpan()?.set(providerFacts(connection.settings))
      const request = { nativeId: listed.id, body, signal, ...(addedLimit !== undefined && { addedLimit }) }
      const answer = await connection.attempt({ modelId: listed.id, caller: actor.id }, async () =>
        begun(await connection.driver.chat(connection.client, request), asking),
      )
      asking.call.onAnswer?.({ price })
      return answer
    } catch (failure) {
      if (!isWorthAnother(failure)) throw failure
      // A backend's own answer says more than that another one is paused.
      problem = problem === undefined || !isPauseError(failure) ? failure : problem
    }
  throw problem
}

/** By the API that it speaks, which is what is known of it. */
const providerFacts = ({ type, url }: ConnectionSettings) => ({
  'gen_ai.provider.name': type === 'upstream' ? 'ollama' : 'openai',
  'server.address': new URL(url).hostname,
})

/** Healthy ones first, else in the order of the connections. */
const inOrder = (servers: readonly ServedModel[]): readonly ServedModel[] =>
  servers.length === 1 ? servers : [...servers.filter(isHealthy), ...servers.filter((server) => !isHealthy(server))]

/** Another connection may answer where this one failed, or where its account is what was refused (402, 403). */
const isWorthAnother = (failure: unknown): failure is AppError =>
  failure instanceof AppError &&
  (['provider_failed', 'provider_timeout', 'provider_busy'].includes(failure.code) ||
    [402, 403].includes(statusOf(failure) ?? 0))

/** A stream counts as an answer with its first frame, or when the model is silent after its headers. */
const begun = (answer: DriverAnswer, { call, model, account }: Asking): ModelAnswer | Promise<ModelAnswer> => {
  if (answer.kind === 'whole') return answer
  const flow = new CountedFlow(answer.flow, {
    cutsUsage: !asksForUsage(call),
    model,
    allows: (textBytes) => account.allows(tokensOf(textBytes)),
    onEnd: ({ usage, ...received }) => void account.settle({ told: usage, ...received }),
  })
  return flow.begun.then(() => ({ kind: 'stream', flow }))
}

const asksForUsage = ({ body }: ModelCall): boolean =>
  (body.stream_options as { include_usage?: unknown } | null | undefined)?.include_usage === true

const textLengthIn = (choices: unknown): number =>
  (Array.isArray(choices) ? (choices as { message?: Record<string, unknown> }[]) : [])
    .map(({ message }) => (message ? textLengthOf(message) : 0))
    .reduce((sum, length) => sum + length, 0)

/** Calls of tools are answers too. */
const textLengthOf = ({ content, reasoning_content: reasoning, tool_calls: calls }: Record<string, unknown>): number =>
  (typeof content === 'string' ? content.length : 0) +
  (typeof reasoning === 'string' ? reasoning.length : 0) +
  (Array.isArray(calls) ? JSON.stringify(calls).length : 0)
