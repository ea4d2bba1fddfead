/**
 * Puts the pieces of a streamed reply into blocks in sequence: a block never continues after the next has started. Servers
 * may interleave the pieces of several tool calls. Then only the first is sent as it grows, and the others wait until it
 * is complete or the reply ends. Nothing is lost, and pieces in the usual order never wait.
 */
import { JsonProgress } from '#kernel/json/json-progress.ts'
import { argumentsOf, type Thought, type ToolCall } from './completion.ts'

export type BlockEvent = Record<string, unknown> & { type: string }

interface Block {
  kind: 'text' | 'thinking' | 'redacted_thinking' | 'tool_use'
  unsent: string
  isOpen: boolean
  signature: string
  call?: { index: number | undefined; id: string; name: string; arguments: JsonProgress }
}

/** More than any model calls at once. Each piece is held against all that wait. */
const maxWaiting = 200

export interface BlockQueue {
  text(piece: string): BlockEvent[]
  thought(piece: Thought): BlockEvent[]
  toolCall(piece: ToolCall): BlockEvent[]
  /** Closes all open and waiting blocks. */
  end(): BlockEvent[]
}

export const createBlockQueue = ({ makeCallId }: { makeCallId(index: number): string }): BlockQueue => {
  const blocks: Block[] = []
  let index = 0

  const add = (kind: Block['kind'], unsent: string): Block => {
    const block = { kind, unsent, isOpen: false, signature: '' }
    blocks.push(block)
    return block
  }
  const events = (isLast = false): BlockEvent[] => {
    const made: BlockEvent[] = []
    for (let head = blocks[0]; head; head = blocks[0]) {
      if (!head.isOpen) {
        if (!isLast && head.call?.name === '') break
        head.isOpen = true
        made.push({ type: 'content_block_start', index, content_block: emptyBlock(head, makeCallId(index)) })
      }
      if (head.unsent !== '' && head.kind !== 'redacted_thinking')
        made.push({ type: 'content_block_delta', index, delta: deltaOf(head) })
      head.unsent = ''
      if (!isLast && (blocks.length === 1 || !isWhole(head))) break
      if (head.signature !== '')
        made.push({ type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: head.signature } })
      made.push({ type: 'content_block_stop', index })
      blocks.shift()
      index += 1
    }
    return made
  }

  return {
    text: (piece) => {
      const last = blocks.at(-1)
      if (last?.kind === 'text') last.unsent += piece
      else add('text', piece)
      return events()
    },
    thought: (piece) => {
      if (piece.type === 'redacted_thinking') add(piece.type, piece.data)
      else {
        const last = blocks.at(-1)
        const isNext = last?.kind !== 'thinking' || (last.signature !== '' && piece.thinking !== '')
        const block = isNext ? add('thinking', '') : last
        block.unsent += piece.thinking
        block.signature += piece.signature
      }
      return events()
    },
    toolCall: (piece) => {
      const found = blocks.findLast((block) => isOfCall(block, piece))
      if (!found && ((!piece.id && !piece.function?.name) || blocks.length >= maxWaiting)) return []
      const block = found ?? add('tool_use', '')
      const text = argumentsOf(piece)
      block.call ??= { index: piece.index, id: piece.id ?? '', name: '', arguments: new JsonProgress() }
      block.call.name ||= piece.function?.name ?? ''
      block.call.arguments.add(text)
      block.unsent += text
      return events()
    },
    end: () => events(true),
  }
}

/** By its index; but servers with wrong indexes give each call its own id, and some send neither. */
const isOfCall = (block: Block, piece: ToolCall): boolean => {
  const { call } = block
  if (!call) return false
  if (piece.id && call.id && piece.id !== call.id) return false
  const name = piece.function?.name
  if (name && call.name && !piece.id && (name !== call.name || isWhole(block))) return false
  return piece.index === undefined || call.index === undefined || piece.index === call.index
}

const isWhole = ({ call }: Block): boolean => !call || call.arguments.isWhole

const emptyBlock = ({ kind, unsent, call }: Block, generatedId: string): Record<string, unknown> => {
  switch (kind) {
    case 'text':
      return { type: kind, text: '', citations: null }
    case 'thinking':
      return { type: kind, thinking: '', signature: '' }
    case 'redacted_thinking':
      return { type: kind, data: unsent }
    case 'tool_use':
      return { type: kind, id: call?.id || generatedId, name: call?.name ?? '', input: {} }
  }
}

const deltaOf = ({ kind, unsent }: Block): Record<string, unknown> => {
  if (kind === 'text') return { type: 'text_delta', text: unsent }
  return kind === 'thinking'
    ? { type: 'thinking_delta', thinking: unsent }
    : { type: 'input_json_delta', partial_json: unsent }
}
