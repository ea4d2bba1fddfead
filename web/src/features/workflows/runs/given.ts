/** What a run was given: the event that started it, or what somebody put in. */
import type { Run } from '@chancery/contract/workflow-runs.ts'

export interface Given {
  label: 'Event' | 'Input'
  value: unknown
}

/** The first state of a run holds one or the other under its name. */
export function givenTo({ input }: Pick<Run, 'input'>): Given {
  if (typeof input !== 'object' || input === null) return { label: 'Input', value: input }
  if ('_event' in input) return { label: 'Event', value: input._event }
  return { label: 'Input', value: 'input' in input ? input.input : input }
}
