/** The credential of a directory: an access without a person behind it. */
import { hashToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { AccessKind } from '#kernel/http/access.ts'
import type { ScimContext } from '../context.ts'
import { findTokenUnscoped, noteTokenUsedUnscoped } from '../queries/tokens.ts'
import { tokenPrefix } from './tokens.ts'

const bearer = /^Bearer +(\S{1,200})$/i
const usedEveryMs = 60_000

/** A token of a closed organization opens nothing. Other credentials are looked at by the gate, and refused. */
export const scimAccess = ({ db, clock, organizations }: ScimContext): AccessKind<'scimToken'> => ({
  name: 'scimToken',
  recognise: async ({ headers }) => {
    const token = bearer.exec(headers.authorization ?? '')?.[1]
    if (!token?.startsWith(tokenPrefix)) return undefined
    const now = clock.now()
    const found = await findTokenUnscoped(db, hashToken(token), now)
    if (!found) throw new AppError('not_authenticated')
    const organization = await organizations.findUnscoped(db, found.organizationId)
    if (!organization?.active) throw new AppError('not_authenticated')
    const { id, organizationId, lastUsedAt } = found
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= usedEveryMs)
      await noteTokenUsedUnscoped(db, id, now)
    return { caller: { id, organizationId }, via: 'header' }
  },
})
