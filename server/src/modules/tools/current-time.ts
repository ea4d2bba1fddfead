/** `builtin:time`: the current time in the time zone that the model asks for. */
import type { Clock } from '#kernel/clock.ts'
import { AppError } from '#kernel/errors.ts'
import type { Builtin } from './builtin-source.ts'

export const currentTime = (clock: Clock): Builtin => ({
  id: 'builtin:time',
  name: 'Clock',
  description: 'Tells the date and time in any time zone.',
  tools: [
    {
      name: 'current_time',
      routes: [],
      description: 'The current date and time in a time zone.',
      parameters: {
        type: 'object',
        properties: {
          timezone: { type: 'string', description: 'An IANA name such as Europe/Lisbon; UTC without it.' },
        },
      },
      run: async ({ timezone }) => ({
        content: describe(clock.now(), typeof timezone === 'string' ? timezone : 'UTC'),
      }),
    },
  ],
})

const describe = (now: Date, timezone: string): string => {
  try {
    const parts = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone: timezone })
    return `${parts.format(now)} (${now.toISOString()})`
  } catch {
    throw new AppError('tool_failed', { detail: 'Unknown time zone. Use an IANA name such as Europe/Lisbon.' })
  }
}
