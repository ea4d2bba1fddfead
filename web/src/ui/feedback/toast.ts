/** The toasts on screen. Apart from their component, so that code that only shows a toast needs no JSX. */

import { createListeners } from '#lib/browser/listeners.ts'
import { onForget } from '#lib/tab/forget-tab.ts'

interface ToastAction {
  label: string
  run: () => void
}

interface Toast {
  id: number
  tone: 'good' | 'bad'
  text: string
  action?: ToastAction
}

const visibleMs = 6000
/** Long enough to read it and reach the button. */
export const undoMs = 8000
let toasts: readonly Toast[] = []
let lastId = 0
const { subscribe, tell } = createListeners()

function change(next: readonly Toast[]) {
  toasts = next
  tell()
}

export const dismissToast = (id: number) => change(toasts.filter((toast) => toast.id !== id))

function show(toast: Omit<Toast, 'id'>, shownMs = visibleMs) {
  lastId += 1
  const id = lastId
  change([...toasts.slice(-2), { ...toast, id }])
  setTimeout(() => dismissToast(id), shownMs)
}

/** Only what can be undone: a failure of the last action is still shown. */
onForget(() => change(toasts.filter(({ action }) => action === undefined)))

export const toast = {
  done: (text: string) => show({ tone: 'good', text }),
  /** Confirms an action and offers to undo it. */
  undoable: (text: string, undo: () => void, shownMs = undoMs) =>
    show({ tone: 'good', text, action: { label: 'Undo', run: undo } }, shownMs),
  failed: (error: unknown) =>
    show({ tone: 'bad', text: error instanceof Error ? error.message : 'Something went wrong.' }),
}

export const subscribeToToasts = subscribe
export const shownToasts = (): readonly Toast[] => toasts
