/** What the company used of models in the last thirty days. */
import type { Scene } from './context.ts'

const nobody = '00000000-0000-0000-0000-000000000000'
const dayMs = 86_400_000
const days = 31

/** Tokens of one request: what goes in, and what comes out. */
const models = [
  { id: 'mistral-small', share: 0.62, prompt: 1400, completion: 380 },
  { id: 'llama3.3:70b', share: 0.3, prompt: 2600, completion: 610 },
  { id: 'qwen3-coder:30b', share: 0.12, prompt: 5200, completion: 900 },
] as const

export const makeUsage = async ({ context, organizationId, people, random, now }: Scene): Promise<void> => {
  const rows = []
  for (let back = days - 1; back >= 0; back -= 1) {
    const at = new Date(now.getTime() - back * dayMs)
    // Few work at weekends, and more use it each week.
    const isWeekend = at.getUTCDay() % 6 === 0
    const pace = (isWeekend ? 0.08 : 1) * (0.55 + (0.45 * (days - back)) / days) * (0.8 + random.next() * 0.4)
    for (const [rank, { id: principalId }] of people.entries())
      for (const { id: model, share, prompt, completion } of models) {
        const requests = Math.round(pace * share * (70 - 5 * rank) * random.next())
        if (requests === 0) continue
        const failures = random.next() < 0.04 ? 1 : 0
        const tokens = (each: number) => Math.round(requests * each * (0.7 + random.next() * 0.6))
        rows.push({
          day: at.toISOString().slice(0, 10),
          principalKind: 'user' as const,
          principalId,
          organizationId,
          keyId: nobody,
          model,
          requests,
          failures,
          promptTokens: tokens(prompt),
          completionTokens: tokens(completion),
        })
      }
  }
  await context.db.insertInto('usageDays').values(rows).execute()
}
