/** A model's tool calls: joined from streamed pieces, and written back into the conversation. */
import type { ChatMessage } from '@chancery/contract/chats/completions.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import { JsonProgress } from '#kernel/json/json-progress.ts'
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

interface OpenCall extends ToolCall {
  index: number
  progress: JsonProgress
}

/**
 * Pieces belong to a call by their index, or by their position where there is none. Some servers give every call the same
 * index, so a piece with another id or name, or with a name after the arguments are complete, starts a call of its own.
 */
export const createToolCallPieces = (): ToolCallPieces => {
  const calls: OpenCall[] = []
  const callFor = (index: number, id: string, name: string): OpenCall | undefined => {
    const current = calls.findLast((call) => call.index === index)
    if (current && !isOther(current, id, name)) return current
    if (calls.length >= maxCalls) return undefined
    const call = { index, id: '', name: '', arguments: '', progress: new JsonProgress() }
    calls.push(call)
    return call
  }
  return {
    add: (pieces) => {
      for (const [position, piece] of pieces.entries()) {
        if (!isJsonObject(piece) || !isJsonObject(piece.function)) continue
        const [id, name] = [textOf(piece.id), textOf(piece.function.name)]
        const call = callFor(typeof piece.index === 'number' ? piece.index : position, id, name)
        if (!call) continue
        call.id ||= id
        call.name ||= name
        const text = argumentsOf(piece.function.arguments)
        call.arguments += text
        call.progress.add(text)
      }
    },
    list: () =>
      calls
        .filter(({ name }) => name !== '')
        .map(({ id, name, arguments: text }, index) => ({ id: id || `call_${index}`, name, arguments: text })),
  }
}

const isOther = (call: OpenCall, id: string, name: string): boolean => {
  if (id !== '' && call.id !== '') return id !== call.id
  return name !== '' && call.name !== '' && (name !== call.name || call.progress.isWhole)
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

/** The chunk without its tool calls, and without its `finish_reason` if the reply continues; null if nothing is left. */
export const withoutToolCalls = (chunk: Chunk, { continues }: { continues: boolean }): Chunk | null => {
  const { choices } = chunk
  if (!Array.isArray(choices)) return chunk
  const shown = choices.map((choice) => withoutCalls(choice, continues)).filter((choice) => choice !== null)
  return shown.length === 0 && choices.length > 0 ? null : { ...chunk, choices: shown }
}

const withoutCalls = (choice: unknown, continues: boolean): unknown => {
  if (!isJsonObject(choice)) return choice
  const { delta, finish_reason: reason } = choice
  const { tool_calls: hidden, ...rest } = isJsonObject(delta) ? delta : {}
  if (reason === null || reason === undefined) {
    if (hidden === undefined) return choice
    return Object.keys(rest).length === 0 ? null : { ...choice, delta: rest }
  }
  // The model gets no more tools and still asks for one: to the caller the reply simply ends.
  if (!continues) return { ...choice, delta: rest, finish_reason: reason === 'tool_calls' ? 'stop' : reason }
  return Object.keys(rest).length === 0 ? null : { ...choice, delta: rest, finish_reason: null }
}
