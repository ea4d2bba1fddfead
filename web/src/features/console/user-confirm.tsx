/** Asks before deactivating an account. */
import type { UserRow } from '@chancery/contract/platform.ts'
import { Confirm } from '#ui/overlay/dialog.tsx'

interface UserConfirmProps {
  deactivating: UserRow | undefined
  isPending: boolean
  onConfirm: (row: UserRow) => void
  onClose: () => void
}

export function UserConfirm({ deactivating, isPending, onConfirm, onClose }: UserConfirmProps) {
  return (
    <Confirm
      title={`Deactivate ${deactivating?.name}?`}
      loss={`${deactivating?.email} is signed out immediately, their API keys stop working, and they can’t sign in until you reactivate them. Nothing is deleted.`}
      action="Deactivate"
      isOpen={deactivating !== undefined}
      isPending={isPending}
      onConfirm={() => deactivating && onConfirm(deactivating)}
      onClose={onClose}
    />
  )
}
