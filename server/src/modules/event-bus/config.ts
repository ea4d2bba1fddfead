/** Events from other systems. */
import { integer, text, type ValuesOf } from '#kernel/config/variable.ts'

export const eventBusVariables = {
  Events: {
    SVC_EVENT_API_KEY: text({
      fallback: undefined,
      fallbackText: 'none: only people publish, with keys of their own',
      secret: true,
      sentence: 'The key with which other systems publish events to the whole instance, in the header X-Api-Key.',
    }),
    EVENT_MAX_PAYLOAD_BYTES: integer({
      fallback: 262_144,
      min: 1024,
      max: 16_777_216,
      sentence: "How large an event's payload may be.",
    }),
  },
} as const
export type EventBusConfig = ValuesOf<typeof eventBusVariables>
