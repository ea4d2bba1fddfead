/** Form of a schedule. It shows the next run times before saving. */
import { CronTriggerBody, TriggerPatch } from '@chancery/contract/workflows/triggers.ts'
import { useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { Field } from '#ui/form/field.tsx'
import { Select, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { readJson, writeJson } from '../json-text.ts'
import { type TriggerOf, useSaveTrigger, useTimetable } from './api.ts'
import { CatalogAndSpaceFields } from './catalog-and-space-fields.tsx'
import { describeCron, presets } from './describe-cron.ts'
import { FormFoot, type FormProps } from './form-foot.tsx'
import { NextTimes } from './next-times.tsx'
import { type CronChoices, catalogAndSpaceOf, cronBody } from './trigger-body.ts'
import { misfireOptions } from './trigger-labels.ts'
import { ZonePicker } from './zone-picker.tsx'
import { ownZone } from './zones.ts'

const choicesOf = (trigger: TriggerOf<'cron'> | undefined): CronChoices => ({
  cron: trigger?.cron ?? presets[2]?.cron ?? '',
  timezone: trigger?.timezone ?? ownZone(),
  misfire: trigger?.misfire ?? 'fire_once',
})

const misfires = Object.keys(misfireOptions) as CronChoices['misfire'][]

export function CronForm({ workflowId, current, onSaved, onClose }: FormProps<TriggerOf<'cron'>>) {
  const [choices, setChoices] = useState(() => choicesOf(current))
  const [catalogAndSpace, setCatalogAndSpace] = useState(() => catalogAndSpaceOf(current))
  const [inputText, setInputText] = useState(() => (current?.input == null ? '' : writeJson(current.input)))
  const choose = (change: Partial<CronChoices>) => setChoices({ ...choices, ...change })
  const save = useSaveTrigger({ workflowId, kind: 'cron', id: current?.id })
  const notJson = readJson(inputText).problem
  const form = useForm<unknown>({
    schema: current ? TriggerPatch : CronTriggerBody,
    body: (fields) => cronBody(fields, choices, catalogAndSpace),
    send: async (body) => onSaved(await save(body)),
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        if (notJson === undefined) return form.onSubmit(event)
        event.preventDefault()
        event.currentTarget.querySelector<HTMLElement>('[name="input"]')?.focus()
      }}
      className="flex flex-col gap-5"
    >
      <Field label="Name" name="name" problem={form.problems.name}>
        <TextInput autoComplete="off" defaultValue={current?.name} required />
      </Field>
      <TimetableFields workflowId={workflowId} choices={choices} problems={form.problems} onChoose={choose} />
      <Field label="Runs missed while the server was down" name="misfire" help={misfireOptions[choices.misfire].help}>
        <Select
          value={choices.misfire}
          onChange={(event) => choose({ misfire: misfires.find((one) => one === event.target.value) ?? 'fire_once' })}
        >
          {misfires.map((one) => (
            <option key={one} value={one}>
              {misfireOptions[one].label}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        label="Input"
        name="input"
        isOptional
        problem={notJson ?? form.problems.input}
        help="JSON that each run starts with."
      >
        <TextArea
          value={inputText}
          onChange={(event) => setInputText(event.target.value)}
          spellCheck={false}
          placeholder='{"report": "daily"}'
          className="font-mono"
        />
      </Field>
      <CatalogAndSpaceFields value={catalogAndSpace} onChange={setCatalogAndSpace} />
      <FormFoot form={form} isNew={!current} onClose={onClose} />
    </form>
  )
}

interface TimetableFieldsProps {
  workflowId: string
  choices: CronChoices
  problems: Readonly<Record<string, string>>
  onChoose: (change: Partial<CronChoices>) => void
}

function TimetableFields({ workflowId, choices: { cron, timezone }, problems, onChoose }: TimetableFieldsProps) {
  const asked = useDebounced(cron.trim())
  const timetable = useTimetable(workflowId, asked, timezone)
  const mistake = asked === cron.trim() && !timetable.isPlaceholderData ? timetable.data?.error : undefined
  const wrongIn = (field: 'cron' | 'timezone') =>
    mistake?.field === field ? `${mistake.message.replace(/\.$/, '')}.` : problems[field]
  return (
    <>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap gap-1.5">
          {presets.map((preset) => (
            <button
              key={preset.cron}
              type="button"
              aria-pressed={preset.cron === cron.trim()}
              onClick={() => onChoose({ cron: preset.cron })}
              className="rounded-full border px-2.5 py-0.5 text-sm text-soft hover:border-rule hover:text-ink aria-pressed:border-seal aria-pressed:text-seal-text"
            >
              {preset.label}
            </button>
          ))}
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="Cron expression"
            name="cron"
            problem={wrongIn('cron')}
            help={describeCron(cron) === cron ? 'Minute, hour, day, month, weekday.' : `${describeCron(cron)}.`}
          >
            <TextInput
              autoComplete="off"
              spellCheck={false}
              value={cron}
              onChange={(event) => onChoose({ cron: event.target.value })}
              className="font-mono"
              required
            />
          </Field>
          <Field
            label="Time zone"
            name="timezone"
            problem={wrongIn('timezone')}
            help="Daylight saving time is taken into account."
          >
            <ZonePicker value={timezone} onChange={(zone) => onChoose({ timezone: zone })} />
          </Field>
        </div>
      </div>
      {!timetable.data?.error && (
        <NextTimes times={timetable.data?.next_times} timezone={timezone} isStale={timetable.isPlaceholderData} />
      )}
    </>
  )
}
