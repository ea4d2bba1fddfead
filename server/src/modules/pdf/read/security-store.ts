/**
 * The document security store (DSS): certificates and proof that none was revoked, appended to a sealed file. The update
 * depends on the signed bytes and the store alone, so that a check can make it again and see that nothing else follows
 * the signature.
 */
import { X509Certificate } from 'node:crypto'
import { PDF, PdfArray, PdfDict, PdfStream } from '@libpdf/core'
import { readDer } from '../asn1/read-der.ts'
import { countObjects } from './count-objects.ts'
import { resolverOf } from './page-attributes.ts'

export interface SecurityStore {
  /** DER, as are the others. */
  certificates: Buffer[]
  ocsps: Buffer[]
  crls: Buffer[]
}

const names = { certificates: 'Certs', ocsps: 'OCSPs', crls: 'CRLs' } as const
const kinds = ['certificates', 'ocsps', 'crls'] as const

/** The bytes that are appended to the signed file. */
export const storeUpdate = async (signed: Buffer, store: SecurityStore): Promise<Buffer> => {
  const pdf = await PDF.load(signed)
  const dss = new PdfDict()
  for (const kind of kinds) {
    const streams = store[kind].map((bytes) => pdf.register(new PdfStream([], bytes)))
    if (streams.length > 0) dss.set(names[kind], PdfArray.of(...streams))
  }
  pdf.getCatalog().set('DSS', pdf.register(dss))
  const whole = await pdf.save({ incremental: true, compressStreams: false })
  return Buffer.from(whole.subarray(signed.length))
}

/** True when all that follows the signed part of a file is a store as we write it. */
export const isStoreUpdate = async (file: Buffer, signedBytes: number, pdf: PDF): Promise<boolean> => {
  const store = storeIn(pdf)
  if (!store || !holdsProof(store)) return false
  // A part that can't be opened on its own is none that we have signed.
  const update = await storeUpdate(file.subarray(0, signedBytes), store).catch(() => undefined)
  if (!update?.equals(file.subarray(signedBytes))) return false
  // Certificates and proofs hold no objects of a PDF; the catalog and the store are objects themselves.
  return countObjects(update) === 2 + kinds.reduce((sum, kind) => sum + store[kind].length, 0)
}

/** We write none without proof, and nothing into one but certificates and answers about them. */
const holdsProof = ({ certificates, ocsps, crls }: SecurityStore): boolean => {
  const answers = [...ocsps, ...crls]
  if (certificates.length === 0 || answers.length === 0) return false
  return certificates.every(isCertificate) && answers.every(isOneSequence)
}

const isCertificate = (bytes: Buffer): boolean => {
  try {
    return new X509Certificate(bytes).raw.equals(bytes)
  } catch {
    return false
  }
}

const isOneSequence = (bytes: Buffer): boolean => {
  try {
    const { tag, raw } = readDer(bytes)
    return tag === 0x30 && raw.length === bytes.length
  } catch {
    return false
  }
}

const storeIn = (pdf: PDF): SecurityStore | undefined => {
  const resolve = resolverOf(pdf)
  const dss = pdf.getCatalog().getDict('DSS', resolve)
  if (!dss) return undefined
  const bytesIn = (name: string): Buffer[] => {
    const list = dss.getArray(name, resolve)
    return (list?.toArray() ?? []).flatMap((_, index) => {
      const item = list?.at(index, resolve)
      return item instanceof PdfStream ? [Buffer.from(item.data)] : []
    })
  }
  return { certificates: bytesIn('Certs'), ocsps: bytesIn('OCSPs'), crls: bytesIn('CRLs') }
}
