/** One setting: its value, its source, and a reset to the value of the environment or the default. */
import type { SettingEntry } from '@chancery/contract/platform/settings.ts'
import { useMutation } from '@tanstack/react-query'
import { useForm } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Badge, type Tone } from '#ui/values/badge.tsx'
import { useSaveSetting } from './api.ts'
import { labelOf, problemOf } from './setting-labels.ts'
import { deletesMore, isRetention, retentionText, textOfValue, valueSchema } from './setting-value.ts'
import { useDeletionQuestion } from './use-deletion-question.tsx'

const sources: Record<SettingEntry['source'], { tone: Tone; word: string }> = {
  environment: { tone: 'plain', word: 'From environment' },
  database: { tone: 'seal', word: 'Saved here' },
  default: { tone: 'plain', word: 'Default' },
}

export const SettingField = ({ entry }: { entry: SettingEntry }) =>
  entry.type === 'boolean' ? <SwitchField entry={entry} /> : <ValueField entry={entry} />

function Source({ entry: { key, source, isEditable } }: { entry: SettingEntry }) {
  const save = useSaveSetting()
  const question = useDeletionQuestion()
  const goBack = useMutation({
    mutationFn: async () => {
      const change = `“${labelOf(key)}” goes back to its default, which may be shorter.`
      if (isRetention(key) && !(await question.ask({ change, action: 'Reset to default' }))) return
      await save(key, null)
      toast.done(`“${labelOf(key)}” reset`)
    },
    onError: toast.failed,
  })
  return (
    <span className="flex flex-wrap items-center gap-2">
      {question.dialog}
      <code className="text-faint text-xs">{key}</code>
      {isEditable && source === 'database' && (
        <Button
          look="quiet"
          size="small"
          aria-label={`Reset to default: ${labelOf(key)}`}
          isPending={goBack.isPending}
          onClick={() => goBack.mutate()}
        >
          Reset to default
        </Button>
      )}
      <Badge tone={sources[source].tone}>{sources[source].word}</Badge>
    </span>
  )
}

function SwitchField({ entry }: { entry: SettingEntry }) {
  const { key, sentence, value, isEditable } = entry
  const save = useSaveSetting()
  const change = useMutation({
    mutationFn: (isOn: boolean) => save(key, isOn),
    onSuccess: () => toast.done(`“${labelOf(key)}” saved`),
    onError: toast.failed,
  })
  return (
    <div className="flex flex-col gap-2">
      {isEditable ? (
        <Switch
          label={labelOf(key)}
          help={sentence}
          isOn={change.isPending ? change.variables : value === true}
          isPending={change.isPending}
          onChange={(isOn) => change.mutate(isOn)}
        />
      ) : (
        <Field label={labelOf(key)} name="value" help={sentence}>
          <TextInput value={value === true ? 'On' : 'Off'} readOnly />
        </Field>
      )}
      <Source entry={entry} />
    </div>
  )
}

function ValueField({ entry }: { entry: SettingEntry }) {
  const { key, type, sentence, isEditable, isSet } = entry
  const save = useSaveSetting()
  const question = useDeletionQuestion()
  const form = useForm({
    schema: valueSchema(type),
    send: async (value) => {
      const days = Number(value)
      const change = `“${labelOf(key)}” changes from ${retentionText(entry.value)} to ${retentionText(days)}.`
      if (deletesMore(entry, days) && !(await question.ask({ change, action: 'Delete older records' }))) return
      await save(key, value)
      toast.done(`“${labelOf(key)}” saved`)
    },
  })
  const help = type === 'secret' ? `${sentence} ${isSet ? 'A value is set, but never shown.' : 'Not set.'}` : sentence
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-3">
      <Field
        label={labelOf(key)}
        name="value"
        help={help}
        problem={problemOf(entry, Object.values(form.problems)[0])}
        aside={<Source entry={entry} />}
      >
        <div className="flex items-start gap-2">
          <div className={type === 'number' ? 'w-32' : 'min-w-0 flex-1'}>
            <Input entry={entry} />
          </div>
          {isEditable && (
            <Button type="submit" size="large" aria-label={`Save ${labelOf(key)}`} isPending={form.isPending}>
              Save
            </Button>
          )}
        </div>
      </Field>
      <FormFailure error={form.failure} />
      {question.dialog}
    </form>
  )
}

function Input({ entry }: { entry: SettingEntry }) {
  const shared = { defaultValue: textOfValue(entry), readOnly: !entry.isEditable, autoComplete: 'off' } as const
  if (entry.type === 'secret')
    return entry.isEditable ? (
      <PasswordInput autoComplete="new-password" />
    ) : (
      <TextInput value={entry.isSet ? '••••••••' : ''} readOnly />
    )
  if (entry.type === 'json') return <TextArea {...shared} spellCheck={false} className="font-mono" />
  return <TextInput {...shared} inputMode={entry.type === 'number' ? 'decimal' : 'text'} spellCheck={false} />
}
