/** Reads an issuer's list of revoked certificates (RFC 5280). Pure. */
import { childAt, childrenOf, type DerNode, oidOf, readDer, timeOf } from '../asn1/read-der.ts'
import { isSignedBy, partsOfCertificate, RevocationProblem } from './certificate-parts.ts'
import type { Issued, RevocationStatus } from './ocsp.ts'

const deltaIndicator = '2.5.29.27'
const isTime = ({ tag }: DerNode): boolean => tag === 0x17 || tag === 0x18

/** Throws a `RevocationProblem` when the list is not the issuer's, not complete, or too old. */
export const readCrl = (file: Buffer, { certificate, issuer }: Issued, now: Date): RevocationStatus => {
  const list = readDer(file)
  const fields = childrenOf(childAt(list, 0))
  const own = partsOfCertificate(certificate.raw)
  const isTheirs = fields.some(({ raw }) => raw.equals(own.issuer)) && isSignedBy(list, issuer.publicKey)
  if (!isTheirs) throw new RevocationProblem('the list is not signed by the issuer')
  if (isDelta(fields)) throw new RevocationProblem('the list holds only what changed')
  const [from, until] = fields.filter(isTime).map(timeOf)
  if (!from || !until || until <= now) throw new RevocationProblem('the list is too old')
  // After the times come the revoked ones, if there are any.
  const revoked = fields.slice(fields.findLastIndex(isTime) + 1).find(({ tag }) => tag === 0x30)
  const isRevoked =
    revoked !== undefined && childrenOf(revoked).some((entry) => childAt(entry, 0).raw.equals(own.serial))
  return { isRevoked, validUntil: until }
}

const isDelta = (fields: readonly DerNode[]): boolean => {
  const extensions = fields.find(({ tag }) => tag === 0xa0)
  const list = extensions ? childrenOf(childAt(extensions, 0)) : []
  return list.some((extension) => oidOf(childAt(extension, 0)) === deltaIndicator)
}
