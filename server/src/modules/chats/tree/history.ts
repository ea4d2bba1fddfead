/**
 * Merges sent messages into a stored tree. Pure, so that its rules can be tested with any input.
 *
 * - A message is merged field by field; fields that are not sent stay, and no message is dropped.
 * - `parentId` is the tree. `childrenIds` is derived from it on read; as input it only gives a parent to a message that
 *   has none, and unknown ids in it are ignored: their messages may come later.
 * - No message becomes its own ancestor.
 */
import type { MessagePatch } from '@chancery/contract/chats/chats.ts'
import { AppError } from '#kernel/errors.ts'
import { isChanged, type MessageChange, mergeMessage, type StoredMessage } from './merge-message.ts'

export const maxMessages = 10_000
/** Of the JSON of a chat: a message has up to twenty fields, and a name of its own in the history. */
export const maxChatParts = 400_000
export const maxBytes = 8_000_000

export type Patches = ReadonlyMap<string, MessagePatch>
type Parents = ReadonlyMap<string, string | null>

export interface MergePlan {
  /** New ones in the order in which they arrive, and stored ones that differ now. */
  changed: MessageChange[]
  added: number
  /** True when a stored message moved. Only then can a circle run through messages that the merge does not touch. */
  hasMoved: boolean
}

/** Every id that a merge of these messages needs. No other row has to be read. */
export const idsTouchedBy = (patches: Patches): string[] => {
  const ids = new Set(patches.keys())
  for (const { parentId, childrenIds = [] } of patches.values()) {
    if (parentId) ids.add(parentId)
    for (const childId of childrenIds) ids.add(childId)
  }
  return [...ids]
}

/** `stored` holds whatever of `idsTouchedBy` the chat has. */
export const planMerge = (
  stored: ReadonlyMap<string, StoredMessage>,
  patches: Patches,
  { nowSec }: { nowSec: number },
): MergePlan => {
  const parents = linkParents(stored, patches)
  const plan: MergePlan = { changed: [], added: 0, hasMoved: false }
  for (const id of inOrderOfArrival(patches, parents)) {
    const before = stored.get(id)
    const after = mergeMessage(before, { id, patch: patches.get(id) ?? {}, parentId: parents.get(id) ?? null, nowSec })
    if (before && !isChanged(before, after)) continue
    plan.changed.push(after)
    plan.added += before ? 0 : 1
    plan.hasMoved ||= before !== undefined && before.parentId !== after.parentId
  }
  assertTree(parentsIn(plan.changed))
  return plan
}

export const parentsIn = (messages: readonly { id: string; parentId: string | null }[]): Parents =>
  new Map(messages.map(({ id, parentId }) => [id, parentId]))

/** Throws where following parents would never end. An id that the map does not hold counts as a root. */
export const assertTree = (parents: Parents): void => {
  const settled = new Set<string>()
  for (const start of parents.keys()) {
    const path = new Set<string>()
    for (let id: string | null | undefined = start; id && !settled.has(id); id = parents.get(id)) {
      if (path.has(id)) throw new AppError('history_invalid', { detail: `The message ${id} is its own ancestor.` })
      path.add(id)
    }
    for (const passed of path) settled.add(passed)
  }
}

/** The parent of each message that is sent, or that a sent message names as its child. */
const linkParents = (stored: ReadonlyMap<string, StoredMessage>, patches: Patches): Map<string, string | null> => {
  const parents = new Map<string, string | null>()
  for (const [id, { parentId }] of patches) {
    if (parentId && !stored.has(parentId) && !patches.has(parentId))
      throw new AppError('history_invalid', { detail: `The message ${id} names a parent that the chat does not have.` })
    parents.set(id, parentId === undefined ? (stored.get(id)?.parentId ?? null) : parentId)
  }
  for (const [id, { childrenIds = [] }] of patches)
    for (const childId of childrenIds) {
      const isKnown = parents.has(childId) || stored.has(childId)
      const parentId = parents.has(childId) ? parents.get(childId) : stored.get(childId)?.parentId
      if (isKnown && !parentId) parents.set(childId, id)
    }
  return parents
}

/** In the order they were sent, but new siblings in the order in which their parent names them. */
const inOrderOfArrival = (patches: Patches, parents: Parents): string[] => {
  const rank = new Map<string, number>()
  for (const { childrenIds = [] } of patches.values())
    for (const [index, childId] of childrenIds.entries()) rank.set(childId, index)
  const families = Map.groupBy(parents.keys(), (id) => parents.get(id) ?? null)
  const rankOf = (id: string): number => rank.get(id) ?? maxMessages
  for (const siblings of families.values()) siblings.sort((a, b) => rankOf(a) - rankOf(b)).reverse()
  return [...parents].map(([id, parentId]) => families.get(parentId)?.pop() ?? id)
}
