/** Turns the mailed login code on at once, and off with the current password. */
import { MePatch } from '@chancery/contract/accounts/accounts.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { NoMailNote } from '#data/no-mail-note.tsx'
import { usePerson } from '#data/viewer.ts'
import { useForm } from '#lib/form/form.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useSaveMe } from './api.ts'

export function LoginCodeSwitch() {
  const me = usePerson()
  const save = useSaveMe()
  const [isAsking, setAsking] = useState(false)
  const turnOn = useMutation({
    mutationFn: () => save({ loginOtp: true }),
    onSuccess: () => toast.done('Login codes are on.'),
    onError: toast.failed,
  })
  return (
    <>
      <Switch
        label="Login code"
        help={`After your password, we email a six-digit code to ${me.email}.`}
        isOn={turnOn.isPending || me.loginOtp}
        isPending={turnOn.isPending}
        onChange={(isOn) => (isOn ? turnOn.mutate() : setAsking(true))}
      />
      {!me.loginOtp && (
        <div className="mt-3 empty:hidden">
          <NoMailNote>You would have to ask your platform admin for each code.</NoMailNote>
        </div>
      )}
      <Dialog
        title="Turn off login codes"
        hint="Enter your password to confirm."
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        <TurnOffForm onDone={() => setAsking(false)} />
      </Dialog>
    </>
  )
}

function TurnOffForm({ onDone }: { onDone: () => void }) {
  const me = usePerson()
  const save = useSaveMe()
  const form = useForm({
    schema: MePatch,
    body: ({ currentPassword }) => ({ loginOtp: false, currentPassword }),
    fieldOfCode: { wrong_password: 'currentPassword' },
    send: async (body) => {
      await save(body)
      toast.done('Login codes are off.')
      onDone()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <input type="email" autoComplete="username" value={me.email} readOnly hidden />
      <Field label="Current password" name="currentPassword" problem={form.problems.currentPassword}>
        <PasswordInput autoComplete="current-password" />
      </Field>
      <DialogFormActions form={form} onCancel={onDone}>
        Turn off
      </DialogFormActions>
    </form>
  )
}
