/** Pure. What the check of a PDF means, in plain words: whether it is unchanged is one thing, who signed it another. */
import type { VerifyReply } from '@chancery/contract/signing/verification.ts'
import { counted } from '#lib/text/counted.ts'

type Signature = VerifyReply['signatures'][number]

export interface Verdict {
  tone: 'good' | 'warn' | 'bad' | 'plain'
  title: string
  hint: string
}

export function verdictOf(reply: VerifyReply): Verdict {
  if (!reply.sealed)
    return {
      tone: 'plain',
      title: 'Not signed',
      hint: 'This PDF has no digital signature, so there is nothing to check.',
    }
  if (!reply.valid) return invalidVerdict(reply)
  const hint = validHint(reply)
  return reply.trusted
    ? { tone: 'good', title: 'Valid', hint }
    : { tone: 'warn', title: 'Unchanged, signer not confirmed', hint }
}

function invalidVerdict({ signatures, laterSignatures }: VerifyReply): Verdict {
  const reasons = new Set(signatures.map(({ reason }) => reason))
  if (reasons.has('mismatch'))
    return { tone: 'bad', title: 'Not valid', hint: 'A signature doesn’t match the file. Don’t rely on it.' }
  if (reasons.has('changed'))
    return {
      tone: 'bad',
      title: 'Not valid',
      hint:
        laterSignatures.length > 0
          ? 'It was changed and signed again later. What was added may cover what was signed first: ask for the original file.'
          : 'The file was changed after it was signed. Don’t rely on it.',
    }
  if (reasons.has('unreadable'))
    return {
      tone: 'bad',
      title: 'Can’t be checked',
      hint: 'A signature is damaged, or of a kind that can’t be checked here. Don’t rely on it.',
    }
  return {
    tone: 'warn',
    title: 'Unchanged, but the certificate wasn’t valid',
    hint: 'The file is as it was signed, but a certificate wasn’t valid at that time, or isn’t any more and the file doesn’t say when it was signed.',
  }
}

function validHint(reply: VerifyReply): string {
  if (isOwnSeal(reply))
    return reply.laterSignatures.length > 0
      ? 'Sealed by this Chancery, and unchanged since. Somebody signed it again later.'
      : 'Sealed by this Chancery, and unchanged since.'
  const where = reply.sealedHere ? 'It was sealed here with an organization’s own certificate. ' : ''
  return reply.trusted
    ? `${where}It is unchanged, and a certificate authority confirms the signer.`
    : `${where}Anybody can make a certificate with any name: make sure that you know this signer.`
}

/** Not by the certificate of an organization, which chose the name in it. */
const isOwnSeal = ({ signatures }: VerifyReply): boolean =>
  signatures.some(({ trustedBy }) => trustedBy === 'this_service')

export interface Answer {
  question: string
  answer: string
  detail?: string
  tone: Verdict['tone']
}

/** The three questions, apart. */
export function answersOf(reply: VerifyReply): Answer[] {
  const { intact, signer, trusted } = reply
  const toneIf = (isGood: boolean, otherwise: Verdict['tone']) => (isGood ? (intact ? 'good' : 'plain') : otherwise)
  return [
    intact
      ? { question: 'Unchanged', answer: 'Yes, as it was signed', tone: 'good' }
      : { question: 'Unchanged', answer: 'No', tone: 'bad' },
    { question: 'Sealed here', answer: sealedText(reply), tone: toneIf(reply.sealedHere, 'plain') },
    {
      question: 'Signer',
      answer: trusted ? (isOwnSeal(reply) ? 'This Chancery' : 'Confirmed by an authority') : 'Not confirmed',
      detail: signer ?? 'Unknown name',
      tone: toneIf(trusted, 'warn'),
    },
  ]
}

function sealedText(reply: VerifyReply): string {
  if (!reply.sealedHere) return 'No'
  if (!reply.intact) return 'Yes, before it was changed'
  return isOwnSeal(reply) ? 'Yes' : 'Yes, with an organization’s certificate'
}

export function changeText(change: Signature['changes'][number]): string {
  if ('count' in change)
    return change.kind === 'pages_added'
      ? `${counted(change.count, 'page')} added`
      : `${counted(change.count, 'page')} removed`
  if ('page' in change)
    return change.kind === 'page_changed' ? `Page ${change.page} changed` : `Something was put on page ${change.page}`
  const texts = {
    form: 'Form fields changed',
    metadata: 'Title or other properties changed',
    security_store: 'Certificates for long-term checks added',
    signature_added: 'Somebody signed it although the first signature allows no more',
    bytes_appended: 'Something was appended that not every reader shows alike',
    other: 'Other parts changed',
    unreadable: 'Parts that can’t be read were added',
  }
  return texts[change.kind]
}

const results = {
  unreadable: 'Can’t be checked here',
  mismatch: 'Doesn’t match the file',
  changed: 'Matches what was signed; changed since',
  certificate: 'Intact; certificate not valid at the time',
}

export const resultText = ({ reason }: Pick<Signature, 'reason'>): string =>
  reason === null ? 'Intact' : results[reason]
