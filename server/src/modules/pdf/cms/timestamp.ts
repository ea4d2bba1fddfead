/** Asks a time-stamp authority (RFC 3161) to confirm when a signature existed, and checks the answer. */
import { createHash, randomBytes } from 'node:crypto'
import { boolean, integer, octetString, oid, sequence, unsigned } from '../asn1/der.ts'
import { childAt, childrenOf, DerError, oidOf, readDer, timeOf } from '../asn1/read-der.ts'
import { oids } from './oids.ts'

export class TimestampProblem extends Error {}

export interface TimestampRequest {
  body: Buffer
  nonce: Buffer
  digest: Buffer
}

export const timestampRequest = (signature: Buffer): TimestampRequest => {
  const digest = createHash('sha256').update(signature).digest()
  const nonce = Buffer.concat([Buffer.from([0x01]), randomBytes(15)])
  const imprint = sequence(sequence(oid(oids.sha256)), octetString(digest))
  return { body: sequence(integer(1), imprint, unsigned(nonce), boolean(true)), nonce, digest }
}

/** The token of a reply to this request. A token over something else, or for somebody else's question, is refused. */
export const tokenIn = (reply: Buffer, { nonce, digest }: TimestampRequest): Buffer => {
  try {
    const [status, token] = childrenOf(readDer(reply))
    const granted = status && childAt(status, 0).content.readUInt8(0)
    if (granted === undefined || granted > 1 || !token) throw new TimestampProblem('it refused the request')
    const info = readTimestamp(token.raw)
    if (!info.digest.equals(digest)) throw new TimestampProblem('its token is over other bytes')
    if (!info.nonce?.equals(nonce)) throw new TimestampProblem('its token answers another request')
    return token.raw
  } catch (problem) {
    if (problem instanceof DerError || problem instanceof RangeError)
      throw new TimestampProblem('its answer cannot be read', { cause: problem })
    throw problem
  }
}

export interface TimestampFacts {
  at: Date
  /** Of what the token is over, and by which hash: its object identifier. */
  digest: Buffer
  hash: string
  nonce: Buffer | undefined
}

/** The facts in a token. Whether its own signature holds is checked by `verifyCms`. */
export const readTimestamp = (token: Buffer): TimestampFacts => {
  const signedData = childAt(childAt(readDer(token), 1), 0)
  const content = childAt(signedData, 2)
  if (oidOf(childAt(content, 0)) !== oids.timeStampInfo) throw new DerError('this is no time-stamp')
  const info = childrenOf(readDer(childAt(childAt(content, 1), 0).content))
  const [, , imprint, , time, ...rest] = info
  if (!imprint || !time) throw new DerError('this is no time-stamp')
  return {
    at: timeOf(time),
    digest: childAt(imprint, 1).content,
    hash: oidOf(childAt(childAt(imprint, 0), 0)),
    // An INTEGER directly after the optional accuracy (a SEQUENCE) and ordering (a BOOLEAN).
    nonce: withoutSign(rest.find(({ tag }) => tag === 0x02)?.content),
  }
}

const withoutSign = (integerBytes: Buffer | undefined): Buffer | undefined =>
  integerBytes?.[0] === 0 ? integerBytes.subarray(1) : integerBytes
