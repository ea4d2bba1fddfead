/** Creates or edits a group or department. */
import { type Unit, UnitBody } from '@chancery/contract/organizations/team.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { type UnitKind, useSaveUnit, useUnits } from './api.ts'
import { PeoplePicker } from './people-picker.tsx'

interface UnitDialogProps {
  kind: UnitKind
  /** The one to edit; `new` creates one; undefined means closed. */
  open: string | undefined
  onClose: () => void
}

export function UnitDialog({ kind, open, onClose }: UnitDialogProps) {
  const units = useUnits(kind)
  const unit = units.data?.items.find(({ id }) => id === open)
  const isReady = open === 'new' || unit !== undefined
  return (
    <Dialog title={unit ? `Edit ${kind}` : `New ${kind}`} isOpen={open !== undefined && isReady} onClose={onClose}>
      <UnitForm kind={kind} unit={unit} onClose={onClose} />
    </Dialog>
  )
}

const none: [] = []

interface UnitFormProps {
  kind: UnitKind
  unit: Unit | undefined
  onClose: () => void
}

function UnitForm({ kind, unit, onClose }: UnitFormProps) {
  const save = useSaveUnit(kind, unit?.id)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(unit?.memberIds))
  const form = useForm({
    schema: UnitBody,
    body: ({ name }) => ({ name, memberIds: [...chosen] }),
    fieldOfCode: { name_taken: 'name' },
    send: async (body) => {
      const { name } = await save(body)
      toast.done(unit ? `“${name}” saved` : `Created ${kind} “${name}”`)
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={form.problems.name}>
        <TextInput autoComplete="off" defaultValue={unit?.name} required />
      </Field>
      <PeoplePicker former={unit?.memberIds ?? none} chosen={chosen} onChange={setChosen} />
      <DialogFormActions form={form} onCancel={onClose}>
        {unit ? 'Save' : `Create ${kind}`}
      </DialogFormActions>
    </form>
  )
}
