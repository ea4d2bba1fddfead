/** Deletions of chats that can be undone for a few seconds. Until they are sent the chat is only hidden. */
import { createDelayedActions } from '#lib/tab/delayed-actions.ts'
import { undoMs } from '#ui/feedback/toast.ts'

const deletions = createDelayedActions<undefined>()

/** Calls `send` when the undo time is over. */
export const deleteSoon = (id: string, send: () => Promise<void>) =>
  deletions.add(id, { item: undefined, send, undoMs })

export const takeBack = deletions.undo

/** Chats that are about to be deleted. */
export const useHidden = deletions.useWaiting
