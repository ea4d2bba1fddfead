/** The rows of the thread: a user message, and the replies to it side by side, one column per model. */
import type { Message } from '@chancery/contract/chats/chats.ts'
import { failureOf } from './parts.ts'
import { childrenOf, columnOf, findMessage, type History, rootsOf, siblingsOf, threadOf } from './tree.ts'

export interface UserRow {
  kind: 'user'
  /** Keyed by position, not by message: switching branches changes what a row shows, not which rows there are. */
  key: string
  message: Message
  siblings: readonly Message[]
}

export interface Column {
  message: Message
  siblings: readonly Message[]
  /** The conversation continues from this one. */
  isActive: boolean
}

export interface ReplyRow {
  kind: 'reply'
  key: string
  columns: readonly Column[]
}

export type Row = UserRow | ReplyRow

function columnsOf(history: History, active: Message, roots: readonly Message[]): Column[] {
  const parent = findMessage(history, active.parentId)
  const replies = parent ? childrenOf(history, parent).filter(({ role }) => role === 'assistant') : []
  const byColumn = Map.groupBy(replies.length === 0 ? [active] : replies, columnOf)
  return [...byColumn.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([index, column]) => {
      const isActive = index === columnOf(active)
      const message = isActive ? active : column.at(-1)
      return message ? [{ message, isActive, siblings: siblingsOf(history, message, [...roots]) }] : []
    })
}

const hasFailed = ({ content, error }: Message) => content === '' && failureOf(error) !== undefined

/** The message that the next one follows. A failed reply gives way to another model's answer to the same question. */
export function continuesFrom(history: History): string | null {
  const current = findMessage(history, history.currentId)
  const parent = findMessage(history, current?.parentId)
  if (!current || !parent || !hasFailed(current)) return history.currentId
  const answer = childrenOf(history, parent).find(
    (other) => other.done === true && !hasFailed(other) && columnOf(other) !== columnOf(current),
  )
  return answer?.id ?? current.id
}

export function rowsOf(history: History): Row[] {
  const roots = rootsOf(history)
  return threadOf(history, continuesFrom(history)).flatMap((message): Row[] => {
    const parent = message.parentId ?? 'first'
    if (message.role === 'user') {
      return [{ kind: 'user', key: `user:${parent}`, message, siblings: siblingsOf(history, message, roots) }]
    }
    if (message.role !== 'assistant') return []
    return [{ kind: 'reply', key: `reply:${parent}`, columns: columnsOf(history, message, roots) }]
  })
}
