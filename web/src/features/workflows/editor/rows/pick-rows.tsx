/** Node fields that are chosen from a list: one value, or several shown as chips. */
import { X } from 'lucide-react'
import { useState } from 'react'
import { Field } from '#ui/form/field.tsx'
import { Suggest, type Suggestion } from '#ui/form/suggest.tsx'
import { namesAt, textAt, useNodeConfig } from './config-context.ts'
import { matching } from './matching.ts'
import type { RowProps } from './text-rows.tsx'

interface PickRowProps extends RowProps {
  choices: readonly Suggestion[]
  placeholder?: string
}

/** A single name. Names that aren't suggested are allowed: a catalog may serve models that aren't listed here. */
export function PickRow({ name, choices, placeholder, ...field }: PickRowProps) {
  const { config, problems, change } = useNodeConfig()
  const value = textAt(config, name)
  // A chosen name isn't used as a search text, so the other options are offered again.
  const isTaken = choices.some((choice) => choice.value === value)
  return (
    <Field name={name} problem={problems.get(name)} {...field}>
      <Suggest
        value={value}
        suggestions={isTaken ? choices.slice(0, 30) : matching(choices, value)}
        onChange={(text) => change({ [name]: text })}
        onTake={(taken) => change({ [name]: taken.value })}
        isMono
        {...(placeholder !== undefined && { placeholder })}
      />
    </Field>
  )
}

interface ChipsRowProps extends PickRowProps {
  /** Accepts only suggested values. */
  isClosed?: boolean
  emptyHint?: string
  /** For choices that depend on the typed text. */
  onText?: (text: string) => void
}

export function ChipsRow({ name, choices, isClosed = false, placeholder, emptyHint, onText, ...field }: ChipsRowProps) {
  const { config, problems, change } = useNodeConfig()
  const [text, setText] = useState('')
  const taken = namesAt(config, name)
  const type = (next: string) => {
    setText(next)
    onText?.(next)
  }
  const set = (next: readonly string[]) => change({ [name]: next.length === 0 ? undefined : next })
  const add = (value: string) => {
    type('')
    if (value.trim() !== '' && !taken.includes(value)) set([...taken, value])
  }
  const labelOf = (value: string) => choices.find((choice) => choice.value === value)?.label ?? value
  return (
    <Field name={name} problem={problems.get(name)} {...field}>
      {taken.length > 0 && (
        <ul aria-label={`${field.label}, selected`} className="flex flex-wrap gap-1.5">
          {taken.map((value) => (
            <Chip key={value} label={labelOf(value)} onRemove={() => set(taken.filter((one) => one !== value))} />
          ))}
        </ul>
      )}
      <Suggest
        value={text}
        suggestions={matching(choices, text).filter(({ value }) => !taken.includes(value))}
        onChange={type}
        onTake={({ value }) => add(value)}
        {...(!isClosed && { onEnter: (value: string) => add(value.trim()) })}
        {...(placeholder !== undefined && { placeholder })}
        {...(emptyHint !== undefined && { emptyHint })}
      />
    </Field>
  )
}

const Chip = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <li className="inline-flex max-w-full items-center gap-1 rounded-full bg-sunken py-0.5 pr-1 pl-2.5 text-sm">
    <span className="truncate">{label}</span>
    <button
      type="button"
      aria-label={`Remove ${label}`}
      onClick={onRemove}
      className="inline-flex size-6 items-center justify-center rounded-full text-faint hover:text-ink"
    >
      <X aria-hidden className="size-3.5" />
    </button>
  </li>
)
