/** A custom model: name, base, system prompt and parameters. */
import { type Model, ModelBody, type ModelItem, ModelPatch } from '@chancery/contract/models/models.ts'
import { useState } from 'react'
import { type Fields, useForm } from '#lib/form/form.ts'
import type { GrantsField } from '#lib/form/grants-field.ts'
import type { Problems } from '#lib/problems/field-problems.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useSaveModel } from './api.ts'
import { BaseField, NameFields } from './custom-model-fields.tsx'
import { BadJson, customModelBody, type ModelChoices } from './model-body.ts'
import { ParamFields } from './param-fields.tsx'

interface CustomModelFormProps {
  current: Model | undefined
  models: readonly ModelItem[]
  grantsField: GrantsField
  onClose: () => void
}

export function CustomModelForm({ current, models, grantsField, onClose }: CustomModelFormProps) {
  const [choices, setChoices] = useState<ModelChoices>({
    isActive: current?.is_active ?? true,
    grants: current ? (current.access_grants ?? null) : [],
  })
  const [extraProblem, setExtraProblem] = useState<string>()
  const save = useSaveModel(current === undefined, current?.id)
  const form = useForm<unknown>({
    schema: current ? ModelPatch : ModelBody,
    body: (fields) => {
      setExtraProblem(undefined)
      return bodyOf(fields, choices, current, setExtraProblem)
    },
    fieldOfCode: { model_exists: 'id', model_base_invalid: 'base_model_id' },
    send: async (body) => {
      const { name } = await save(body)
      toast.done(`“${name}” saved`)
      onClose()
    },
  })
  const problems: Problems = { ...form.problems, ...(extraProblem !== undefined && { extra: extraProblem }) }
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <NameFields current={current} problems={problems} />
      <BaseField current={current} models={models} problem={problems.base_model_id} />
      <Field
        label="Description"
        name="description"
        isOptional
        problem={problems.description}
        help="Shown in the model picker."
      >
        <TextInput autoComplete="off" defaultValue={current?.meta.description} />
      </Field>
      <Field
        label="System prompt"
        name="system"
        isOptional
        problem={problems.system}
        help="Instructions the model gets before every conversation."
      >
        <TextArea rows={5} defaultValue={textOf(current?.params.system)} />
      </Field>
      <ParamFields current={current} problems={problems} />
      {grantsField({ value: choices.grants, onChange: (grants) => setChoices({ ...choices, grants }) })}
      <Switch
        label="Available"
        help="When off, the model is kept but hidden from the model picker."
        isOn={choices.isActive}
        onChange={(isActive) => setChoices({ ...choices, isActive })}
      />
      <DialogFormActions form={form} onCancel={onClose}>
        {current ? 'Save model' : 'Create model'}
      </DialogFormActions>
    </form>
  )
}

/** A check the schema can't make: it never sees text that isn't valid JSON. */
function bodyOf(
  fields: Fields,
  choices: ModelChoices,
  current: Model | undefined,
  onBadJson: (problem: string) => void,
) {
  try {
    return customModelBody(fields, choices, current)
  } catch (error) {
    if (error instanceof BadJson) onBadJson(error.message)
    return undefined
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
