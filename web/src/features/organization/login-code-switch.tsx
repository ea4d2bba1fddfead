/** Whether everybody's login asks for a mailed code. It moves at once, and back again should the server refuse. */
import type { Organization } from '@chancery/contract/organizations.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Switch } from '#ui/choices.tsx'
import { toast } from '#ui/toast.tsx'
import { useSaveOrganization } from './api.ts'

export function LoginCodeSwitch({ organization: { loginOtp } }: { organization: Organization }) {
  const save = useSaveOrganization()
  const [wanted, setWanted] = useState<boolean>()
  const change = useMutation({
    mutationFn: (isOn: boolean) => save({ loginOtp: isOn }),
    onSuccess: (_, isOn) =>
      toast.done(isOn ? 'Everybody gets a login code now.' : 'Login codes are each person’s own.'),
    onError: toast.failed,
    onSettled: () => setWanted(undefined),
  })
  return (
    <Switch
      label="Login code for everybody"
      help="After the password, every member types a six-digit code from their mail. Off, each person decides."
      isOn={wanted ?? loginOtp}
      isPending={wanted !== undefined}
      onChange={(isOn) => {
        setWanted(isOn)
        change.mutate(isOn)
      }}
    />
  )
}
