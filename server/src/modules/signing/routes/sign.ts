/** The recipient's own routes. The token in the path is the credential; a code may be due besides. */
import * as endpoints from '@chancery/contract/endpoints/signing-public.ts'
import { AppError } from '#kernel/errors.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import type { SigningContext } from '../context.ts'
import { replyWithOriginal, replyWithSealed } from '../documents/read-evidence.ts'
import { replyWithCertificate } from '../evidence/certificate-file.ts'
import { isOpen } from '../flow/states.ts'
import { fillFields, giveConsent } from '../recipients/act.ts'
import { requestCode, verifyCode } from '../recipients/codes.ts'
import { complete } from '../recipients/complete.ts'
import { describeSigning } from '../recipients/describe.ts'
import { decline, delegate } from '../recipients/leave.ts'
import { noteFetched, openDocument } from '../recipients/open.ts'
import { hasExpired } from '../recipients/refusals.ts'
import { authorOf, getSigner, requireIn, sessionCookie } from '../recipients/signer.ts'
import { stopMail, wantMail } from '../recipients/stop-mail.ts'

/** Every field of a long form, each with a drawing. */
const maxValuesBytes = 8 * 1024 * 1024
const limits = [{ per: 'address', max: 600, windowSec: 60 }] as const

export const signRoutes = (context: SigningContext): Route[] => [
  ...entryRoutes(context),
  ...actionRoutes(context),
  ...fileRoutes(context),
  ...stopRoutes(context),
]

const entryRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.getSigning,
    access: 'public',
    summary: 'What there is to sign; changes nothing, and shows nothing while a code is due',
    limits,
    handle: ({ params, http }) => describeSigning(context, { token: params.token, http }),
  }),
  route({
    ...endpoints.sendCode,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Email a code to the recipient',
    limits,
    handle: async ({ params, http }) => {
      const { expiresAt, resendAfter } = await requestCode(context, { token: params.token, http })
      return { expiresAt: expiresAt.toISOString(), resendAfter }
    },
  }),
  route({
    ...endpoints.verifyCode,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Exchange the code for a short session, as a cookie and for the header X-Signing-Session',
    limits,
    handle: async ({ params, body, http }) => {
      const { sessionToken, expiresAt } = await verifyCode(context, { token: params.token, http }, body.otp)
      setSession(context, http, { token: params.token, sessionToken, expiresAt })
      return { sessionToken, expiresAt: expiresAt.toISOString() }
    },
  }),
]

/** Sent to this link's own addresses and by our own pages alone. */
const setSession = (
  { kernel }: SigningContext,
  http: HttpCall,
  { token, sessionToken, expiresAt }: { token: string; sessionToken: string; expiresAt: Date },
): void =>
  http.setCookie(sessionCookie, sessionToken, {
    secure: kernel.config.SVC_SESSION_COOKIE_SECURE,
    sameSite: 'strict',
    path: `/api/public/sign/${token}`,
    expiresAt,
  })

const actionRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.openDocument,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Open the document; it counts as opened once a file of it is fetched, too',
    limits,
    handle: ({ params, body, http }) => openDocument(context, { token: params.token, http }, body?.timeZone),
  }),
  route({
    ...endpoints.consent,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Agree to sign electronically',
    limits,
    handle: ({ params, http }) => giveConsent(context, { token: params.token, http }),
  }),
  route({
    ...endpoints.fillFields,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Store values of the own fields; null empties one',
    limits,
    maxBodyBytes: maxValuesBytes,
    handle: ({ params, body, http }) => fillFields(context, { token: params.token, http }, body),
  }),
  route({
    ...endpoints.complete,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Sign or approve; repeating it changes nothing',
    limits,
    handle: ({ params, body, http }) => complete(context, { token: params.token, http }, body?.timeZone),
  }),
  route({
    ...endpoints.decline,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Decline, which closes the document for everybody',
    limits,
    handle: ({ params, body, http }) => decline(context, { token: params.token, http }, body.reason),
  }),
  route({
    ...endpoints.delegate,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Let somebody else sign instead, where the owner allows it',
    limits,
    handle: ({ params, body, http }) => delegate(context, { token: params.token, http }, body),
  }),
]

const stopRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.stopMails,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary:
      "Say that the document isn't for you, which ends its links, or that you want no more email from the sender",
    limits: [{ per: 'address', max: 60, windowSec: 600 }],
    handle: ({ params, body, http }) => stopMail(context, { token: params.token, http }, body.reason),
  }),
  route({
    ...endpoints.resumeMails,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Take that back: the sender may email again',
    limits: [{ per: 'address', max: 60, windowSec: 600 }],
    handle: ({ params, http }) => wantMail(context, { token: params.token, http }),
  }),
]

const fileRoutes = (context: SigningContext): Route[] => [
  route({
    ...endpoints.readFile,
    access: 'public',
    summary: 'The PDF to sign, while there is something to sign',
    limits,
    handle: async ({ params, query, http }) => {
      const visit = { token: params.token, http }
      const signer = requireIn(await getSigner(context, visit))
      const { document, recipient } = signer
      if (recipient.state === 'SIGNED') throw new AppError('already_signed')
      if (document.state !== 'SENT' || !isOpen(recipient)) throw new AppError('document_finished')
      if (hasExpired(document, context.kernel.clock.now())) throw new AppError('document_expired')
      const reply = await replyWithOriginal(context, document, { http, fileId: query.fileId })
      if (http.method === 'GET') await noteFetched(context, visit, { signer, fileId: query.fileId })
      return reply
    },
  }),
  route({
    ...endpoints.download,
    access: 'public',
    summary: 'The sealed PDF, after completion',
    limits,
    handle: async ({ params, http }) => {
      const visit = { token: params.token, http }
      const signer = requireIn(await getSigner(context, visit))
      return replyWithSealed(context, signer.document, { http, by: authorOf(signer, visit) })
    },
  }),
  route({
    ...endpoints.readCertificate,
    access: 'public',
    summary: 'The certificate of completion as a sealed PDF, after completion',
    limits: [{ per: 'address', max: 60, windowSec: 60 }],
    handle: async ({ params, http }) => {
      const { document } = requireIn(await getSigner(context, { token: params.token, http }))
      return replyWithCertificate(context, document, http)
    },
  }),
]
