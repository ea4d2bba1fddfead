/** The settings of a plugin: those of the instance, or a person's own. */
import { type PluginKind, ValvesBody } from '@chancery/contract/plugins/plugins.ts'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, FormFailure, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, Select, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { useSaveValves, useValves, type ValvesOf } from './api.ts'
import { type ValveField, valveFields, valvesBody } from './valve-fields.ts'

interface ValvesFormProps {
  plugin: { id: string; type: PluginKind; name: string }
  whose: ValvesOf
  /** Shown where there is nothing to set. */
  none: string
}

export function ValvesForm({ plugin, whose, none }: ValvesFormProps) {
  const valves = useValves(plugin, whose)
  if (valves.isPending)
    return (
      <Loading label="Loading settings">
        <Skeleton className="h-10 w-full" />
      </Loading>
    )
  if (valves.isError) return <ErrorPanel error={valves.error} onRetry={valves.refetch} />
  const fields = valveFields(valves.data.spec, valves.data.valves)
  if (fields.length === 0) return <p className="text-soft">{none}</p>
  // A new key after saving: what was typed into a secret is gone, and the stored values are shown.
  return <LoadedForm key={valves.dataUpdatedAt} plugin={plugin} whose={whose} fields={fields} />
}

interface LoadedFormProps extends Omit<ValvesFormProps, 'none'> {
  fields: readonly ValveField[]
}

function LoadedForm({ plugin, whose, fields }: LoadedFormProps) {
  const save = useSaveValves(plugin, whose)
  const form = useForm({
    schema: ValvesBody,
    body: (typed) => valvesBody(fields, typed),
    send: async (body) => {
      await save(body)
      toast.done(`Settings of “${plugin.name}” saved`)
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex max-w-xl flex-col gap-5">
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          name={field.name}
          isOptional={field.kind !== 'switch'}
          problem={form.problems[field.name]}
          help={helpOf(field)}
        >
          <Input field={field} />
        </Field>
      ))}
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" isPending={form.isPending} className="self-start">
        Save settings
      </Button>
    </form>
  )
}

const helpOf = ({ kind, help, isSet }: ValveField) => {
  if (kind !== 'secret') return help === '' ? undefined : help
  const stored = isSet ? 'A value is stored. Leave blank to keep it.' : 'Stored encrypted. You won’t see it again.'
  return help === '' ? stored : `${help} ${stored}`
}

function Input({ field: { kind, value, options } }: { field: ValveField }) {
  if (kind === 'secret') return <PasswordInput autoComplete="new-password" />
  if (kind === 'json') return <TextArea rows={4} defaultValue={value} className="font-mono" spellCheck={false} />
  if (kind === 'choice' || kind === 'switch')
    return (
      <Select defaultValue={kind === 'switch' ? (value === 'true' ? 'on' : 'off') : value}>
        {kind === 'switch' ? (
          <>
            <option value="on">On</option>
            <option value="off">Off</option>
          </>
        ) : (
          ['', ...options].map((option) => (
            <option key={option} value={option}>
              {option || 'Default'}
            </option>
          ))
        )}
      </Select>
    )
  return (
    <TextInput
      defaultValue={value}
      autoComplete="off"
      spellCheck={false}
      {...(kind === 'number' && { inputMode: 'decimal', className: 'figures' })}
    />
  )
}
