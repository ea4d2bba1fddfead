/**
 * Delayed deletions that can be undone. Until then the chat is only hidden; a page that is closed in the meantime sends
 * them while unloading.
 */
import { useSyncExternalStore } from 'react'
import { undoMs } from '#ui/toast.tsx'

interface Waiting {
  timer: ReturnType<typeof setTimeout>
  send: () => void
}

const waiting = new Map<string, Waiting>()
let hidden: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function tell() {
  hidden = new Set(waiting.keys())
  for (const listener of listeners) listener()
}

/** Calls `send` when the undo time is over. */
export function deleteSoon(id: string, send: () => Promise<void>) {
  const finish = () => {
    const entry = waiting.get(id)
    if (!entry) return
    clearTimeout(entry.timer)
    // Hidden until the server has answered, or the list would show it again.
    void send().finally(() => {
      waiting.delete(id)
      tell()
    })
  }
  waiting.set(id, { timer: setTimeout(finish, undoMs), send: finish })
  tell()
}

export function takeBack(id: string) {
  clearTimeout(waiting.get(id)?.timer)
  waiting.delete(id)
  tell()
}

window.addEventListener('pagehide', () => {
  for (const { send } of waiting.values()) send()
})

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Chats that are about to be deleted. */
export const useHidden = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => hidden)
