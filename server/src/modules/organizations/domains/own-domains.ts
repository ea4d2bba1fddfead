/**
 * An organization proves that an email domain is its own by a TXT record. Until then the claim decides nothing, so that
 * nobody can keep a domain from its owner by claiming it.
 */
import { Resolver } from 'node:dns/promises'
import type { Origin } from '#kernel/audit/audit.ts'
import { randomToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { OrganizationsContext } from '../context.ts'
import { requireWritable } from '../plan/trial.ts'
import {
  claimDomain,
  type DomainRow,
  deleteOwnDomain,
  findOwnDomain,
  listOwnDomains,
  verifyOwnDomain,
} from '../queries/domains.ts'

const mostDomains = 50

interface Request {
  domain: string
  from: Origin
}

export const txtRecordOf = ({ txtToken }: DomainRow): string | null =>
  txtToken === null ? null : `chancery-domain-verification=${txtToken}`

export const addDomain = (
  { audit, clock, db }: OrganizationsContext,
  actor: OrgActor,
  { domain, from }: Request,
): Promise<DomainRow> =>
  db.transaction().execute(async (tx) => {
    await requireWritable({ clock }, tx, actor)
    if ((await listOwnDomains(tx, actor)).length >= mostDomains) throw new AppError('plan_limit_reached')
    await claimDomain(tx, actor, { domain, txtToken: randomToken(), createdAt: clock.now() })
    const row = await findOwnDomain(tx, actor, domain)
    if (!row) throw new AppError('domain_not_found')
    await audit.record(tx, { action: 'organization.claim_domain', by: actor, from, detail: { domain } })
    return row
  })

/** Looks the record up, and makes the domain the organization's. Throws `domain_taken` when another one has it. */
export const verifyDomain = async (
  { audit, clock, config, db }: OrganizationsContext,
  actor: OrgActor,
  { domain, from }: Request,
): Promise<DomainRow> => {
  const row = await findOwnDomain(db, actor, domain)
  if (!row) throw new AppError('domain_not_found')
  if (row.verifiedAt !== null) return row
  const wanted = txtRecordOf(row)
  const records = await readTxt(config.DNS_SERVERS, domain)
  if (wanted === null || !records.includes(wanted)) throw new AppError('domain_not_proven')
  const at = clock.now()
  try {
    await db.transaction().execute(async (tx) => {
      await verifyOwnDomain(tx, actor, { domain, at })
      await audit.record(tx, { action: 'organization.verify_domain', by: actor, from, detail: { domain } })
    })
  } catch (problem) {
    if ((problem as { code?: unknown }).code !== uniqueViolation) throw problem
    throw new AppError('domain_taken', { cause: problem })
  }
  return { ...row, verifiedAt: at }
}

const uniqueViolation = '23505'

export const removeDomain = (
  { audit, clock, db }: OrganizationsContext,
  actor: OrgActor,
  { domain, from }: Request,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await requireWritable({ clock }, tx, actor)
    if (!(await deleteOwnDomain(tx, actor, domain))) throw new AppError('domain_not_found')
    await audit.record(tx, { action: 'organization.remove_domain', by: actor, from, detail: { domain } })
  })

/** A domain without records, or a name server that does not answer, proves nothing. */
const readTxt = async (servers: readonly string[], domain: string): Promise<string[]> => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (servers.length > 0) resolver.setServers([...servers])
  try {
    return (await resolver.resolveTxt(domain)).map((parts) => parts.join(''))
  } catch {
    return []
  }
}
