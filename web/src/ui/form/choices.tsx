/** Switches, checkboxes and segmented controls, built on native inputs for labels, forms and assistive technology. */
import type { ReactNode } from 'react'
import { useId } from 'react'

interface SwitchProps {
  label: string
  help: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
  isPending?: boolean
}

export function Switch({ label, help, isOn, onChange, isPending = false }: SwitchProps) {
  const id = useId()
  const helpId = `${id}-help`
  return (
    <label htmlFor={id} className="flex items-start justify-between gap-6">
      <span className="flex flex-col gap-0.5">
        <span className="font-medium">{label}</span>
        <span id={helpId} aria-hidden className="text-faint text-sm">
          {help}
        </span>
      </span>
      <Toggle id={id} label={label} describedBy={helpId} isOn={isOn} onChange={onChange} isPending={isPending} />
    </label>
  )
}

interface ToggleProps extends Omit<SwitchProps, 'help'> {
  id?: string
  describedBy?: string
}

/** The switch alone, for use next to its own label. */
export function Toggle({ id, label, describedBy, isOn, onChange, isPending = false }: ToggleProps) {
  return (
    <input
      id={id}
      type="checkbox"
      role="switch"
      aria-label={label}
      aria-describedby={describedBy}
      aria-busy={isPending || undefined}
      checked={isOn}
      aria-checked={isOn}
      onChange={(event) => !isPending && onChange(event.target.checked)}
      className="relative mt-0.5 h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full border border-rule bg-sunken transition-colors duration-150 before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-rule before:transition-[translate,background-color] before:duration-150 checked:border-seal checked:bg-seal checked:before:translate-x-4 checked:before:bg-on-seal"
    />
  )
}

interface CheckProps {
  isOn: boolean
  onChange: () => void
  children: ReactNode
}

/** One row of a checklist. */
export function Check({ isOn, onChange, children }: CheckProps) {
  return (
    <label className="flex items-center gap-3 px-3 py-2 hover:bg-sunken">
      <input type="checkbox" checked={isOn} onChange={onChange} className="size-4 shrink-0 accent-seal" />
      {children}
    </label>
  )
}

interface SegmentedProps<Value extends string> {
  legend: string
  name: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

export function Segmented<Value extends string>({ legend, name, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <fieldset className="flex rounded-control border bg-sunken p-0.5">
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex-1 whitespace-nowrap rounded-[5px] px-3 py-1.5 text-center font-medium text-sm text-soft transition-colors duration-150 hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--line)]"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
