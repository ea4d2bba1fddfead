/** The filter of a list of runs, kept in the URL as text. */
import { type RunItem, RunStatus } from '@chancery/contract/workflows/runs.ts'
import { triggerLabels } from './step-labels.ts'

export type RunTrigger = RunItem['trigger']

export interface RunFilter {
  statuses: readonly RunStatus[]
  triggers: readonly RunTrigger[]
  /** Local times, as a date and time field has them. */
  from?: string | undefined
  to?: string | undefined
}

interface FilterSearch {
  status?: string
  trigger?: string
  from?: string
  to?: string
}

const isTrigger = (text: string): text is RunTrigger => Object.hasOwn(triggerLabels, text)

/** Whatever isn't known is left out. */
export const filterOf = ({ status = '', trigger = '', from, to }: FilterSearch): RunFilter => ({
  statuses: status.split(',').flatMap((one) => RunStatus.safeParse(one).data ?? []),
  triggers: trigger.split(',').filter(isTrigger),
  from,
  to,
})

export const searchOf = ({ statuses, triggers, from, to }: RunFilter): FilterSearch => ({
  ...(statuses.length > 0 && { status: statuses.join(',') }),
  ...(triggers.length > 0 && { trigger: triggers.join(',') }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})

export const isNarrowed = (filter: RunFilter): boolean => Object.keys(searchOf(filter)).length > 0

/** Unix seconds; a text that is no time is ignored. */
export const secondOf = (text: string | undefined): number | undefined => {
  const ms = text === undefined ? Number.NaN : new Date(text).getTime()
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.floor(ms / 1000)
}

/** As the API takes it. */
export const queryOf = ({ statuses, triggers, from, to }: RunFilter) => ({
  status: statuses.join(',') || undefined,
  trigger: triggers.join(',') || undefined,
  from: secondOf(from),
  to: secondOf(to),
})
