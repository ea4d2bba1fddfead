/** Asks whether a certificate was revoked (OCSP, RFC 6960), and reads the answer. Pure. */
import { createHash, type X509Certificate } from 'node:crypto'
import { nothing, octetString, oid, sequence } from '../asn1/der.ts'
import { childAt, childrenOf, type DerNode, oidOf, readDer, timeOf } from '../asn1/read-der.ts'
import { isSignedBy, partsOfCertificate, RevocationProblem, readCertificate } from './certificate-parts.ts'
import { oids } from './oids.ts'

export interface Issued {
  certificate: X509Certificate
  issuer: X509Certificate
}

/** The status of a certificate, and until when it holds. */
export interface RevocationStatus {
  isRevoked: boolean
  validUntil: Date
}

const sha1 = (bytes: Buffer): Buffer => createHash('sha1').update(bytes).digest()

/** SHA-1 is what every responder knows; it only names the certificate here. */
const certificateId = ({ certificate, issuer }: Issued): Buffer => {
  const { subject, publicKey } = partsOfCertificate(issuer.raw)
  const algorithm = sequence(oid(oids.sha1), nothing())
  const { serial } = partsOfCertificate(certificate.raw)
  return sequence(algorithm, octetString(sha1(subject)), octetString(sha1(publicKey)), serial)
}

/** Without a nonce: the answer is stored in the file, where its time counts. */
export const ocspRequest = (issued: Issued): Buffer => sequence(sequence(sequence(sequence(certificateId(issued)))))

/** Throws a `RevocationProblem` when the answer is not about this certificate, not by its issuer, or too old. */
export const readOcsp = (reply: Buffer, issued: Issued, now: Date): RevocationStatus => {
  const [status, bytes] = childrenOf(readDer(reply))
  if (status?.content[0] !== 0 || !bytes) throw new RevocationProblem('the responder refused the request')
  const [type, basic] = childrenOf(childAt(bytes, 0))
  if (!type || !basic || oidOf(type) !== oids.basicOcspResponse)
    throw new RevocationProblem('the answer is of no known kind')
  const response = readDer(basic.content)
  if (!isByResponder(response, issued, now)) throw new RevocationProblem('the answer is not signed by the issuer')
  const fields = childrenOf(childAt(response, 0))
  const answers = fields.find(({ tag }) => tag === 0x30)
  const answer = answers && childrenOf(answers).find((one) => isAbout(childAt(one, 0), issued))
  if (!answer) throw new RevocationProblem('the answer is about another certificate')
  return statusIn(answer, now)
}

/** Its hash may have been written with or without parameters. */
const isAbout = (id: DerNode, issued: Issued): boolean => {
  const [given, expected] = [childrenOf(id), childrenOf(readDer(certificateId(issued)))]
  return [1, 2, 3].every((at) => given[at] !== undefined && expected[at]?.raw.equals(given[at].raw) === true)
}

const [good, revoked] = [0x80, 0xa1]
/** An answer without an end is good for a short time only. */
const defaultMs = 3_600_000
const skewMs = 300_000

const statusIn = (answer: DerNode, now: Date): RevocationStatus => {
  const [, status, from, ...rest] = childrenOf(answer)
  if (!status || !from) throw new RevocationProblem('the answer is not whole')
  if (status.tag !== good && status.tag !== revoked)
    throw new RevocationProblem('the responder does not know the certificate')
  const next = rest.find(({ tag }) => tag === 0xa0)
  const validFrom = timeOf(from)
  const validUntil = next ? timeOf(childAt(next, 0)) : new Date(validFrom.getTime() + defaultMs)
  if (validFrom.getTime() > now.getTime() + skewMs || validUntil <= now)
    throw new RevocationProblem('the answer is too old')
  return { isRevoked: status.tag === revoked, validUntil }
}

/** The issuer itself, or somebody to whom it gave a certificate for this alone. */
const isByResponder = (response: DerNode, { issuer }: Issued, now: Date): boolean => {
  if (isSignedBy(response, issuer.publicKey)) return true
  const list = childrenOf(response).find(({ tag }) => tag === 0xa0)
  const certificates = list ? childrenOf(childAt(list, 0)).map(({ raw }) => readCertificate(raw)) : []
  return certificates.some(
    (one) =>
      one.keyUsage?.includes(oids.ocspSigning) === true &&
      one.checkIssued(issuer) &&
      one.verify(issuer.publicKey) &&
      one.validFromDate <= now &&
      now < one.validToDate &&
      isSignedBy(response, one.publicKey),
  )
}
