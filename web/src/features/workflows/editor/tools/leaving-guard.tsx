/**
 * Nothing is lost on leaving. Within the app leaving waits until the last change is saved, and only what the server did
 * not take is asked about; closing the window is asked about while anything is not saved.
 */
import { useBlocker } from '@tanstack/react-router'
import { Confirm } from '#ui/dialog.tsx'
import { hasPending } from '../pending.ts'
import type { Editing } from '../use-editing.ts'

interface LeavingGuardProps extends Pick<Editing, 'flush' | 'isSaved'> {
  /** Whether a field holds what cannot be taken over. */
  hasDrafts: boolean
}

export function LeavingGuard({ flush, isSaved, hasDrafts }: LeavingGuardProps) {
  const isAllKept = () => isSaved() && !hasDrafts && !hasPending()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false
      await flush()
      return !isAllKept()
    },
    enableBeforeUnload: () => !isAllKept(),
    withResolver: true,
  })
  return (
    <Confirm
      title="Leave without saving?"
      loss="Your last changes are not on the server. They are lost when you leave this page."
      action="Leave and lose them"
      isOpen={status === 'blocked'}
      isPending={false}
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    />
  )
}
