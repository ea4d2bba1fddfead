/** Pieces and frames of one reply that hold nothing but text, as one. Undefined for all others, which keep their place. Pure. */
import type { ReplyFrame } from '@chancery/contract/chats/events.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Chunk } from '../rounds/chunk.ts'
import type { Piece } from '../rounds/run-rounds.ts'

export const joinPieces = (one: Piece, next: Piece): Piece | undefined => {
  if (one.kind !== 'chunk' || next.kind !== 'chunk') return undefined
  const [said, more] = [textIn(one.chunk), textIn(next.chunk)]
  if (!said || !more || said.field !== more.field || said.index !== more.index) return undefined
  const delta = { ...said.delta, [said.field]: said.text + more.text }
  return { kind: 'chunk', chunk: { ...one.chunk, choices: [{ ...said.choice, delta }] } }
}

interface Said {
  choice: Record<string, unknown>
  index: unknown
  delta: Record<string, unknown>
  field: string
  text: string
}

const textFields = new Set(['content', 'reasoning_content', 'reasoning'])

/** Of a chunk that holds one text and nothing else that a caller could miss. */
const textIn = ({ choices, usage }: Chunk): Said | undefined => {
  const [choice, ...others] = Array.isArray(choices) ? choices : []
  if (!isJsonObject(choice) || others.length > 0 || isJsonObject(usage) || !isJsonObject(choice.delta)) return undefined
  const { delta, index, finish_reason: reason, logprobs, ...rest } = choice
  if (reason != null || logprobs != null || Object.keys(rest).length > 0) return undefined
  const said = Object.entries(delta).filter(([name, value]) => name !== 'role' && value !== null)
  const [[field, text] = [], ...more] = said
  if (field === undefined || typeof text !== 'string' || more.length > 0 || !textFields.has(field)) return undefined
  return { choice, index, delta, field, text }
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
