/** Inviting people, and accepting an invitation. */
import * as endpoints from '@chancery/contract/endpoints/organizations.ts'
import { AppError } from '#kernel/errors.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import { findSessionOfCall, presentSignedIn } from '#modules/accounts/index.ts'
import type { OrganizationsContext } from '../context.ts'
import { acceptInvitation, joinWithAccount, readInvitation } from '../invitations/accept-invitation.ts'
import { copyInvitationLink } from '../invitations/copy-invitation-link.ts'
import { inviteMember } from '../invitations/invite-member.ts'
import { resendInvitation } from '../invitations/resend-invitation.ts'
import { revokeInvitation } from '../invitations/revoke-invitation.ts'
import { presentInvitation, presentInvitationFacts } from '../present.ts'

const perAddress = [{ per: 'address', max: 100, windowSec: 3600 }] as const

export const invitationRoutes = (context: OrganizationsContext): Route[] => [
  ...sendingRoutes(context),
  route({
    ...endpoints.getInvitation,
    access: 'public',
    summary: 'What an invitation is for',
    limits: perAddress,
    handle: async ({ params }) => presentInvitationFacts(await readInvitation(context, params.token)),
  }),
  route({
    ...endpoints.acceptInvitation,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Become a member with the mailed link, and be signed in',
    limits: perAddress,
    handle: async ({ body: { token, name, password }, http }) => {
      if (name === undefined || password === undefined) return join(context, token, http)
      const result = await acceptInvitation(context, { token, name, password }, http)
      http.setTokenCookie(result.session.token, result.session)
      return presentSignedIn(result)
    },
  }),
]

/** The route is open, so the session is looked up here. An invitation is accepted by a person, not by a key. */
const join = async (context: OrganizationsContext, token: string, http: HttpCall) => {
  const caller = await findSessionOfCall(context.accounts.authenticate, http)
  if (!caller) throw new AppError('not_authenticated')
  const user = await joinWithAccount(context, caller.actor, { token, from: http })
  const { id, expiresAt } = caller.actor.credential
  return presentSignedIn({ user, session: { id, token: caller.token, expiresAt } })
}

/** The email was queued a moment ago, so it can't have failed yet. */
const queuedIn = ({ mail }: OrganizationsContext) => ({ hasMailServer: mail.hasServer })

const sendingRoutes = (context: OrganizationsContext): Route[] => [
  route({
    ...endpoints.invite,
    access: 'orgAdmin',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Invite somebody by mail',
    limits: [{ per: 'actor', max: 200, windowSec: 3600 }],
    handle: async ({ actor, body, http }) =>
      presentInvitation(await inviteMember(context, actor, { request: body, from: http }), queuedIn(context)),
  }),
  route({
    ...endpoints.resendInvitation,
    access: 'orgAdmin',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: 'Send an invitation again, with a new link',
    limits: [{ per: 'actor', max: 200, windowSec: 3600 }],
    handle: async ({ actor, params, http }) =>
      presentInvitation(
        await resendInvitation(context, actor, { invitationId: params.id, from: http }),
        queuedIn(context),
      ),
  }),
  route({
    ...endpoints.makeInvitationLink,
    access: 'orgAdmin',
    writes: { reachesOthers: true, whenReadOnly: 'refused' },
    summary: "Get a link to hand over when the email couldn't go out; it doesn't prove the address",
    limits: [{ per: 'actor', max: 200, windowSec: 3600 }],
    handle: ({ actor, params, http }) => copyInvitationLink(context, actor, { invitationId: params.id, from: http }),
  }),
  route({
    ...endpoints.withdrawInvitation,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Withdraw an invitation',
    handle: ({ actor, params, http }) => revokeInvitation(context, actor, { invitationId: params.id, from: http }),
  }),
]
