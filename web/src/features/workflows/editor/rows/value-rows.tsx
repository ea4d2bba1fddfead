/** Node fields for numbers and durations. Invalid text stays as typed. */
import { useState } from 'react'
import { Field } from '#ui/form/field.tsx'
import { BareSelect, TextInput } from '#ui/form/inputs.tsx'
import { useNodeConfig } from './config-context.ts'
import { type Limits, readNumber, unitOf, units, writeNumber } from './read-number.ts'
import type { RowProps } from './text-rows.tsx'
import { useDraft } from './use-draft.ts'
import { type Reading, useParsedText } from './use-parsed-text.ts'

interface NumberTextSettings extends Limits {
  path: string
  value: unknown
  onValue: (value: number | undefined) => void
}

/** For use inside any Field; the caller shows the problem. */
export function useNumberText({ path, value, onValue, ...limits }: NumberTextSettings) {
  return useParsedText<number>({
    path,
    value: typeof value === 'number' ? value : undefined,
    write: writeNumber,
    read: (text) => readNumber(text, limits),
    onValue,
  })
}

interface NumberRowProps extends RowProps, Limits {
  placeholder?: string
}

export function NumberRow({ name, placeholder, min, max, isWhole = true, ...field }: NumberRowProps) {
  const { config, problems, change } = useNodeConfig()
  const onValue = (value: number | undefined) => change({ [name]: value })
  const { text, problem, onText } = useNumberText({
    path: `config.${name}`,
    value: config[name],
    onValue,
    min,
    max,
    isWhole,
  })
  return (
    <Field name={name} problem={problem ?? problems.get(name)} {...field}>
      <TextInput
        inputMode={isWhole ? 'numeric' : 'decimal'}
        autoComplete="off"
        value={text}
        placeholder={placeholder}
        onChange={(event) => onText(event.target.value)}
        className="figures"
      />
    </Field>
  )
}

interface DurationFieldProps extends RowProps {
  path: string
  /** In seconds. */
  value: unknown
  maxSec: number
  problem?: string | undefined
  placeholder?: string
  onValue: (sec: number | undefined) => void
}

/** An amount with a unit; stored as seconds. */
export function DurationField(props: DurationFieldProps) {
  const { name, path, value, maxSec, problem, placeholder, onValue, ...field } = props
  const sec = typeof value === 'number' ? value : undefined
  const { draft, keep } = useDraft(path)
  const [unit, setUnit] = useState(() => draft?.unit ?? unitOf(sec))
  const shownUnit = draft?.unit ?? (sec !== undefined && sec % unit !== 0 ? unitOf(sec) : unit)
  const typed = useParsedText<number>({
    path,
    unit: shownUnit,
    value: sec,
    write: (one) => (one === undefined ? '' : String(one / shownUnit)),
    read: (text): Reading<number> => {
      const reading = readNumber(text, { min: 1, max: Math.floor(maxSec / shownUnit) })
      return reading.value === undefined ? reading : { value: reading.value * shownUnit }
    },
    onValue,
  })
  const onUnit = (next: number) => {
    setUnit(next)
    const reading = readNumber(typed.text, { min: 1, max: Math.floor(maxSec / next) })
    keep(reading.problem === undefined ? undefined : { text: typed.text, problem: reading.problem, unit: next })
    if (reading.value !== undefined) onValue(reading.value * next)
  }
  return (
    <Field name={name} problem={typed.problem ?? problem} {...field}>
      <div className="flex gap-2">
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          value={typed.text}
          placeholder={placeholder}
          onChange={(event) => typed.onText(event.target.value)}
          className="figures min-w-0 flex-1"
        />
        <div className="w-28 shrink-0">
          <BareSelect
            aria-label={`Unit of ${field.label.toLowerCase()}`}
            value={shownUnit}
            onChange={(event) => onUnit(Number(event.target.value))}
          >
            {units.map((one) => (
              <option key={one.sec} value={one.sec}>
                {one.label}
              </option>
            ))}
          </BareSelect>
        </div>
      </div>
    </Field>
  )
}

export function DurationRow({ name, ...rest }: RowProps & { maxSec: number; placeholder?: string }) {
  const { config, problems, change } = useNodeConfig()
  return (
    <DurationField
      name={name}
      path={`config.${name}`}
      value={config[name]}
      problem={problems.get(name)}
      onValue={(sec) => change({ [name]: sec })}
      {...rest}
    />
  )
}
