/**
 * Neighbouring pieces and frames of one reply as one that says the same, so that what waits for a reader costs little more
 * than its text. Undefined for what can't be joined and keeps its place. Pure.
 */
import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Chunk } from '../rounds/chunk.ts'
import type { Piece } from '../rounds/run-rounds.ts'

type Fields = Record<string, unknown>

export const joinPieces = (one: Piece, next: Piece): Piece | undefined => {
  if (one.kind !== 'chunk' || next.kind !== 'chunk') return undefined
  const choices = joinLists(choicesIn(one.chunk), choicesIn(next.chunk), joinChoices)
  if (!choices) return undefined
  const usage = next.chunk.usage ?? one.chunk.usage
  return { kind: 'chunk', chunk: { ...one.chunk, choices, ...(usage !== undefined && { usage }) } }
}

const choicesIn = ({ choices }: Chunk): unknown[] => (Array.isArray(choices) ? choices : [])

type Join = (one: Fields, next: Fields) => Fields | undefined

/** Items of the same `index` become one. Undefined where one of them can't be joined, or there are none. */
const joinLists = (ones: readonly unknown[], nexts: readonly unknown[], join: Join): unknown[] | undefined => {
  const all = [...ones]
  if (all.length === 0 || nexts.length === 0) return undefined
  for (const next of nexts) {
    if (!isJsonObject(next)) return undefined
    const at = all.findLastIndex((one) => isJsonObject(one) && one.index === next.index)
    const one = all[at]
    const both = isJsonObject(one) ? join(one, next) : next
    if (!both) return undefined
    if (at === -1) all.push(both)
    else all[at] = both
  }
  return all
}

const joinChoices: Join = (one, next) => {
  const { delta, index: _index, finish_reason: reason, logprobs, ...rest } = next
  const isOpen = one.finish_reason == null && reason == null && Object.keys(rest).length === 0
  if (!isOpen || !isJsonObject(one.delta) || !isJsonObject(delta)) return undefined
  const joined = joinFields(one.delta, delta, { tool_calls: joinCalls })
  const chances = joinFields({ logprobs: one.logprobs }, { logprobs }, { logprobs: joinChances })
  return joined && chances && { ...one, delta: joined, ...(chances.logprobs != null && chances) }
}

type Joins = Record<string, (one: unknown, next: unknown) => unknown>

const growing = new Set(['content', 'reasoning_content', 'reasoning', 'refusal', 'arguments'])
const lasting = new Set(['role', 'type', 'id', 'name', 'index'])

const joinFields = (one: Fields, next: Fields, joins: Joins = {}): Fields | undefined => {
  const joined = { ...one }
  for (const [name, value] of Object.entries(next)) {
    if (value === null || value === undefined) continue
    const before = joined[name]
    if (before === null || before === undefined) joined[name] = value
    else if (growing.has(name) && typeof before === 'string' && typeof value === 'string') joined[name] = before + value
    else if (!lasting.has(name)) joined[name] = joins[name]?.(before, value)
    if (joined[name] === undefined) return undefined
  }
  return joined
}

const joinCalls = (one: unknown, next: unknown): unknown =>
  Array.isArray(one) && Array.isArray(next) ? joinLists(one, next, joinCall) : undefined

/** Some servers give every call the same index. */
const joinCall: Join = (one, next) =>
  next.id != null && next.id !== one.id ? undefined : joinFields(one, next, { function: joinFunctions })

const joinFunctions = (one: unknown, next: unknown): unknown =>
  isJsonObject(one) && isJsonObject(next) ? joinFields(one, next) : undefined

/** How probable each token was. */
const joinChances = (one: unknown, next: unknown): unknown => {
  const isKnown = isJsonObject(one) && isJsonObject(next) && Array.isArray(one.content) && Array.isArray(next.content)
  return isKnown ? { ...one, content: [...(one.content as unknown[]), ...(next.content as unknown[])] } : undefined
}

/** The size of a chunk's contents in characters. */
export const contentsOf = (chunk: Chunk): number => {
  let size = 0
  for (const choice of choicesIn(chunk)) {
    if (!isJsonObject(choice)) continue
    if (choice.logprobs != null) size += JSON.stringify(choice.logprobs).length
    if (!isJsonObject(choice.delta)) continue
    for (const value of Object.values(choice.delta))
      if (typeof value === 'string') size += value.length
      else if (value !== null && value !== undefined) size += JSON.stringify(value).length
  }
  return size
}

export const joinFrames = (one: ReplyFrame, next: ReplyFrame): ReplyFrame | undefined => {
  const [said, more] = [deltaIn(one), deltaIn(next)]
  if (!said || !more) return undefined
  const reasoning = (said.reasoning_content ?? '') + (more.reasoning_content ?? '')
  const content = (said.content ?? '') + (more.content ?? '')
  const delta = { ...(reasoning && { reasoning_content: reasoning }), ...(content && { content }) }
  return { seq: next.seq, choices: [{ index: 0, delta }] }
}

const deltaIn = ({ seq: _seq, choices, ...rest }: ReplyFrame) =>
  Object.keys(rest).length === 0 ? choices?.[0]?.delta : undefined
