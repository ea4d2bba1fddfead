/** When a session or key was last used. Collected in memory and written now and then: a read must not cost a write. */
import type { Clock } from '#kernel/clock.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Credential } from '#kernel/http/actor.ts'
import { writeLastUseUnscoped } from '../queries/credential-use.ts'

export interface CredentialUse {
  note(credential: Credential): void
  flush(): Promise<void>
}

export const flushEveryMs = 20_000

export const createCredentialUse = ({ db, clock }: { db: Db; clock: Clock }): CredentialUse => {
  const tables = { session: 'sessions', key: 'api_keys' } as const
  const seen = { session: new Map<string, Date>(), key: new Map<string, Date>() }
  return {
    note: ({ kind, id }) => {
      seen[kind].set(id, clock.now())
    },
    flush: async () => {
      for (const kind of ['session', 'key'] as const) {
        const uses = [...seen[kind]]
        seen[kind].clear()
        if (uses.length > 0) await writeLastUseUnscoped(db, tables[kind], uses)
      }
    },
  }
}
