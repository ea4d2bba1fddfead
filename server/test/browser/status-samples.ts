/** Two busy days on a month, as the servers would have sampled them. */
import { sql } from 'kysely'
import type { Db } from '#kernel/db/database.ts'
import { nilId } from '#kernel/ids.ts'

const bounds = { latency: ['0.005', '0.025', '0.1', '0.5', '2.5', '+Inf'], late: ['0.005', '0.01', '0.1', '1', '+Inf'] }

/** A day has its hours, and one in twelve of its parts goes wrong. */
const sampleOf = (at: Date, { minutes, refused }: { minutes: number; refused: string }) => {
  const hour = at.getUTCHours() + at.getUTCMinutes() / 60
  const busy = Math.round((20 + 180 * Math.max(0, Math.sin(((hour - 5) / 16) * Math.PI))) * minutes)
  const isBad = (at.getTime() / 600_000) % 12 === 0
  const histogram = (name: 'latency' | 'late', count: number) => {
    const above = name === 'late' ? 0.02 : 0.35
    return bounds[name].map((bound, index) => [
      `${name} ${bound}`,
      bound === '+Inf' ? count : Math.round(count * (1 - (isBad ? above + 0.25 : above) ** (index + 1))),
    ])
  }
  const counts = {
    requests: busy,
    'requests.refused': Math.round(busy / 30),
    'requests.failed': isBad ? Math.round(busy / 50) : 0,
    ...Object.fromEntries([...histogram('latency', busy), ...histogram('late', 600 * minutes)]),
    'tokens.prompt': busy * 900,
    'tokens.completion': busy * 300,
    'calls.answered': Math.round(busy / 4),
    'calls.failed': isBad ? 7 : 0,
    cost: busy * 0.0021,
    'provider.count Frankfurt': Math.round(busy / 5),
    'provider.sum Frankfurt': busy / 6,
    'provider.failures Frankfurt': isBad ? 7 : 0,
    'provider.count Local runtime': Math.round(busy / 20),
    'provider.sum Local runtime': busy / 40,
    'runs.succeeded': Math.round(busy / 15),
    'runs.failed': isBad ? 3 : 0,
    seals: Math.round(busy / 90),
    'mails.sent': Math.round(busy / 60),
    'mails.failed': isBad ? 1 : 0,
    refusals: isBad ? 12 : 0,
    ...(isBad && { [`refused document_mails ${refused}`]: 12 }),
  }
  const levels = {
    'queue files.process': isBad ? 95 : 1.5,
    'queue mail.deliver': 0.4,
    'age.runs': isBad ? 12 : 0.3,
    'age.events': 0.1,
    'database.bytes': 3.2e9 + at.getTime() / 4000,
    'database.used': 20 + Math.round(busy / (20 * minutes)),
    'database.most': 100,
    'database.statement': isBad ? 4.2 : 0.2,
    'stored.files': 8e9,
    'stored.documents': 2e9,
  }
  return { counts, levels }
}

export const fillStatus = async (db: Db, refused: string): Promise<void> => {
  const rows = [600, 3600].flatMap((stepSec) => {
    const stepMs = stepSec * 1000
    const last = Math.floor(Date.now() / stepMs) - 1
    return Array.from({ length: stepSec === 600 ? 143 : 24 * 29 }, (_, age) => {
      const at = new Date((last - age) * stepMs)
      // A night without servers.
      const isDown = stepSec === 600 && age > 70 && age < 80
      return isDown ? [] : { stepSec, at, minutes: stepSec / 60, ...sampleOf(at, { minutes: stepSec / 60, refused }) }
    }).flat()
  })
  await sql`
    insert into status_samples (step_sec, at, node_id, minutes, counts, levels)
    select "stepSec", at, ${nilId}, minutes, counts, levels
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as samples ("stepSec" int, at timestamptz, minutes int, counts jsonb, levels jsonb)
    on conflict do nothing`.execute(db)
}
