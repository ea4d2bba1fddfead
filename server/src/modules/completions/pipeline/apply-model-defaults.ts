/** A model's own parameters and system prompt under those of the request, with variables filled in. Pure. */
import type { ChatMessage, CompletionBody } from '@chancery/contract/chats/completions.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { allowedOf, type ResolvedModel } from '#modules/models/index.ts'
import { fillIn, fillInMessages, growthBudget, knownVariables, readVariables } from './variables.ts'

interface Input {
  actor: Pick<Actor, 'name' | 'role' | 'organizationId'>
  body: CompletionBody
  model: Pick<ResolvedModel, 'system' | 'params' | 'isPrivate'>
}

/** In the caller's messages only the variables that the caller sent are replaced; the rest is what they wrote. */
export const applyModelDefaults = ({ clock }: { clock: Clock }, { actor, body, model }: Input): CompletionBody => {
  const withDefaults = withParameters(allowedOf({ actor, model }, body), model.params)
  if (!model.system && !body.variables) return withDefaults
  const given = readVariables(body.variables)
  const budget = growthBudget()
  const messages = fillInMessages(body.messages, given, budget)
  if (!model.system) return { ...withDefaults, messages }
  const known = knownVariables({ userName: actor.name, now: clock.now() })
  const system = fillIn(model.system, new Map([...known, ...given]), budget)
  return { ...withDefaults, messages: withSystemPrompt(messages, system) }
}

/** Only the caller decides whether a reply is streamed: they could not read the other kind. */
const callersOwn = new Set(['stream', 'stream_options'])

/** The request's parameters win; a null in the request leaves the choice to the model. */
const withParameters = (body: CompletionBody, params: Record<string, unknown>): CompletionBody => {
  const names = Object.keys(params).filter((name) => !callersOwn.has(name))
  if (names.length === 0) return body
  const missing = names.filter((name) => body[name] === undefined || body[name] === null)
  return { ...body, ...Object.fromEntries(missing.map((name) => [name, params[name]])) }
}

/** There is at most one system message, since many models accept no second one. */
const withSystemPrompt = (messages: ChatMessage[], prompt: string): ChatMessage[] => {
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{ role: 'system', content: prompt }, ...messages]
  const { content } = first
  if (Array.isArray(content)) return [{ ...first, content: [{ type: 'text', text: prompt }, ...content] }, ...rest]
  return [{ ...first, content: content ? `${prompt}\n\n${content}` : prompt }, ...rest]
}
