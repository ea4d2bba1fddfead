/** Form of an event trigger: starts the workflow on events of a type that match the filter. */
import { EventTriggerBody, TriggerPatch } from '@chancery/contract/workflows/triggers.ts'
import { useId, useMemo, useRef, useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select, TextInput } from '#ui/form/inputs.tsx'
import { filterValues } from '../completion/known-values.ts'
import { type TriggerOf, useFilterTest, useRecentTypes, useSaveTrigger } from './api.ts'
import { CatalogAndSpaceFields } from './catalog-and-space-fields.tsx'
import { ExpressionEditor } from './expression-editor.tsx'
import { ExpressionTester } from './expression-tester.tsx'
import { comparisonText, insertAt, type PathStep } from './filter-marks.ts'
import { FormFoot, type FormProps } from './form-foot.tsx'
import { catalogAndSpaceOf, type EventChoices, eventBody, eventChoicesOf } from './trigger-body.ts'
import { concurrencyOptions } from './trigger-labels.ts'

export function EventForm({ workflowId, current, onSaved, onClose }: FormProps<TriggerOf<'event'>>) {
  const [choices, setChoices] = useState(() => eventChoicesOf(current))
  const [catalogAndSpace, setCatalogAndSpace] = useState(() => catalogAndSpaceOf(current))
  const choose = (change: Partial<EventChoices>) => setChoices({ ...choices, ...change })
  const save = useSaveTrigger({ workflowId, kind: 'event', id: current?.id })
  const form = useForm<unknown>({
    schema: current ? TriggerPatch : EventTriggerBody,
    body: (fields) => ({ ...eventBody(fields, choices, catalogAndSpace), ...(!current && { on_publish: true }) }),
    send: async (body) => onSaved(await save(body)),
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label="Name" name="name" problem={form.problems.name}>
        <TextInput autoComplete="off" defaultValue={current?.name} required />
      </Field>
      <TypeField
        value={choices.eventType}
        problem={form.problems.event_type}
        onChange={(eventType) => choose({ eventType })}
      />
      <FilterField
        workflowId={workflowId}
        choices={choices}
        problem={form.problems.filter_expr}
        onChange={(expression) => choose({ expression })}
      />
      <Field label="When several events arrive" name="concurrency" help={concurrencyOptions[choices.concurrency].help}>
        <Select
          value={choices.concurrency}
          onChange={(event) =>
            choose({ concurrency: event.target.value === 'parallel' ? 'parallel' : 'one_per_correlation' })
          }
        >
          {Object.entries(concurrencyOptions).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Switch
        label="Allow loops"
        help="Off: events caused by this workflow don’t start it again. On: it can loop until a limit stops it."
        isOn={choices.allowsReentry}
        onChange={(allowsReentry) => choose({ allowsReentry })}
      />
      <CatalogAndSpaceFields value={catalogAndSpace} onChange={setCatalogAndSpace} />
      <FormFoot form={form} isNew={!current} onClose={onClose} />
    </form>
  )
}

interface TypeFieldProps {
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}

function TypeField({ value, problem, onChange }: TypeFieldProps) {
  const { data: types = [] } = useRecentTypes()
  const listId = useId()
  return (
    <Field
      label="Event type"
      name="event_type"
      problem={problem}
      help="In snake_case, such as order_created. Types of recent events are suggested."
    >
      <TextInput
        list={listId}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="font-mono"
        required
      />
      <datalist id={listId}>
        {types.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
    </Field>
  )
}

interface FilterFieldProps {
  workflowId: string
  choices: EventChoices
  problem: string | undefined
  onChange: (expression: string) => void
}

const isEventType = (text: string) => /^[a-z][a-z0-9_]{0,127}$/.test(text)

function FilterField({ workflowId, choices: { eventType, expression }, problem, onChange }: FilterFieldProps) {
  const editor = useRef<HTMLTextAreaElement>(null)
  const asked = useDebounced(expression.trim() === '' ? '' : expression)
  const type = useDebounced(isEventType(eventType.trim()) ? eventType.trim() : '')
  const test = useFilterTest(workflowId, { eventType: type, expression: asked })
  const untried = useFilterTest(workflowId, { eventType: type, expression: '' })
  // A problem reported for an older text doesn't apply to this one.
  const mistake = asked === expression && !test.isPlaceholderData ? test.data?.error : undefined
  const recent = untried.data?.results
  const known = useMemo(() => filterValues((recent ?? []).map(({ event }) => event)), [recent])
  const insert = (path: readonly PathStep[], value: unknown) => {
    const field = editor.current
    const selection = { from: field?.selectionStart ?? expression.length, to: field?.selectionEnd ?? expression.length }
    const { text, caret } = insertAt(expression, selection, comparisonText(path, value))
    onChange(text)
    // The text is in the DOM only after rendering.
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(caret, caret)
    })
  }
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Filter"
        name="filter_expr"
        isOptional
        problem={mistake?.message ?? problem}
        help="A Python expression over payload, event, input and state. Leave blank to accept every event."
      >
        <ExpressionEditor ref={editor} value={expression} onChange={onChange} known={known} mistake={mistake} />
      </Field>
      <ExpressionTester test={test} untried={untried.data} eventType={type} onInsert={insert} />
    </div>
  )
}
