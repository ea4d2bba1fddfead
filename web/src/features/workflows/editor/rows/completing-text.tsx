/** Text fields of a node that complete names of the run. */
import type { ComponentProps } from 'react'
import { cx } from '#ui/class-names.ts'
import { inputLook, TextArea, TextInput } from '#ui/form/inputs.tsx'
import type { Notation } from '../../completion/complete.ts'
import { Completions, useCompletions } from '../../completion/completions.tsx'
import { useNodeConfig } from './config-context.ts'

interface CompletingTextProps
  extends Pick<ComponentProps<'textarea'>, 'placeholder' | 'rows' | 'spellCheck' | 'className' | 'autoComplete'> {
  value: string
  onText: (text: string) => void
  notation: Notation
  /** One line. */
  isLine?: boolean
}

export function CompletingText({ value, onText, notation, isLine = false, rows, ...look }: CompletingTextProps) {
  const { known } = useNodeConfig()
  const list = useCompletions({ value, onText, notation, known })
  const Input = isLine ? TextInput : TextArea
  const field = { value, ...look, ...list.field } as ComponentProps<'input'> & ComponentProps<'textarea'>
  return (
    <div className="relative">
      <Input {...field} {...(!isLine && rows !== undefined && { rows })} />
      {list.found.length > 0 && <Completions list={list} />}
    </div>
  )
}

interface CompletingRowProps extends Pick<CompletingTextProps, 'value' | 'onText' | 'notation' | 'placeholder'> {
  label: string
  className: string
}

/** One row of several: it has no label of its own above it. */
export function CompletingRow({ value, onText, notation, placeholder, label, className }: CompletingRowProps) {
  const { known } = useNodeConfig()
  const list = useCompletions({ value, onText, notation, known })
  return (
    <div className="relative">
      <textarea
        aria-label={label}
        value={value}
        rows={1}
        placeholder={placeholder}
        spellCheck={false}
        {...(list.field as ComponentProps<'textarea'>)}
        className={cx(inputLook, 'field-sizing-content py-1 font-mono text-sm!', className)}
      />
      {list.found.length > 0 && <Completions list={list} />}
    </div>
  )
}
