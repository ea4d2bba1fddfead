/** `/api/signing/inbox`: documents that wait for the signature of the signed-in person. */
import { z } from 'zod'
import { IsoTime } from '../text.ts'
import { RecipientRole } from './signing.ts'

export const InboxItem = z.object({
  /** Names the item when it is opened. */
  recipientId: z.uuid(),
  /** Null where the sender asks for an emailed code first. */
  title: z.string().nullable(),
  sender: z.string(),
  role: RecipientRole,
  askedAt: IsoTime,
  expiresAt: IsoTime.nullable(),
})
export type InboxItem = z.infer<typeof InboxItem>

/** At most a hundred, the oldest first. Empty until the person has verified their email address. */
export const InboxReply = z.object({ data: z.array(InboxItem), emailVerified: z.boolean() })

/** `path` is a page of this server, for this person alone, until `expiresAt`. */
export const InboxOpened = z.object({ path: z.string(), expiresAt: IsoTime })
