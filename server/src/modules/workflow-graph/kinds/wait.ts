/** Waits for a time, or for an event. */
import type { Name } from '@chancery/expression'
import { expression, problem } from './checks.ts'
import type { NodeKind } from './kind.ts'

/** The names that its filter can use: the event that arrived, and the run as it was when the wait began. */
export const waitNames: readonly Name[] = [
  'event',
  'input',
  'state',
  { name: 'payload', of: 'event', field: 'payload' },
]

export const wait: NodeKind<'wait'> = {
  texts: ['until'],
  check: ({ seconds, until, event_type, filter_expr, deadline_sec }, around) => [
    ...([seconds, until, event_type].filter((one) => one !== undefined).length === 1
      ? []
      : [problem(['seconds'], 'needs exactly one of seconds, until and event_type')]),
    ...(event_type === undefined && filter_expr !== undefined
      ? [problem(['filter_expr'], 'needs an event_type')]
      : expression(['filter_expr'], filter_expr, { ...around, known: waitNames })),
    ...(event_type === undefined && deadline_sec !== undefined
      ? [problem(['deadline_sec'], 'needs an event_type')]
      : []),
  ],
  isOutward: false,
  isCall: false,
  waitField: ({ seconds }) => (seconds === undefined ? 'deadline_sec' : 'seconds'),
  isTransparent: ({ event_type }) => event_type === undefined,
}
