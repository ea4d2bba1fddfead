/** Questions to the browser. */
import { integer, type ValuesOf } from '#kernel/config/variable.ts'

export const realtimeVariables = {
  Models: {
    WEBSOCKET_EVENT_CALLER_TIMEOUT: integer({
      fallback: 300,
      min: 1,
      max: 86_400,
      sentence: 'Seconds that a question to the browser waits for its answer.',
    }),
  },
} as const
export type RealtimeConfig = ValuesOf<typeof realtimeVariables>
