/** A long chat is loaded from its end. What of it is here, and what is missing. Pure. */
import { findMessage, type History, threadOf } from './tree.ts'

/** The first message of the shown thread, if the one before it is not here. */
export function beginningOf(history: History): string | undefined {
  const first = threadOf(history, history.currentId)[0]
  return first && first.parentId !== null ? first.id : undefined
}

export const isWhole = (history: History): boolean =>
  Object.values(history.messages).every(
    ({ parentId, childrenIds }) =>
      (parentId === null || findMessage(history, parentId) !== undefined) &&
      childrenIds.every((id) => findMessage(history, id) !== undefined),
  )

/** What is here already may be newer. */
export const withMore = (history: History, more: History): History => ({
  ...history,
  messages: { ...more.messages, ...history.messages },
})
