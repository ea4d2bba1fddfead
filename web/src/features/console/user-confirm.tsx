/** Asks before somebody's account is cut off. */
import type { UserRow } from '@chancery/contract/platform.ts'
import { Confirm } from '#ui/dialog.tsx'

interface UserConfirmProps {
  leaving: UserRow | undefined
  isPending: boolean
  onConfirm: (row: UserRow) => void
  onClose: () => void
}

export function UserConfirm({ leaving, isPending, onConfirm, onClose }: UserConfirmProps) {
  return (
    <Confirm
      title={`Deactivate ${leaving?.name}?`}
      loss={`The sessions and keys of ${leaving?.email} stop at once, and they cannot sign in until you reactivate them. Nothing of theirs is deleted.`}
      action="Deactivate"
      isOpen={leaving !== undefined}
      isPending={isPending}
      onConfirm={() => leaving && onConfirm(leaving)}
      onClose={onClose}
    />
  )
}
