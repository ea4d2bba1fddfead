/**
 * One call of a model: reserved in the caller's allowance, tried at the backends that serve it, and recorded once, however
 * it ends. When a backend fails before its first byte the next one is tried; after that the caller sees the failure, since
 * half an answer cannot be taken back.
 */
import { AppError } from '#kernel/errors.ts'
import type { Meter, Use } from '#kernel/meter.ts'
import { priceOf } from '../connections/connection.ts'
import { isPauseError } from '../connections/connection-health.ts'
import { isHealthy, type ServedModel } from '../connections/live-connection.ts'
import type { DriverAnswer } from '../drivers/driver.ts'
import type { ModelAnswer, ModelCall } from '../interface.ts'
import type { ModelChain } from '../records/model-chain.ts'
import { knownFields } from '../stream/clean-frames.ts'
import { CountedFlow, type StreamEnd } from '../stream/counted-flow.ts'
import { callTokensOf, promptTokensOf, readUsage, tokensOf } from '../stream/estimate.ts'
import { statusOf } from '../stream/provider-errors.ts'
import { answerOf } from './source-answer.ts'

export interface Target {
  /** As the caller named it. */
  id: string
  end: ModelChain['end']
}

interface Deps {
  meter: Meter
  newId(): string
  nowSec(): number
}

export const callModel = async (deps: Deps, target: Target, call: ModelCall): Promise<ModelAnswer> => {
  const reserving = deps.meter.reserve(call.actor, () => callTokensOf(call.body))
  const reservation = reserving instanceof Promise ? await reserving : reserving
  const record = (use: Omit<Use, 'model'>): void =>
    deps.meter.record(call.actor, { model: target.id, ...use }, reservation)
  // A caller who stops a reply doesn't make it a failed request.
  const isFailure = (): boolean => !call.signal.aborted
  const onEnd = ({ usage, textBytes, failed }: StreamEnd): void =>
    record({
      promptTokens: usage?.promptTokens ?? promptTokensOf(call.body.messages),
      completionTokens: usage?.completionTokens ?? tokensOf(textBytes),
      failed: failed && isFailure(),
    })
  try {
    const answer = await askEnd(deps, target, { call, model: target.id, onEnd })
    if (answer.kind === 'stream') return answer
    const completion = knownFields(answer.completion)
    completion.model = target.id
    record({ ...usageOfWhole(completion, call), failed: false })
    return { kind: 'whole', completion }
  } catch (problem) {
    record({ promptTokens: 0, completionTokens: 0, failed: isFailure() })
    throw problem
  }
}

interface Asking {
  call: ModelCall
  /** The caller's name for it. */
  model: string
  onEnd(end: StreamEnd): void
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
      const answer = await connection.attempt({ modelId: listed.id, caller: actor.id }, async () =>
        begun(await connection.driver.chat(connection.client, { nativeId: listed.id, body, signal }), asking),
      )
      asking.call.onAnswer?.({ price: priceOf(connection.settings, listed.id) })
      return answer
    } catch (failure) {
      if (!isWorthAnother(failure)) throw failure
      // A backend's own answer says more than that another one is paused.
      problem = problem === undefined || !isPauseError(failure) ? failure : problem
    }
  throw problem
}

/** Healthy ones first, else in the order of the connections. */
const inOrder = (servers: readonly ServedModel[]): readonly ServedModel[] =>
  servers.length === 1 ? servers : [...servers.filter(isHealthy), ...servers.filter((server) => !isHealthy(server))]

/** Another connection may answer where this one failed, or where its account is what was refused (402, 403). */
const isWorthAnother = (failure: unknown): failure is AppError =>
  failure instanceof AppError &&
  (['provider_failed', 'provider_timeout', 'provider_busy'].includes(failure.code) ||
    [402, 403].includes(statusOf(failure) ?? 0))

/** A stream counts as an answer with its first frame, or when the model is silent after its headers. */
const begun = (answer: DriverAnswer, { call, model, onEnd }: Asking): ModelAnswer | Promise<ModelAnswer> => {
  if (answer.kind === 'whole') return answer
  const flow = new CountedFlow(answer.flow, { cutsUsage: !asksForUsage(call), model, onEnd })
  return flow.begun.then(() => ({ kind: 'stream', flow }))
}

const asksForUsage = ({ body }: ModelCall): boolean =>
  (body.stream_options as { include_usage?: unknown } | null | undefined)?.include_usage === true

const usageOfWhole = ({ usage, choices }: Record<string, unknown>, { body }: ModelCall) =>
  readUsage(usage) ?? {
    promptTokens: promptTokensOf(body.messages),
    completionTokens: tokensOf(textIn(choices).length),
  }

const textIn = (choices: unknown): string =>
  (Array.isArray(choices) ? (choices as { message?: { content?: unknown } }[]) : [])
    .map(({ message }) => (typeof message?.content === 'string' ? message.content : ''))
    .join('')
