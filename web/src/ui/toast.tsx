/** Toasts. Announced by a live region that is on the page from the start. */
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { onForget } from '#lib/forget-tab.ts'
import { createListeners } from '#lib/listeners.ts'
import { Button, IconButton } from './button.tsx'

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

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id))

function show(toast: Omit<Toast, 'id'>, shownMs = visibleMs) {
  lastId += 1
  const id = lastId
  change([...toasts.slice(-2), { ...toast, id }])
  setTimeout(() => dismiss(id), shownMs)
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

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-4 z-50 flex flex-col items-center gap-2"
    >
      {shown.map(({ id, tone, text, action }) => {
        const Icon = tone === 'good' ? CircleCheck : CircleAlert
        return (
          <div
            key={id}
            className="pointer-events-auto flex max-w-md animate-rise items-center gap-3 rounded-panel bg-raised py-2 pr-2 pl-4 shadow-float"
          >
            <Icon aria-hidden className={`size-4 shrink-0 ${tone === 'good' ? 'text-ok' : 'text-bad'}`} />
            <p className="min-w-0">{text}</p>
            {action && (
              <Button
                size="small"
                onClick={() => {
                  dismiss(id)
                  action.run()
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton label="Dismiss" icon={X} onClick={() => dismiss(id)} />
          </div>
        )
      })}
    </section>
  )
}
