/** Asks before someone loses rights. If the server rejects it (the last admin must stay), the error is shown here. */
import type { Member } from '@chancery/contract/team.ts'
import { useRef } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { useChangeMember } from './api.ts'

type Loss = 'demote' | 'deactivate'

interface ChangeConfirmProps {
  asked: { member: Member; change: Loss } | undefined
  ownId: string
  onClose: () => void
}

const words: Record<Loss, { action: string; title: (name: string) => string; loss: (email: string) => string }> = {
  demote: {
    action: 'Remove admin role',
    title: (name) => `Remove admin role from ${name}?`,
    loss: (email) => `${email} can no longer invite people, change roles or manage sign-in.`,
  },
  deactivate: {
    action: 'Deactivate',
    title: (name) => `Deactivate ${name}?`,
    loss: (email) =>
      `${email} is signed out immediately, their API keys stop working, and they can’t sign in until you reactivate them. Nothing is deleted, and their seat becomes free.`,
  },
}

export function ChangeConfirm({ asked, ownId, onClose }: ChangeConfirmProps) {
  const change = useChangeMember()
  // The text stays while the dialog fades out.
  const last = useRef(asked)
  last.current = asked ?? last.current
  if (last.current === undefined) return null
  const { member, change: kind } = last.current
  const { action, title, loss } = words[kind]
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <Confirm
      title={title(member.name)}
      loss={
        <div className="flex flex-col gap-3">
          <p>{loss(member.email)}</p>
          {member.id === ownId && (
            <p className="font-medium text-ink">This is your own account: you’ll lose these rights yourself.</p>
          )}
          <FormFailure error={change.error instanceof ApiError ? change.error : undefined} />
        </div>
      }
      action={action}
      isOpen={asked !== undefined}
      isPending={change.isPending}
      onConfirm={() => change.mutate({ member, change: kind }, { onSuccess: close })}
      onClose={close}
    />
  )
}
