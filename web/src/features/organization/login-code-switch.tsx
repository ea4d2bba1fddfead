/** Requires an emailed code at every member's sign-in. Optimistic; rolled back if the server rejects it. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { NoMailNote } from '#data/no-mail-note.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { useSaveOrganization } from './api.ts'

export function LoginCodeSwitch({ organization: { loginOtp } }: { organization: Organization }) {
  const save = useSaveOrganization()
  const [wanted, setWanted] = useState<boolean>()
  const change = useMutation({
    mutationFn: (isOn: boolean) => save({ loginOtp: isOn }),
    onSuccess: (_, isOn) => toast.done(isOn ? 'Login code required for everyone' : 'Login code optional'),
    onError: toast.failed,
    onSettled: () => setWanted(undefined),
  })
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="Require a login code"
        help="After the password, every member enters a six-digit code from an email. When off, each person decides."
        isOn={wanted ?? loginOtp}
        isPending={wanted !== undefined}
        onChange={(isOn) => {
          setWanted(isOn)
          change.mutate(isOn)
        }}
      />
      <NoMailNote>Members would have to ask your platform admin for each code.</NoMailNote>
    </div>
  )
}
