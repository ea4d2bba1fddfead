/** Switches the emailed login code on or off. Optimistic; rolled back if the server rejects it. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { usePerson } from '#lib/viewer.ts'
import { Switch } from '#ui/choices.tsx'
import { toast } from '#ui/toast.tsx'
import { useSaveMe } from './api.ts'

export function LoginCodeSwitch() {
  const me = usePerson()
  const save = useSaveMe()
  const [wanted, setWanted] = useState<boolean>()
  const change = useMutation({
    mutationFn: (loginOtp: boolean) => save({ loginOtp }),
    onSuccess: (_, isOn) => toast.done(isOn ? 'Login code turned on' : 'Login code turned off'),
    onError: toast.failed,
    onSettled: () => setWanted(undefined),
  })
  return (
    <Switch
      label="Login code"
      help={`After your password, enter a six-digit code sent to ${me.email}.`}
      isOn={wanted ?? me.loginOtp}
      isPending={wanted !== undefined}
      onChange={(isOn) => {
        setWanted(isOn)
        change.mutate(isOn)
      }}
    />
  )
}
