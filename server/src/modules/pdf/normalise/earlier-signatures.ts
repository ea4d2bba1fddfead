/** Who had signed an upload before: evidence for the certificate, since their signatures don't outlive the rebuilding. */
import type { EarlierSignature } from '@chancery/contract/signing/prepared.ts'
import { toDefinite } from '../asn1/definite.ts'
import { readCms } from '../cms/verify-cms.ts'
import { readPdfDate } from '../read/pdf-date.ts'
import type { StrictFile } from '../strict/strict-file.ts'
import { bytesOf, textOf } from '../strict/values.ts'
import type { Form } from './form.ts'

const maxListed = 100

export const earlierSignatures = ({ resolve }: StrictFile, { signatures }: Form): EarlierSignature[] =>
  signatures.slice(0, maxListed).map((signature) => ({
    name: textOf(resolve(signature.get('Name'))) ?? null,
    at: readPdfDate(textOf(resolve(signature.get('M')))),
    subject: subjectIn(bytesOf(resolve(signature.get('Contents')))),
  }))

const subjectIn = (contents: Buffer | undefined): string | null => {
  try {
    return contents ? readCms(toDefinite(contents).der).signer.subject.replaceAll('\n', ', ') : null
  } catch {
    return null
  }
}
