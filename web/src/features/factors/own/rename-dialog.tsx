import { type Factor, FactorPatch } from '@chancery/contract/accounts/factors.ts'
import { useForm } from '#lib/form/form.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { renameFactor, useRefreshFactors } from '../api.ts'

export function RenameDialog({ factor, onClose }: { factor: Factor; onClose: () => void }) {
  const refresh = useRefreshFactors()
  const form = useForm({
    schema: FactorPatch,
    send: async ({ name }) => {
      await renameFactor(factor, name)
      await refresh()
      toast.done('Renamed')
      onClose()
    },
  })
  return (
    <Dialog title="Rename" isOpen isDisposable onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
        <Field label="Name" name="name" problem={form.problems.name}>
          <TextInput autoComplete="off" defaultValue={factor.name} maxLength={80} required />
        </Field>
        <DialogFormActions form={form} onCancel={onClose}>
          Rename
        </DialogFormActions>
      </form>
    </Dialog>
  )
}
