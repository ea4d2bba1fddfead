/** The name, ID and base of a custom model. */
import type { Model, ModelItem } from '@chancery/contract/models/models.ts'
import { useState } from 'react'
import type { Problems } from '#lib/problems/field-problems.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import { idFromName } from './model-body.ts'

interface NameFieldsProps {
  current: Model | undefined
  problems: Problems
}

export function NameFields({ current, problems }: NameFieldsProps) {
  const [id, setId] = useState('')
  const [isOwnId, setOwnId] = useState(false)
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Name" name="name" problem={problems.name}>
        <TextInput
          autoComplete="off"
          defaultValue={current?.name}
          required
          onChange={(event) => !isOwnId && setId(idFromName(event.target.value))}
        />
      </Field>
      {!current && (
        <Field label="ID" name="id" problem={problems.id} help="Used in API calls. It can’t be changed later.">
          <TextInput
            value={id}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            required
            onChange={(event) => {
              setOwnId(true)
              setId(event.target.value)
            }}
          />
        </Field>
      )}
    </div>
  )
}

interface BaseFieldProps {
  current: Model | undefined
  models: readonly ModelItem[]
  problem: string | undefined
}

/** A base that is currently unavailable stays selected. */
export function BaseField({ current, models, problem }: BaseFieldProps) {
  const bases = models.filter(({ id, base_model_id }) => id !== current?.id && (base_model_id ?? null) === null)
  const chosen = current?.base_model_id
  const isGone = chosen !== undefined && chosen !== null && !bases.some(({ id }) => id === chosen)
  return (
    <Field label="Base model" name="base_model_id" problem={problem} help="The model that generates the answers.">
      <Select defaultValue={chosen ?? bases[0]?.id}>
        {isGone && <option value={chosen}>{chosen} (unavailable)</option>}
        {bases.map(({ id, name }) => (
          <option key={id} value={id}>
            {name === id ? id : `${name} (${id})`}
          </option>
        ))}
      </Select>
    </Field>
  )
}
