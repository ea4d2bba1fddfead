/** A model's tool calls: joined from streamed pieces, and written back into the conversation. */
import type { ChatMessage } from '@chancery/contract/completions.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { Chunk } from './chunk.ts'

export interface ToolCall {
  id: string
  name: string
  /** As the model wrote them; not always JSON. */
  arguments: string
}

export interface ToolCallPieces {
  add(pieces: readonly unknown[]): void
  list(): ToolCall[]
}

/** More than any model asks for in one turn; a broken provider could send an index in the billions. */
export const maxCalls = 64

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Some runtimes send arguments as an object. */
const argumentsOf = (value: unknown): string => (isJsonObject(value) ? JSON.stringify(value) : textOf(value))

export const createToolCallPieces = (): ToolCallPieces => {
  const calls = new Map<number, ToolCall>()
  const callAt = (index: number): ToolCall | undefined => {
    const known = calls.get(index)
    if (known || calls.size >= maxCalls) return known
    const call = { id: '', name: '', arguments: '' }
    calls.set(index, call)
    return call
  }
  return {
    add: (pieces) => {
      for (const [position, piece] of pieces.entries()) {
        if (!isJsonObject(piece)) continue
        const call = callAt(typeof piece.index === 'number' ? piece.index : position)
        const { function: called } = piece
        if (!call || !isJsonObject(called)) continue
        call.id ||= textOf(piece.id)
        call.name += textOf(called.name)
        call.arguments += argumentsOf(called.arguments)
      }
    },
    list: () =>
      [...calls]
        .sort(([one], [other]) => one - other)
        .filter(([, call]) => call.name !== '')
        .map(([index, call]) => ({ ...call, id: call.id || `call_${index}` })),
  }
}

export const assistantTurn = (content: string, calls: readonly ToolCall[]): ChatMessage => ({
  role: 'assistant',
  content: content === '' ? null : content,
  tool_calls: calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  })),
})

export const toolTurn = (call: ToolCall, content: string): ChatMessage => ({
  role: 'tool',
  tool_call_id: call.id,
  name: call.name,
  content,
})

/** The chunk without its tool calls; null if nothing is left. */
export const withoutToolCalls = (chunk: Chunk): Chunk | null => {
  const { choices } = chunk
  if (!Array.isArray(choices)) return chunk
  const shown = choices.map(withoutCalls).filter((choice) => choice !== null)
  return shown.length === 0 && choices.length > 0 ? null : { ...chunk, choices: shown }
}

const withoutCalls = (choice: unknown): unknown => {
  if (!isJsonObject(choice)) return choice
  const { delta, finish_reason } = choice
  if (finish_reason === 'tool_calls') return null
  if (!isJsonObject(delta) || !('tool_calls' in delta)) return choice
  const { tool_calls: _hidden, ...rest } = delta
  return Object.keys(rest).length === 0 ? null : { ...choice, delta: rest }
}
