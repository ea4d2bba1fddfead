/** Which certificate seals documents, and an organization's own. */
import * as endpoints from '@chancery/contract/endpoints/seals.ts'
import type { SealCertificate } from '@chancery/contract/signing/certificate.ts'
import type { z } from 'zod'
import { type Route, route } from '#kernel/http/route.ts'
import { type OrganizationKeyContext, removeOrganizationKey, saveOrganizationKey } from './save-organization-key.ts'
import { expiresInDays, fingerprintOf, type OwnedKey, oneLine } from './seal-keys.ts'

export const certificateRoutes = (context: OrganizationKeyContext): Route[] => {
  const { keys, kernel } = context
  const describe = async (organizationId: string | null) =>
    presentCertificate(await keys.find(organizationId), kernel.clock.now())
  return [
    route({
      ...endpoints.getSealCertificate,
      access: 'signedIn',
      summary:
        'Which certificate seals your documents, and whether anybody vouches for it; the instance’s for platform admins',
      handle: ({ actor }) => describe(actor.organizationId),
    }),
    route({
      ...endpoints.setSealCertificate,
      needsFreshProof: true,
      access: 'orgAdmin',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: "Set the organization's own sealing key and certificate",
      limits: [{ per: 'actor', max: 30, windowSec: 3600 }],
      handle: async ({ actor, body, http }) => {
        await saveOrganizationKey(context, actor, { pem: body.pem, from: http })
        return describe(actor.organizationId)
      },
    }),
    route({
      ...endpoints.removeSealCertificate,
      needsFreshProof: true,
      access: 'orgAdmin',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: "Use the instance's sealing key again",
      handle: ({ actor, http }) => removeOrganizationKey(context, actor, http),
    }),
  ]
}

const presentCertificate = ({ key, owner }: OwnedKey, now: Date): z.input<typeof SealCertificate> => ({
  owner,
  subject: oneLine(key.certificate.subject),
  issuer: oneLine(key.certificate.issuer),
  sha256: fingerprintOf(key.certificate),
  validTo: key.certificate.validToDate.toISOString(),
  isSelfMade: key.isSelfMade,
  expiresInDays: expiresInDays(key, now),
})
