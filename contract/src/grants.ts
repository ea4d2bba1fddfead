/** Who besides its owner may use a thing. An empty list is nobody; a thing without the field is as open as its section says. */
import { z } from 'zod'

export const AccessGrant = z.strictObject({
  principal_type: z.enum(['user', 'group', 'organization']),
  principal_id: z.uuid(),
  permission: z.enum(['read', 'write']),
})
export type AccessGrant = z.infer<typeof AccessGrant>

/** Null opens the thing to every signed-in user. */
export const AccessGrants = z.array(AccessGrant).max(500).nullable()
