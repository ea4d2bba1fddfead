/** `/api/public/sign/{token}`: what a recipient sees and does, without an account. */
import { z } from 'zod'
import { EmailAddress, IsoTime, PersonName } from '../text.ts'
import { SigningField, SigningFile } from './documents.ts'
import { DocumentState, GivenValue, RecipientRole, RecipientState, SigningLanguage } from './signing.ts'

/** Before the code is typed this is all there is: not a title, not a page count. */
export const CodeDue = z.object({
  otpRequired: z.literal(true),
  language: SigningLanguage,
  /** The address that the code is sent to, mostly hidden. */
  email: z.string(),
})

export const SigningFacts = z.object({
  otpRequired: z.literal(false),
  language: SigningLanguage,
  document: z.object({
    id: z.uuid(),
    title: z.string(),
    message: z.string().nullable(),
    /** Machine-made; the page says so. */
    summary: z.string().nullable(),
    state: DocumentState,
    /** In which its dates are written. */
    language: SigningLanguage,
    sender: z.object({ name: z.string(), organization: z.string().nullable() }),
    expiresAt: IsoTime.nullable(),
    allowDelegation: z.boolean(),
    /** Empty once this recipient is done: then only the finished document can be had. */
    files: z.array(SigningFile.pick({ id: true, name: true, bytes: true, pageCount: true, pages: true })),
  }),
  recipient: z.object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: RecipientRole,
    state: RecipientState,
    message: z.string().nullable(),
  }),
  /** Everybody's progress, without addresses. */
  recipients: z.array(z.object({ name: z.string(), role: RecipientRole, state: RecipientState })),
  consent: z.object({ version: z.string(), text: z.string(), acceptedAt: IsoTime.nullable() }),
  /** This recipient's fields, and what others have signed. `isPrefilled`: the value is the sender's. */
  fields: z.array(SigningField.extend({ isMine: z.boolean(), isPrefilled: z.boolean() })),
  canComplete: z.boolean(),
  /** Why not: a stable code. */
  refusal: z.string().nullable(),
  canDownload: z.boolean(),
})
export const SigningReply = z.discriminatedUnion('otpRequired', [CodeDue, SigningFacts])
export type SigningReply = z.infer<typeof SigningReply>

/** In which the recipient counts their days, by name: `Europe/Berlin`. */
const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
export const ActBody = z
  .strictObject({
    timeZone: z.string().min(1).max(64).refine(isTimeZone, 'must be the name of a time zone').optional(),
  })
  .nullish()

export const CodeSentReply = z.object({ expiresAt: IsoTime, resendAfter: z.int() })
export const CodeBody = z.strictObject({ otp: z.string().min(1).max(20) })
export const CodeReply = z.object({ sessionToken: z.string(), expiresAt: IsoTime })
export const ConsentBody = z.strictObject({ accepted: z.literal(true) })
export const ValuesBody = z.array(z.strictObject({ fieldId: z.uuid(), value: GivenValue.nullable() })).max(2000)
export type ValuesBody = z.infer<typeof ValuesBody>
export const DeclineBody = z.strictObject({ reason: z.string().trim().min(1).max(2000) })
export const DelegateBody = z.strictObject({ name: PersonName, email: EmailAddress })
/** Sent by a recipient who wants no emails: not the person meant, or nothing more from this sender. */
export const StopBody = z.strictObject({ reason: z.enum(['NOT_ME', 'NO_MORE_MAIL']) })
/** The state after an action. */
export const ActionReply = z.object({ recipientState: RecipientState, documentState: DocumentState })

export const SigningFileQuery = z.strictObject({ fileId: z.uuid().optional() })
