/**
 * Nothing is lost on leaving. Within the app a change is still sent while the next page opens, so only what the server
 * did not take is asked about; closing the window is asked about while anything is not saved.
 */
import { useBlocker } from '@tanstack/react-router'
import { Confirm } from '#ui/dialog.tsx'
import type { SaveState } from '../state/draft-saver.ts'

export function LeavingGuard({ kind }: Pick<SaveState, 'kind'>) {
  const isStuck = kind === 'conflict' || kind === 'failed'
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isStuck && current.pathname !== next.pathname,
    enableBeforeUnload: () => kind !== 'saved',
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
