/** Pauses for a duration, until a date, or until an event. */
import { Clock } from 'lucide-react'
import { type NodeKind, textOf } from './kind.ts'

const units = [
  { name: 'd', sec: 86_400 },
  { name: 'h', sec: 3600 },
  { name: 'min', sec: 60 },
] as const

/** `5400` → `90 min`: the largest unit that needs no fraction. */
export function formatSeconds(sec: number): string {
  const unit = units.find((one) => sec >= one.sec && sec % one.sec === 0)
  return unit ? `${sec / unit.sec} ${unit.name}` : `${sec} s`
}

export const wait: NodeKind = {
  label: 'Wait',
  icon: Clock,
  purpose: 'Pauses for a duration, or until a date or an event.',
  idStem: 'wait',
  start: { seconds: 60 },
  summary: ({ seconds, until, event_type }) => {
    if (typeof seconds === 'number') return `for ${formatSeconds(seconds)}`
    return textOf(event_type) === '' ? textOf(until) && `until ${textOf(until)}` : `for ${textOf(event_type)}`
  },
  texts: () => ({ template: ['until'], expression: ['filter_expr'] }),
  result: ({ event_type }) =>
    event_type === undefined ? ['waited_until'] : ['id', 'type', 'payload', 'correlation_id', 'source', 'published_at'],
  passesOn: ({ event_type }) => event_type === undefined,
  fields: {
    seconds: 'Duration',
    until: 'Date and time',
    event_type: 'Event type',
    filter_expr: 'Filter',
    deadline_sec: 'Deadline',
  },
}
