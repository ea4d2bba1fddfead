/**
 * A recipient signs. Under the document's lock, so of a complete and a cancel, a decline, a resend or another complete
 * that race, one comes first and the other sees it. Repeating it answers the same and changes nothing.
 */

import { createHash } from 'node:crypto'
import type { FieldProblem } from '@chancery/contract/errors.ts'
import type { FieldValue } from '@chancery/contract/signing/signing.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import { announce } from '../announce.ts'
import type { SigningContext } from '../context.ts'
import { authenticationOf } from '../evidence/authentication.ts'
import { canonicalJson } from '../evidence/chain.ts'
import { loggedValues } from '../evidence/logged-values.ts'
import { record } from '../evidence/record.ts'
import { checkValue, isFilled } from '../fields/check-value.ts'
import { dayIn, isSigningDay } from '../fields/signing-day.ts'
import { asFlow } from '../flow/as-flow.ts'
import { stateAfterAction } from '../flow/turns.ts'
import { notifyDue } from '../notify.ts'
import { updateDocumentUnscoped } from '../queries/documents.ts'
import { type FieldRow, listFieldsUnscoped, setValueUnscoped } from '../queries/fields.ts'
import { listFilesUnscoped } from '../queries/files.ts'
import { listRecipientsUnscoped, type RecipientRow, updateRecipientUnscoped } from '../queries/recipients.ts'
import { requireTurn } from './refusals.ts'
import { authorOf, type Signer, type Visit, withSigner } from './signer.ts'

export const complete = async (context: SigningContext, visit: Visit, timeZone?: string) => {
  const states = await withSigner(context, visit, async (tx, signer) => {
    const { document, recipient } = signer
    if (recipient.state === 'SIGNED') return { recipientState: recipient.state, documentState: document.state }
    const now = context.kernel.clock.now()
    requireTurn({ document, recipient, recipients: await listRecipientsUnscoped(tx, document.id), now })
    if (recipient.consentedAt === null) throw new AppError('consent_required')
    const zone = timeZone ?? recipient.timeZone
    const fields = await fillRequired(context, tx, { recipient, day: dayIn(now, zone) })
    await sign(context, tx, { signer, visit, fields, zone })
    await context.kernel.failpoints.hit('signing: signed')
    const documentState = await moveOn(context, tx, signer)
    return { recipientState: 'SIGNED' as const, documentState }
  })
  context.bus.wake()
  return states
}

const sign = async (
  context: SigningContext,
  tx: Db,
  { signer, visit, fields, zone }: { signer: Signer; visit: Visit; fields: readonly FieldRow[]; zone: string | null },
): Promise<void> => {
  const { document, recipient } = signer
  const isAccount = signer.userId !== null
  const { ip: signedIp, userAgent: signedAgent } = visit.http
  await updateRecipientUnscoped(tx, recipient.id, {
    state: 'SIGNED',
    signedAt: context.kernel.clock.now(),
    timeZone: zone,
    signedBy: signer.userId,
    signedIp,
    signedAgent,
  })
  const files = await listFilesUnscoped(tx, document.id)
  const values = fields.map(({ id, value }) => ({ id, value }))
  const detail = {
    recipientId: recipient.id,
    role: recipient.role,
    authentication: authenticationOf({ isAccount, isCopied: signer.isCopied, hasCode: document.emailOtp }),
    files: files.map(({ name, sha256 }) => ({ name, sha256 })),
    timeZone: zone,
    // Filled in by the sender and left as it was by the signer.
    ...prefilledOf(fields),
    values: loggedOf(fields),
    valuesSha256: createHash('sha256').update(canonicalJson(values)).digest('hex'),
  }
  await record(context, tx, {
    documentId: document.id,
    entries: [{ type: 'signed', by: authorOf(signer, visit), detail }],
  })
  await announce(context, tx, { type: 'recipient_signed', document, recipient })
}

const prefilledOf = (fields: readonly FieldRow[]) => {
  const prefilledFieldIds = fields.flatMap(({ id, filledBy }) => (filledBy === 'SENDER' ? id : []))
  return prefilledFieldIds.length === 0 ? {} : { prefilledFieldIds }
}

const loggedOf = (fields: readonly FieldRow[]) => {
  const values = loggedValues(fields.map(({ value }) => value))
  return fields.map(({ id: fieldId }, index) => ({ fieldId, value: values[index] ?? null }))
}

/** Seals when nobody has to act any more; otherwise asks those whose turn it now is. */
const moveOn = async (context: SigningContext, tx: Db, { document }: Signer) => {
  const recipients = asFlow(document, await listRecipientsUnscoped(tx, document.id))
  if (stateAfterAction(recipients) !== 'SEALING') {
    await notifyDue(context, tx, document)
    return document.state
  }
  const now = context.kernel.clock.now()
  // Without a lease, so that the sweep finds it should the job be lost.
  await updateDocumentUnscoped(tx, document.id, {
    state: 'SEALING',
    updatedAt: now,
    nextReminderAt: null,
    sealLeaseUntil: null,
  })
  await context.enqueueSeal(tx, document)
  return 'SEALING' as const
}

/** Fills in values that the server knows; everything else that is missing is named at once. */
const fillRequired = async (
  context: SigningContext,
  tx: Db,
  { recipient, day }: { recipient: RecipientRow; day: string },
): Promise<FieldRow[]> => {
  const own = (await listFieldsUnscoped(tx, recipient.documentId)).filter((field) => field.recipientId === recipient.id)
  const known: Partial<Record<FieldRow['type'], FieldValue>> = {
    NAME: recipient.name,
    EMAIL: recipient.email,
  }
  const problems: FieldProblem[] = []
  const filled: FieldRow[] = []
  for (const field of own) {
    const isDay = isSigningDay(field)
    const given = field.value === null && field.required ? (known[field.type] ?? null) : field.value
    const value = isDay ? day : given
    const refuse = (msg: string, type: string) => problems.push({ loc: ['fields', field.id], msg, type })
    if (field.required && !isFilled(value)) refuse(`Fill in ${field.label ?? 'this field'}.`, 'required')
    else if (value !== null) {
      const checked = checkValue(field, value, context.pdfWork)
      if ('problem' in checked) refuse(checked.problem, 'invalid_value')
      else if (field.value !== value)
        await setValueUnscoped(tx, field.id, { value: checked.value, filledBy: 'SERVICE' })
    }
    filled.push({ ...field, value, ...(field.value !== value && { filledBy: 'SERVICE' as const }) })
  }
  if (problems.length > 0) throw new AppError('fields_missing', { problems })
  return filled
}
