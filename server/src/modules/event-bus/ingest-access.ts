/** The key with which other systems publish events: an access without a person behind it. */
import { createHeaderCheck } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { AccessKind } from '#kernel/http/access.ts'
import type { Actor } from '#kernel/http/actor.ts'

declare module '#kernel/http/access.ts' {
  interface AccessKinds {
    /** The holder of the ingest key (no actor, the whole instance), or a person, for their own scope. */
    ingestKey: Actor | undefined
  }
}

const header = 'x-api-key'

/** Without a configured key the route is closed to other systems (503), never open. */
export const ingestAccess = (ingestKey: string | undefined): AccessKind<'ingestKey'> => {
  const isIngestKey = ingestKey === undefined ? () => false : createHeaderCheck(ingestKey)
  const refusal = () => new AppError(ingestKey === undefined ? 'ingest_not_configured' : 'not_authenticated')
  return {
    name: 'ingestKey',
    recognise: ({ headers }) => {
      const given = headers[header]
      if (typeof given !== 'string' || given.startsWith('sk-')) return undefined
      if (!isIngestKey(given)) throw refusal()
      return { caller: undefined, via: 'header' }
    },
    allows: (actor) => actor.kind === 'user',
    refusal,
  }
}
