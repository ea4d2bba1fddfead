/** The signed-in person and their sessions. */
import { Me } from '@chancery/contract/accounts/accounts.ts'
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import * as entrance from '@chancery/contract/endpoints/entrance.ts'
import type { Authenticate } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AccountsContext } from '../context.ts'
import { updateProfile } from '../people/update-profile.ts'
import { presentMe, presentSession, presentUser } from '../present.ts'
import { mailVerification, verifyEmail } from '../proof/verify-email.ts'
import { listSessions } from '../queries/sessions.ts'
import { endSession } from '../sessions/end-session.ts'
import { findSessionOfCall } from '../sessions/session-of-call.ts'

/** `authenticate` knows sessions that lack a second factor too: the person in one is who they are. */
export const meRoutes = (context: AccountsContext, authenticate: Authenticate): Route[] => [
  route({
    ...entrance.getMe,
    reply: Me,
    access: 'user',
    whileLackingFactor: true,
    summary: 'The signed-in person',
    handle: async ({ actor }) => presentMe(actor),
  }),
  route({
    ...endpoints.changeMe,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Change the own name or the second step of the login',
    handle: async ({ actor, body, http }) =>
      presentMe(await updateProfile(context, actor, { patch: body, from: http })),
  }),
  route({
    ...endpoints.getMailFacts,
    access: 'public',
    summary: 'Whether this server can send email',
    handle: async () => ({ configured: context.mail.hasServer }),
  }),
  route({
    ...endpoints.verifyEmail,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Prove an email address with the mailed link',
    limits: [{ per: 'address', max: 100, windowSec: 3600 }],
    handle: async ({ body, http }) => {
      const session = (await findSessionOfCall(authenticate, http))?.actor
      await verifyEmail(context, { ...body, session }, http)
    },
  }),
  route({
    ...endpoints.resendVerification,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Mail a link that proves your email address',
    handle: async ({ actor }) => {
      await mailVerification(context, actor)
      return { accepted: true as const }
    },
  }),
  route({
    ...endpoints.validateSession,
    access: 'user',
    whileLackingFactor: true,
    summary: 'Whether the credential is valid, and until when',
    handle: async ({ actor }) => ({
      valid: true as const,
      expiresAt: actor.credential.expiresAt?.toISOString() ?? null,
      user: presentUser(actor),
    }),
  }),
  route({
    ...endpoints.listSessions,
    access: 'user',
    summary: 'Where one is signed in',
    handle: async ({ actor }) => {
      const sessions = await listSessions(context.db, actor, context.clock.now())
      return { sessions: sessions.map((session) => presentSession(session, actor.credential.id)) }
    },
  }),
  route({
    ...endpoints.endSession,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'End one session',
    handle: ({ actor, params, http }) => endSession(context, actor, { sessionId: params.id, from: http }),
  }),
]
