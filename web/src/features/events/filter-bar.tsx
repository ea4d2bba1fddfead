/** The filters of the event log. Each applies once typing pauses; types seen so far are suggested. */
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { TimeField } from '#ui/form/time-field.tsx'
import type { EventFilter } from './api.ts'

interface FilterBarProps {
  filter: EventFilter
  onFilter: (filter: EventFilter) => void
  /** Suggestions while typing. */
  types: readonly string[]
}

const restMs = 300

export function FilterBar({ filter, onFilter, types }: FilterBarProps) {
  const { type, source, correlation, payload, from, before } = filter
  const isNarrowed = Object.values(filter).some((value) => value !== undefined)
  return (
    <search aria-label="Filter events" className="flex flex-1 flex-wrap items-center gap-2 max-sm:basis-full">
      <FilterField label="Type" value={type} options={types} onValue={(next) => onFilter({ ...filter, type: next })} />
      <FilterField label="Source" value={source} onValue={(next) => onFilter({ ...filter, source: next })} />
      <FilterField label="Process" value={correlation} onValue={(next) => onFilter({ ...filter, correlation: next })} />
      <FilterField
        label="Payload contains"
        value={payload}
        onValue={(next) => onFilter({ ...filter, payload: next })}
      />
      <TimeField label="From" value={from} onValue={(next) => onFilter({ ...filter, from: next })} />
      <TimeField label="Before" value={before} onValue={(next) => onFilter({ ...filter, before: next })} />
      {isNarrowed && (
        <Button look="quiet" size="small" icon={X} onClick={() => onFilter({})}>
          Clear
        </Button>
      )}
    </search>
  )
}

interface FilterFieldProps {
  label: string
  value: string | undefined
  options?: readonly string[]
  onValue: (value: string | undefined) => void
}

function FilterField({ label, value = '', options = [], onValue }: FilterFieldProps) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const listId = useId()
  const [asked, setAsked] = useState<string>()
  // The URL changed by something other than this field: a link, the back button, "Clear". If it only reflects what was
  // entered here, more may have been typed since.
  if (seen !== value) {
    setSeen(value)
    setAsked(undefined)
    if (value !== asked) setText(value)
  }
  const ask = useEffectEvent((wanted: string) => {
    setAsked(wanted)
    onValue(wanted === '' ? undefined : wanted)
  })
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === value) return
    const timer = setTimeout(() => ask(wanted), restMs)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <label className="relative min-w-0 flex-1 basis-[calc(50%-0.25rem)] sm:max-w-56 sm:basis-36">
      <span className="sr-only">{label}</span>
      <input
        value={text}
        placeholder={label}
        maxLength={200}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        list={options.length > 0 ? listId : undefined}
        onChange={({ target }) => setText(target.value)}
        className="h-8 w-full rounded-control border border-b-rule bg-surface px-2.5 font-mono text-md placeholder:font-sans focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15 sm:text-sm"
      />
      {options.length > 0 && (
        <datalist id={listId}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </label>
  )
}
