/** Offers to send a verification email until the address is verified. */
import { useMutation } from '@tanstack/react-query'
import { useHasMailServer } from '#data/mail-server.ts'
import { NoMailNote } from '#data/no-mail-note.tsx'
import { usePerson } from '#data/viewer.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { resendVerification } from './api.ts'

export function VerifyEmailNote() {
  const me = usePerson()
  const hasMail = useHasMailServer() !== false
  const send = useMutation({
    mutationFn: resendVerification,
    onSuccess: () => toast.done(`We sent a link to ${me.email}.`),
    onError: toast.failed,
  })
  if (me.emailVerified) return null
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-4 border-t pt-5">
      <div>
        <p className="font-medium">Email not verified</p>
        <p className="max-w-prose text-faint text-sm">
          Verify {me.email} to keep it. If someone else verifies this address first, it goes to them.
        </p>
      </div>
      {hasMail && (
        <Button isPending={send.isPending} onClick={() => send.mutate()}>
          Send verification email
        </Button>
      )}
      <div className="basis-full empty:hidden">
        <NoMailNote>Only a link that reaches you by email can verify your address.</NoMailNote>
      </div>
    </div>
  )
}
