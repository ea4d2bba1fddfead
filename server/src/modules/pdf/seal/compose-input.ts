/** The child's input for composing a document: its files, what to draw on them, and what the certificate tells. */

import type { EvidenceSeal } from '@chancery/contract/signing/evidence.ts'
import { isMark } from '@chancery/contract/signing/signing.ts'
import type { ComposeFiles } from '../child/pdf-child.ts'
import type { SealKey } from '../cms/seal-key.ts'
import type { DrawnField, Shown } from '../draw/draw-fields.ts'
import type { PlacedField, SealRequest } from '../interface.ts'
import { fingerprintOf, oneLine } from '../keys/seal-keys.ts'

interface SealMoment {
  sealedAt: Date
  verifyUrl: string
  hasTimestamp: boolean
}

export const composeInput = (request: SealRequest, key: SealKey, moment: SealMoment): ComposeFiles => {
  const images = new ImageTable()
  return {
    request: {
      documentId: request.documentId,
      title: request.title,
      files: request.files.map(({ fields, drawn }) => ({
        fields: fields.map((field) => drawnField(field, images)),
        drawn,
      })),
      evidence: { ...request.evidence, seal: sealFacts(key, moment) },
      signatureBytes: signatureBytes(key, moment.hasTimestamp),
    },
    files: request.files.map(({ blobId }) => blobId),
    images: images.list,
  }
}

const sealFacts = ({ certificate, isSelfMade }: SealKey, { sealedAt, ...rest }: SealMoment): EvidenceSeal => ({
  signer: oneLine(certificate.subject),
  issuer: oneLine(certificate.issuer),
  fingerprint: fingerprintOf(certificate),
  isSelfMade,
  sealedAt: sealedAt.toISOString(),
  ...rest,
})

/** A time-stamp brings its authority's certificates along. */
const signatureBytes = ({ certificate, chain }: SealKey, hasTimestamp: boolean): number =>
  [certificate, ...chain].reduce((sum, { raw }) => sum + raw.length, 2_048) + (hasTimestamp ? 16_384 : 0)

/** A signature that was adopted for many fields is sent and stored once. */
class ImageTable {
  readonly list: Buffer[] = []
  readonly #known = new Map<string, number>()

  add(base64: string): number {
    const index = this.#known.get(base64) ?? this.list.push(Buffer.from(base64, 'base64')) - 1
    this.#known.set(base64, index)
    return index
  }
}

const drawnField = (field: PlacedField, images: ImageTable): DrawnField => {
  const { page, x, y, width, height, signerName, type } = field
  const kind = isMark(type) ? 'mark' : 'text'
  return { page, x, y, width, height, signerName, kind, shown: shownIn(field, images) }
}

const shownIn = ({ value }: PlacedField, images: ImageTable): Shown => {
  if (typeof value === 'boolean') return { isChecked: value }
  if (typeof value === 'string') return { text: value }
  return 'png' in value ? { image: images.add(value.png) } : { text: value.typed }
}
