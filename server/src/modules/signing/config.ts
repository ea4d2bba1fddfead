/** How much mail to recipients is too much. */
import { integer, type ValuesOf } from '#kernel/config/variable.ts'

export const signingVariables = {
  Signing: {
    SIGNING_MAILS_PER_HOUR: integer({
      fallback: 1000,
      min: 1,
      max: 1_000_000,
      sentence: 'How many emails to recipients one sender may cause in an hour.',
    }),
    SIGNING_UNPROVEN_MAILS_PER_HOUR: integer({
      fallback: 20,
      min: 1,
      max: 1_000_000,
      sentence: 'The same for a sender whose email address is not proven.',
    }),
    SIGNING_ORGANIZATION_MAILS_PER_HOUR: integer({
      fallback: 5000,
      min: 1,
      max: 10_000_000,
      sentence: 'The same for all senders of an organization together.',
    }),
    SIGNING_ADDRESS_MAILS_PER_HOUR: integer({
      fallback: 6,
      min: 1,
      max: 100_000,
      sentence:
        'How many emails one address outside the organization gets from one sender in an hour; half of it from one whose address is not proven.',
    }),
  },
} as const
export type SigningConfig = ValuesOf<typeof signingVariables>
