/**
 * Prevents losing changes. Navigation inside the app waits for the last save and asks only if it failed; closing the
 * window asks while anything is unsaved.
 */
import { useBlocker } from '@tanstack/react-router'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { hasPending } from '../pending.ts'
import type { Editing } from '../use-editing.ts'

interface UnsavedGuardProps extends Pick<Editing, 'flush' | 'isSaved'> {
  /** True if a field contains text that can't be applied. */
  hasDrafts: boolean
}

export function UnsavedGuard({ flush, isSaved, hasDrafts }: UnsavedGuardProps) {
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
      loss="Your latest changes haven’t been saved. If you leave this page, they will be lost."
      action="Leave without saving"
      isOpen={status === 'blocked'}
      isPending={false}
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    />
  )
}
