/** What an organization's administrators set up: tokens, the group of administrators, consent to many deactivations. */
import * as endpoints from '@chancery/contract/endpoints/scim/directory.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { ScimContext } from '../context.ts'
import type { AdminGroupJob } from '../groups/admin-group.ts'
import { listTokens, type TokenRow } from '../queries/tokens.ts'
import { allowDeactivations, readSettings, setAdminGroup } from '../settings.ts'
import { createToken, revokeToken } from '../tokens/tokens.ts'

const present = ({ id, name, createdAt, expiresAt, lastUsedAt }: TokenRow) => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

const limits = [{ per: 'actor', max: 100, windowSec: 3600 }] as const

export const settingsRoutes = (context: ScimContext, job: AdminGroupJob): Route[] => [
  route({
    ...endpoints.listScimTokens,
    access: 'orgAdmin',
    summary: 'The tokens of the organization’s directory',
    handle: async ({ actor }) => {
      const items = (await listTokens(context.db, actor)).map(present)
      return { items, total: items.length }
    },
  }),
  route({
    ...endpoints.createScimToken,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    needsFreshProof: true,
    summary: 'Make a token for the directory; it is shown only in this reply',
    limits,
    handle: async ({ actor, body, http }) => {
      const { row, token } = await createToken(context, actor, { ...body, from: http })
      return { ...present(row), token }
    },
  }),
  route({
    ...endpoints.revokeScimToken,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'allowed' },
    summary: 'Revoke a token of the directory',
    handle: ({ actor, params, http }) => revokeToken(context, actor, { id: params.id, from: http }),
  }),
  route({
    ...endpoints.getScimSettings,
    access: 'orgAdmin',
    summary: 'How the organization’s directory sends people and groups',
    handle: ({ actor }) => readSettings(context, actor),
  }),
  route({
    ...endpoints.changeScimSettings,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    needsFreshProof: true,
    summary: 'Say which group’s members are administrators',
    limits,
    handle: async ({ actor, body, http }) => {
      await setAdminGroup(context, actor, { ...body, from: http, job })
      return readSettings(context, actor)
    },
  }),
  route({
    ...endpoints.allowDeactivations,
    access: 'orgAdmin',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Let the directory deactivate any number of people for an hour',
    limits,
    handle: async ({ actor, http }) => {
      await allowDeactivations(context, actor, { from: http })
      return readSettings(context, actor)
    },
  }),
]
