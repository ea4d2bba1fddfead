/** Pure. What the check of a PDF means, in plain words. */
import type { VerifyReply } from '@chancery/contract/signing-verification.ts'
import { counted } from '#lib/counted.ts'

type Signature = VerifyReply['signatures'][number]

export interface Verdict {
  tone: 'good' | 'warn' | 'bad' | 'plain'
  title: string
  hint: string
}

export function verdictOf({ sealed, valid, signatures }: VerifyReply): Verdict {
  if (!sealed)
    return {
      tone: 'plain',
      title: 'Not signed',
      hint: 'This PDF has no digital signature, so there is nothing to check.',
    }
  if (!valid)
    return {
      tone: 'bad',
      title: 'Not valid',
      hint: signatures.some((one) => one.valid)
        ? 'The file was changed after it was signed. Don’t rely on it.'
        : 'The signature doesn’t match the file. Don’t rely on it.',
    }
  if (signatures.some(({ changes }) => changes.some(({ kind }) => kind === 'bytes_appended')))
    return {
      tone: 'warn',
      title: 'Valid, but bytes were appended',
      hint: 'What is shown is as it was signed, but bytes were appended after the signature. Ask for the original file.',
    }
  if (signatures.every(({ sealedHere }) => sealedHere))
    return { tone: 'good', title: 'Valid', hint: 'Sealed by this Chancery, and unchanged since.' }
  if (signatures.some(({ isSelfSigned, sealedHere }) => isSelfSigned && !sealedHere))
    return {
      tone: 'warn',
      title: 'Unchanged, signer not confirmed',
      hint: 'The file is as it was signed, but nobody vouches for the signer’s certificate.',
    }
  return { tone: 'good', title: 'Valid', hint: 'The file is as it was signed. Check that you know the signer.' }
}

export function changeText(change: Signature['changes'][number]): string {
  if ('count' in change)
    return change.kind === 'pages_added'
      ? `${counted(change.count, 'page')} added`
      : `${counted(change.count, 'page')} removed`
  if ('page' in change)
    return change.kind === 'page_changed' ? `Page ${change.page} changed` : `Comments on page ${change.page} changed`
  const texts = {
    form: 'Form fields changed',
    metadata: 'Title or other properties changed',
    security_store: 'Certificates for long-term checks added',
    bytes_appended: 'Bytes were appended after the signature; nothing that is shown has changed',
    other: 'Other parts changed',
    unreadable: 'Parts that can’t be read were added',
  }
  return texts[change.kind]
}
