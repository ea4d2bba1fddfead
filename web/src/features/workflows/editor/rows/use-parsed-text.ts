/**
 * A field whose text can be more than its value: half a number, JSON with a missing bracket. The text stays as typed,
 * even while another node is selected; the value follows once the text is valid. If the value changes elsewhere, for
 * example by undo, the text is replaced.
 */
import { useState } from 'react'
import { useDraft } from './use-draft.ts'

export interface Reading<Value> {
  value?: Value | undefined
  problem?: string | undefined
}

interface ParsedTextSettings<Value> {
  /** The path of the value: `config.arguments`. */
  path: string
  value: Value | undefined
  write: (value: Value | undefined) => string
  read: (text: string) => Reading<Value>
  onValue: (value: Value | undefined) => void
  unit?: number
}

export function useParsedText<Value>({ path, value, write, read, onValue, unit }: ParsedTextSettings<Value>) {
  const { draft, keep } = useDraft(path)
  const written = write(value)
  const [typed, setTyped] = useState({ text: written, of: written })
  // The value was changed by something other than this field.
  const text = draft?.text ?? (typed.of === written ? typed.text : written)
  const problem = draft?.problem ?? read(text).problem
  const onText = (next: string) => {
    const reading = read(next)
    const { problem: found } = reading
    if (found !== undefined)
      return keep(next === written ? undefined : { text: next, problem: found, ...(unit !== undefined && { unit }) })
    keep(undefined)
    setTyped({ text: next, of: write(reading.value) })
    onValue(reading.value)
  }
  return { text, problem, onText }
}
