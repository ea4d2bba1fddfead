/** Signing in on a device without a browser: the device's two calls, and the person's. */
import * as endpoints from '@chancery/contract/endpoints/accounts.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { EarlierActor } from '../actor/authenticate.ts'
import type { AccountsContext } from '../context.ts'
import { askAboutDevice, decideAboutDevice, startDeviceSignIn, takeDeviceKey } from '../devices/device-sign-in.ts'
import { requireProof } from '../sessions/require-proof.ts'

/** Of a person, who might try codes out. */
const perActor = [{ per: 'actor', max: 60, windowSec: 3600 }] as const

type FindCurrentActor = (tx: Db, earlier: EarlierActor) => Promise<Actor | undefined>

export const deviceRoutes = (context: AccountsContext, findCurrentActor: FindCurrentActor): Route[] => [
  route({
    ...endpoints.startDevice,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Start signing in on a device without a browser: its code for the person, and one for itself (RFC 8628)',
    limits: [{ per: 'address', max: 60, windowSec: 900 }],
    handle: ({ body, http }) => startDeviceSignIn(context, { name: body.name, from: http }),
  }),
  route({
    ...endpoints.takeDeviceToken,
    access: 'public',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'The API key of a device, once the person has confirmed its code; until then `authorization_pending`',
    limits: [{ per: 'address', max: 1000, windowSec: 900 }],
    handle: async ({ body, http }) => {
      const { key, expiresInSec } = await takeDeviceKey(context, {
        deviceCode: body.device_code,
        from: http,
        findCurrentActor,
      })
      return { access_token: key, token_type: 'Bearer' as const, expires_in: expiresInSec }
    },
  }),
  route({
    ...endpoints.getDeviceQuestion,
    access: 'user',
    summary: 'Which device shows this code, and what it would get',
    limits: perActor,
    handle: ({ query }) => askAboutDevice(context, query.user_code),
  }),
  route({
    ...endpoints.decideDevice,
    access: 'user',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Let a device sign in as you, or decline',
    limits: perActor,
    handle: async ({ actor, body }) => {
      if (body.allowed) await requireProof(context, actor)
      await decideAboutDevice(context, actor, { userCode: body.user_code, isAllowed: body.allowed })
    },
  }),
]
