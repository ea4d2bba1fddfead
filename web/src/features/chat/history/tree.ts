/**
 * A conversation is a tree of messages; the screen shows one path. The data comes from many clients, so links may be
 * missing, duplicated or circular: nothing here relies on them.
 */
import type { Message } from '@chancery/contract/chats/chats.ts'

export interface History {
  currentId: string | null
  messages: Readonly<Record<string, Message>>
}

const own = (messages: History['messages'], id: string | null | undefined): Message | undefined =>
  id !== null && id !== undefined && Object.hasOwn(messages, id) ? messages[id] : undefined

export const findMessage = (history: History, id: string | null | undefined) => own(history.messages, id)

/** From the first message to this one. */
export function threadOf(history: History, leafId: string | null): Message[] {
  const thread: Message[] = []
  const seen = new Set<string>()
  for (
    let next = own(history.messages, leafId);
    next && !seen.has(next.id);
    next = own(history.messages, next.parentId)
  ) {
    seen.add(next.id)
    thread.push(next)
  }
  return thread.reverse()
}

export const childrenOf = ({ messages }: History, { childrenIds }: Message): Message[] =>
  [...new Set(childrenIds)].flatMap((id) => own(messages, id) ?? [])

const byTime = (a: Message, b: Message) => a.timestamp - b.timestamp

export const rootsOf = ({ messages }: History): Message[] =>
  Object.values(messages)
    .filter(({ parentId }) => own(messages, parentId) === undefined)
    .sort(byTime)

export const columnOf = (message: Message): number => (typeof message.modelIdx === 'number' ? message.modelIdx : 0)

/** The versions of a message on other branches, including itself: same parent, role and column. */
export function siblingsOf(history: History, message: Message, roots = rootsOf(history)): Message[] {
  const parent = own(history.messages, message.parentId)
  const family = parent ? childrenOf(history, parent) : roots
  const alike = family.filter(({ role }) => role === message.role)
  const siblings = message.role === 'assistant' ? alike.filter((one) => columnOf(one) === columnOf(message)) : alike
  return siblings.some(({ id }) => id === message.id) ? siblings : [...siblings, message]
}

/** The next message of a branch: the child that was continued, else the newest of the first column. */
function nextOf(history: History, message: Message): Message | undefined {
  const children = childrenOf(history, message)
  const continued = children.findLast(({ childrenIds }) => childrenIds.length > 0)
  const first = children[0]
  return continued ?? (first && children.findLast((child) => columnOf(child) === columnOf(first)))
}

export function leafUnder(history: History, id: string): string {
  const seen = new Set<string>()
  let leaf = id
  for (let next = own(history.messages, id); next && !seen.has(next.id); next = nextOf(history, next)) {
    seen.add(next.id)
    leaf = next.id
  }
  return leaf
}

export const isUnder = (history: History, id: string | null, ancestorId: string | null): boolean =>
  ancestorId === null || threadOf(history, id).some((message) => message.id === ancestorId)
