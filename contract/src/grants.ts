/**
 * Access to a resource for others than its owner. An empty list is nobody; a resource without the field is as open as
 * its section says.
 */
import { z } from 'zod'

export const AccessGrant = z.strictObject({
  principal_type: z.enum(['user', 'group', 'organization']),
  principal_id: z.uuid(),
  permission: z.enum(['read', 'write']),
})
export type AccessGrant = z.infer<typeof AccessGrant>

/** Null opens the thing to every signed-in user. */
export const AccessGrants = z.array(AccessGrant).max(500).nullable()
