/** An organization's own sealing key: checked before it is stored, encrypted, and never shown again. */
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Organizations } from '#modules/organizations/index.ts'
import { KeyProblem, keyFromPem, requireUsable } from '../cms/load-key.ts'
import type { SealKey } from '../cms/seal-key.ts'
import { deleteOrganizationKey, upsertOrganizationKey } from './queries.ts'
import { fingerprintOf, oneLine, organizationContext, type SealKeys } from './seal-keys.ts'

export interface OrganizationKeyContext {
  kernel: Pick<Kernel, 'db' | 'clock' | 'sealer' | 'audit'>
  organizations: Pick<Organizations, 'requireWritable'>
  keys: SealKeys
}

interface Request {
  /** The private key, the certificate, then its chain. */
  pem: string
  from: Origin
}

export const saveOrganizationKey = async (
  { kernel, organizations }: OrganizationKeyContext,
  actor: OrgActor,
  { pem, from }: Request,
): Promise<void> => {
  const { db, clock, sealer, audit } = kernel
  const key = readKey(pem, clock.now())
  await db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    await upsertOrganizationKey(tx, actor, {
      certificatePem: [key.certificate, ...key.chain].map(String).join(''),
      sealedKey: sealer.seal(privateKeyIn(pem), organizationContext(actor.organizationId)),
      updatedAt: clock.now(),
    })
    const detail = { subject: oneLine(key.certificate.subject), fingerprint: fingerprintOf(key.certificate) }
    await audit.record(tx, { action: 'signing.key.save', by: actor, from, target: targetOf(actor), detail })
  })
}

/** Documents that are sealed from now on get the instance's seal; earlier ones stay as they are. */
export const removeOrganizationKey = (
  { kernel, organizations }: OrganizationKeyContext,
  actor: OrgActor,
  from: Origin,
): Promise<void> =>
  kernel.db.transaction().execute(async (tx) => {
    await organizations.requireWritable(tx, actor)
    if (!(await deleteOrganizationKey(tx, actor))) throw new AppError('not_found')
    await kernel.audit.record(tx, { action: 'signing.key.delete', by: actor, from, target: targetOf(actor) })
  })

const targetOf = ({ organizationId }: OrgActor) => ({ kind: 'organization', id: organizationId })

const readKey = (pem: string, now: Date): SealKey => {
  try {
    const key = keyFromPem({ keyPem: pem, certificatePem: pem })
    requireUsable(key, now)
    return key
  } catch (problem) {
    const reason = problem instanceof KeyProblem ? problem.message : "can't be read"
    throw new AppError('seal_key_refused', { detail: `This text ${reason}.`, cause: problem })
  }
}

const privateKeyIn = (pem: string): string =>
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+-----END [A-Z ]*PRIVATE KEY-----/.exec(pem)?.[0] ?? ''
