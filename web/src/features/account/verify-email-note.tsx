/** Offers to mail the link that proves the address, as long as it is unproven. */
import { useMutation } from '@tanstack/react-query'
import { usePerson } from '#lib/viewer.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/toast.tsx'
import { resendVerification } from './api.ts'

export function VerifyEmailNote() {
  const me = usePerson()
  const send = useMutation({
    mutationFn: resendVerification,
    onSuccess: () => toast.done(`We sent a link to ${me.email}.`),
    onError: toast.failed,
  })
  if (me.emailVerified) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div>
        <p className="font-medium">Email not verified</p>
        <p className="max-w-prose text-faint text-sm">
          Verify {me.email} to keep your claim on it. Somebody who proves it first gets the address.
        </p>
      </div>
      <Button isPending={send.isPending} onClick={() => send.mutate()}>
        Send verification email
      </Button>
    </div>
  )
}
