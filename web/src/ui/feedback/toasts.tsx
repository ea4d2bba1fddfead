/** Toasts. Announced by a live region that is on the page from the start. */
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { dismissToast, shownToasts, subscribeToToasts } from './toast.ts'

export function Toasts() {
  const shown = useSyncExternalStore(subscribeToToasts, shownToasts)
  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-4 z-60 flex flex-col items-center gap-2"
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
                  dismissToast(id)
                  action.run()
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton label="Dismiss" icon={X} onClick={() => dismissToast(id)} />
          </div>
        )
      })}
    </section>
  )
}
