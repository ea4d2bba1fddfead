/** Edits the record of a connection's model, for platform admins. */
import { type Model, ModelBody, ModelPatch } from '@chancery/contract/models/models.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import type { GrantsField } from '#lib/form/grants-field.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useSaveModel } from './api.ts'
import { type ModelChoices, servedModelBody } from './model-body.ts'

interface ServedModelFormProps {
  id: string
  name: string
  current: Model | undefined
  grantsField: GrantsField
  onClose: () => void
}

export function ServedModelForm({ id, name, current, grantsField, onClose }: ServedModelFormProps) {
  const [choices, setChoices] = useState<ModelChoices>({
    isActive: current?.is_active ?? true,
    grants: current?.access_grants ?? null,
  })
  const save = useSaveModel(current === undefined, id)
  const form = useForm<unknown>({
    schema: current ? ModelPatch : ModelBody,
    body: (fields) => servedModelBody(fields, choices, { id, current }),
    send: async (body) => {
      const saved = await save(body)
      toast.done(`“${saved.name}” saved`)
      onClose()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={form.problems.name} help={`Its ID stays ${id}.`}>
        <TextInput autoComplete="off" defaultValue={current?.name ?? name} required />
      </Field>
      <Field
        label="Description"
        name="description"
        isOptional
        problem={form.problems.description}
        help="Shown in the model picker."
      >
        <TextArea defaultValue={current?.meta.description} />
      </Field>
      {grantsField({ value: choices.grants, onChange: (grants) => setChoices({ ...choices, grants }) })}
      <Switch
        label="Available"
        help="When off, the model is hidden from the model picker and API calls to it are rejected."
        isOn={choices.isActive}
        onChange={(isActive) => setChoices({ ...choices, isActive })}
      />
      <DialogFormActions form={form} onCancel={onClose}>
        Save model
      </DialogFormActions>
    </form>
  )
}
