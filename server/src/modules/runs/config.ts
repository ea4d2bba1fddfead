/** How many runs there may be. */
import { integer, type ValuesOf } from '#kernel/config/variable.ts'

export const runsVariables = {
  Workflows: {
    SVC_RUN_SLOTS: integer({
      fallback: 400,
      min: 4,
      max: 10_000,
      sentence:
        'How many runs a node works on at a time. One tenant has at most half of them while others wait, and never all; runs that wait for a slow call are not counted.',
    }),
    SVC_RUN_MAX_DESCENDANTS: integer({
      fallback: 10_000,
      min: 1,
      max: 1_000_000,
      sentence: 'How many runs one run may start, with all those that they start in turn.',
    }),
  },
} as const
export type RunsConfig = ValuesOf<typeof runsVariables>
