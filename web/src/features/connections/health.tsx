/** The health of a connection, with the reason if it is failing. */
import type { Connection } from '@chancery/contract/models/connections.ts'
import { Badge, type Tone } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'

const states: Record<Connection['health']['state'], { tone: Tone; word: string }> = {
  unknown: { tone: 'plain', word: 'Not checked yet' },
  well: { tone: 'good', word: 'Healthy' },
  failing: { tone: 'warn', word: 'Failing' },
  resting: { tone: 'bad', word: 'Paused' },
}

export function Health({ connection: { enabled, health } }: { connection: Connection }) {
  if (!enabled) return <Badge>Off</Badge>
  const { tone, word } = states[health.state]
  return (
    <span className="flex flex-col items-start gap-1">
      <span className="flex items-center gap-2">
        <Badge tone={tone}>{word}</Badge>
        {health.checked_at !== null && (
          <span className="text-faint text-xs @max-4xl:hidden">
            <Time at={health.checked_at} />
          </span>
        )}
      </span>
      {health.problem !== null && <span className="max-w-72 text-sm text-soft">{health.problem}</span>}
    </span>
  )
}
