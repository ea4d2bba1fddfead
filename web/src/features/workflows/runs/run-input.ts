/** The input of a run: the event that started it, or the input given by a person. */
import type { Run } from '@chancery/contract/workflows/runs.ts'

export interface RunInput {
  label: 'Event' | 'Input'
  value: unknown
}

/** The initial state of a run holds one of them under its name. */
export function runInput({ input }: Pick<Run, 'input'>): RunInput {
  if (typeof input !== 'object' || input === null) return { label: 'Input', value: input }
  if ('_event' in input) return { label: 'Event', value: input._event }
  return { label: 'Input', value: 'input' in input ? input.input : input }
}
