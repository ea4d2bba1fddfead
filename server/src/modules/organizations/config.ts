/** People without an organization, and proving domains. */
import { integer, list, type ValuesOf } from '#kernel/config/variable.ts'
import type { AccountsConfig } from '#modules/accounts/index.ts'

export const organizationsVariables = {
  'Where it runs': {
    SVC_PERSON_DOCUMENTS_PER_MONTH: integer({
      fallback: 100,
      min: 0,
      max: 1_000_000_000,
      sentence: 'How many documents a person without an organization may send in a calendar month (UTC).',
    }),
    SVC_PERSON_STORAGE_MB: integer({
      fallback: 5120,
      min: 0,
      max: 1_000_000_000,
      sentence: 'How much a person without an organization may store in files and documents, in mebibytes.',
    }),
    DNS_SERVERS: list({
      fallback: [],
      separator: ',',
      fallbackText: "the machine's own",
      sentence: 'Name servers (address or address:port) that prove email domains.',
    }),
  },
} as const
export type OrganizationsConfig = ValuesOf<typeof organizationsVariables> & AccountsConfig
