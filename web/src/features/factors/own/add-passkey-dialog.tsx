/** Names a new passkey, then has the browser make it. */
import { FactorPatch } from '@chancery/contract/accounts/factors.ts'
import { deviceName } from '@chancery/contract/reading/device-name.ts'
import { createPasskey } from '#lib/browser/passkeys.ts'
import { useForm } from '#lib/form/form.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { addPasskey, askForPasskey } from '../api.ts'

export interface AddFactorProps {
  /** Recovery codes come with an account's first factor. */
  onAdded: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}

export function AddPasskeyDialog({ onAdded, onClose }: AddFactorProps) {
  const form = useForm({
    schema: FactorPatch,
    send: async ({ name }) => onAdded(await addPasskey(name, await createPasskey(await askForPasskey()))),
  })
  return (
    <Dialog
      title="Add a passkey"
      hint="You sign in with your fingerprint, face, screen lock or security key."
      isOpen
      isDisposable
      onClose={onClose}
    >
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Field
          label="Name"
          name="name"
          problem={form.problems.name}
          help="So that you recognize it later. Your browser asks next where to keep the passkey."
        >
          <TextInput autoComplete="off" defaultValue={deviceName(navigator.userAgent)} maxLength={80} required />
        </Field>
        <DialogFormActions form={form} onCancel={onClose}>
          Create passkey
        </DialogFormActions>
      </form>
    </Dialog>
  )
}
