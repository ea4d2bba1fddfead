/** The signed-in person and their sessions. */
import {
  Accepted,
  MailFacts,
  Me,
  MePatch,
  SessionList,
  TokenFacts,
  VerifyEmailBody,
} from '@chancery/contract/accounts.ts'
import type { Authenticate } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AccountsContext } from '../context.ts'
import { updateProfile } from '../people/update-profile.ts'
import { presentMe, presentSession, presentUser } from '../present.ts'
import { mailVerification, verifyEmail } from '../proof/verify-email.ts'
import { listSessions } from '../queries/sessions.ts'
import { endSession } from '../sessions/end-session.ts'
import { findSessionOfCall } from '../sessions/session-of-call.ts'

export const meRoutes = (context: AccountsContext, authenticate: Authenticate): Route[] => [
  route({
    method: 'GET',
    path: '/api/auth/me',
    access: 'user',
    summary: 'The signed-in person',
    reply: Me,
    handle: async ({ actor }) => presentMe(actor),
  }),
  route({
    method: 'PATCH',
    path: '/api/auth/me',
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Change the own name or the second step of the login',
    body: MePatch,
    reply: Me,
    handle: async ({ actor, body, http }) =>
      presentMe(await updateProfile(context, actor, { patch: body, from: http })),
  }),
  route({
    method: 'GET',
    path: '/api/auth/mail',
    access: 'public',
    summary: 'Whether this server can send email',
    reply: MailFacts,
    handle: async () => ({ configured: context.mail.hasServer }),
  }),
  route({
    method: 'POST',
    path: '/api/auth/verify-email',
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Prove an email address with the mailed link',
    limits: [{ per: 'address', max: 100, windowSec: 3600 }],
    body: VerifyEmailBody,
    handle: async ({ body, http }) => {
      const session = (await findSessionOfCall(authenticate, http))?.actor
      await verifyEmail(context, { ...body, session }, http)
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/resend-verification',
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Mail a link that proves your email address',
    reply: Accepted,
    status: 202,
    handle: async ({ actor }) => {
      await mailVerification(context, actor)
      return { accepted: true as const }
    },
  }),
  route({
    method: 'GET',
    path: '/api/auth/validate',
    access: 'user',
    summary: 'Whether the credential is valid, and until when',
    reply: TokenFacts,
    handle: async ({ actor }) => ({
      valid: true as const,
      expiresAt: actor.credential.expiresAt?.toISOString() ?? null,
      user: presentUser(actor),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'user',
    summary: 'Where one is signed in',
    reply: SessionList,
    handle: async ({ actor }) => {
      const sessions = await listSessions(context.db, actor, context.clock.now())
      return { sessions: sessions.map((session) => presentSession(session, actor.credential.id)) }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'End one session',
    handle: ({ actor, params, http }) => endSession(context, actor, { sessionId: params.id, from: http }),
  }),
]
