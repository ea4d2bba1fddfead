/** Fields of a node that hold numbers and lengths of time. What cannot be read yet stays as it was typed. */
import { useState } from 'react'
import { Field } from '#ui/field.tsx'
import { BareSelect, TextInput } from '#ui/inputs.tsx'
import { useNodeConfig } from './config-context.ts'
import { type Limits, readNumber, unitOf, units, writeNumber } from './read-number.ts'
import type { RowProps } from './text-rows.tsx'
import { type Reading, useTyped } from './use-typed.ts'

interface NumberInputProps extends Limits {
  value: unknown
  placeholder?: string
  onValue: (value: number | undefined) => void
}

/** For a Field of any form; the problem is the caller's to show. */
export function useNumberText({ value, onValue, ...limits }: Omit<NumberInputProps, 'placeholder'>) {
  return useTyped<number>({
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
  const { text, problem, onText } = useNumberText({ value: config[name], onValue, min, max, isWhole })
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
  /** Seconds. */
  value: unknown
  maxSec: number
  problem?: string | undefined
  placeholder?: string
  onValue: (sec: number | undefined) => void
}

/** So many of a unit; kept as seconds. */
export function DurationField({ name, value, maxSec, problem, placeholder, onValue, ...field }: DurationFieldProps) {
  const sec = typeof value === 'number' ? value : undefined
  const [unit, setUnit] = useState(() => unitOf(sec))
  const shownUnit = sec !== undefined && sec % unit !== 0 ? unitOf(sec) : unit
  const typed = useTyped<number>({
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
    const { value: count } = readNumber(typed.text, { min: 1, max: Math.floor(maxSec / next) })
    if (count !== undefined) onValue(count * next)
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
      value={config[name]}
      problem={problems.get(name)}
      onValue={(sec) => change({ [name]: sec })}
      {...rest}
    />
  )
}
