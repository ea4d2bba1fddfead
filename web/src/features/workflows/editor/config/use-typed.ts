/**
 * A field whose text is more than its value: half a number, JSON with a bracket missing. The text stays as it is typed;
 * the value follows when it can be read. A value that changed elsewhere, by undo say, is written anew.
 */
import { useState } from 'react'
import { usePending } from '../pending.ts'

export interface Reading<Value> {
  value?: Value | undefined
  problem?: string | undefined
}

interface TypedSettings<Value> {
  value: Value | undefined
  write: (value: Value | undefined) => string
  read: (text: string) => Reading<Value>
  onValue: (value: Value | undefined) => void
}

export function useTyped<Value>({ value, write, read, onValue }: TypedSettings<Value>) {
  const written = write(value)
  const [typed, setTyped] = useState({ text: written, of: written })
  // The value was changed by somebody else than this field.
  const text = typed.of === written ? typed.text : written
  const { problem } = read(text)
  usePending(problem !== undefined && text !== written)
  const onText = (next: string) => {
    const reading = read(next)
    if (reading.problem !== undefined) return setTyped({ text: next, of: written })
    setTyped({ text: next, of: write(reading.value) })
    onValue(reading.value)
  }
  return { text, problem, onText }
}
