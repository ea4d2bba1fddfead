/** What modules on higher floors fill in here. */
import type { CompanySignedIn, RegisterCompanyBody } from '@chancery/contract/accounts.ts'
import type { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'

/** Registers a company with its first administrator and signs them in. */
export type CompanyFounder = (request: RegisterCompanyBody, from: Origin) => Promise<z.infer<typeof CompanySignedIn>>
