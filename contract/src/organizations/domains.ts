/** `/api/org/domains`: the email domains an organization has claimed, and how it proves them. */
import { z } from 'zod'
import { pageOf } from '../lists.ts'

export const DomainName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/, 'must be a domain')

export const Domain = z.object({
  domain: z.string(),
  verified: z.boolean(),
  txtRecord: z
    .string()
    .nullable()
    .describe('The TXT record to create at the domain; null once a platform admin verified it.'),
})
export type Domain = z.infer<typeof Domain>
export const DomainList = pageOf(Domain)
export const DomainBody = z.strictObject({ domain: DomainName })
