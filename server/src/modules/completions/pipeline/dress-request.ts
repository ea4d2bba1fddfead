/** Parameters, variables and system prompt: the steps that need nothing but what is at hand. */
import type { CompletionBody } from '@chancery/contract/completions.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ResolvedModel } from '#modules/models/index.ts'
import { withSystemPrompt } from './system-prompt.ts'
import { fillIn, fillInMessages, knownVariables, readVariables } from './variables.ts'

interface Undressed {
  actor: Pick<Actor, 'name'>
  body: CompletionBody
  model: Pick<ResolvedModel, 'system' | 'params'>
}

/** In the caller's messages only the variables that the caller sent are replaced; the rest is what they wrote. */
export const dressRequest = ({ clock }: { clock: Clock }, { actor, body, model }: Undressed): CompletionBody => {
  const dressed = withParameters(body, model.params)
  if (!model.system && !body.variables) return dressed
  const given = readVariables(body.variables)
  const messages = fillInMessages(body.messages, given)
  if (!model.system) return { ...dressed, messages }
  const known = knownVariables({ userName: actor.name, now: clock.now() })
  const system = fillIn(model.system, new Map([...known, ...given]))
  return { ...dressed, messages: withSystemPrompt(messages, system) }
}

/** Whether a reply is streamed is the caller's to say: they could not read the other kind. */
const callersOwn = new Set(['stream', 'stream_options'])

/** The model's own, and the request's over them; what the request leaves null it leaves to the model. */
const withParameters = (body: CompletionBody, params: Record<string, unknown>): CompletionBody => {
  const names = Object.keys(params).filter((name) => !callersOwn.has(name))
  if (names.length === 0) return body
  const missing = names.filter((name) => body[name] === undefined || body[name] === null)
  return { ...body, ...Object.fromEntries(missing.map((name) => [name, params[name]])) }
}
