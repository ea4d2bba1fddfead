/** `/scim/v2/Groups`. */
import * as endpoints from '@chancery/contract/endpoints/scim/directory.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Directory, ScimContext } from '../context.ts'
import { presentGroup } from '../groups/group.ts'
import { getGroup, listGroups } from '../groups/list-groups.ts'
import { createGroup, deleteGroup, writeGroup } from '../groups/write-group.ts'
import { readOperations, requireObject } from '../patch/operations.ts'
import { type GroupDraft, patchGroup } from '../patch/patch-group.ts'
import {
  type Asked,
  cut,
  isAskedFor,
  isVersionKnown,
  jsonOf,
  listOf,
  nothing,
  notModified,
  readRange,
  replyWith,
} from '../protocol/resource.ts'
import { baseOf } from '../settings.ts'
import { asScim, writes } from './declare.ts'
import { notingRefusals } from './noting-refusals.ts'

const filled = (draft: GroupDraft, body: unknown): GroupDraft =>
  patchGroup(draft, [{ kind: 'replace', path: undefined, value: requireObject(body) }])

export const groupRoutes = (context: ScimContext): Route[] => {
  const base = baseOf(context)
  const find = async (directory: Directory, id: string, asked: Asked) =>
    presentGroup(base, await getGroup(context, { directory, id, withMembers: isAskedFor(asked, 'members') }))
  return [
    route({
      ...endpoints.listScimGroups,
      ...asScim,
      summary: 'SCIM: groups of the organization',
      handle: ({ actor, query, http }) =>
        notingRefusals(context, { actor, http }, async () => {
          const range = readRange(query)
          const withMembers = isAskedFor(query, 'members')
          const { filter } = query
          const { groups, total } = await listGroups(context, { directory: actor, filter, range, withMembers })
          const resources = groups.map((group) => cut(presentGroup(base, group), query))
          return jsonOf(listOf(resources, { from: range.from, total }))
        }),
    }),
    route({
      ...endpoints.createScimGroup,
      ...asScim,
      writes,
      summary: 'SCIM: make a group',
      handle: ({ actor, body, query, http }) =>
        notingRefusals(context, { actor, http }, async () => {
          const draft = filled({ members: new Set() }, body)
          const id = await createGroup(context, { directory: actor, from: http, draft })
          return replyWith(await find(actor, id, query), query, 201)
        }),
    }),
    route({
      ...endpoints.getScimGroup,
      ...asScim,
      summary: 'SCIM: one group',
      handle: async ({ actor, params, query, http }) => {
        const resource = await find(actor, params.id, query)
        return isVersionKnown(http.header('if-none-match'), resource.meta.version)
          ? notModified
          : replyWith(resource, query)
      },
    }),
    route({
      ...endpoints.replaceScimGroup,
      ...asScim,
      writes,
      summary: 'SCIM: replace a group',
      handle: ({ actor, params, body, query, http }) =>
        notingRefusals(context, { actor, http }, async () => {
          const whose = { directory: actor, id: params.id, from: http, ifMatch: http.header('if-match') }
          const decide = ({ externalId }: GroupDraft) => filled({ externalId, members: new Set() }, body)
          await writeGroup(context, { ...whose, decide })
          return replyWith(await find(actor, params.id, query), query)
        }),
    }),
    route({
      ...endpoints.patchScimGroup,
      ...asScim,
      writes,
      summary: 'SCIM: change a group; the reply has no members unless they are asked for',
      handle: ({ actor, params, body, query, http }) =>
        notingRefusals(context, { actor, http }, async () => {
          const operations = readOperations(body)
          const whose = { directory: actor, id: params.id, from: http, ifMatch: http.header('if-match') }
          await writeGroup(context, { ...whose, decide: (draft) => patchGroup(draft, operations) })
          return query.attributes === undefined ? nothing : replyWith(await find(actor, params.id, query), query)
        }),
    }),
    route({
      ...endpoints.deleteScimGroup,
      ...asScim,
      writes,
      summary: 'SCIM: delete a group; its people stay',
      handle: ({ actor, params, http }) =>
        notingRefusals(context, { actor, http }, async () => {
          const whose = { directory: actor, id: params.id, from: http, ifMatch: http.header('if-match') }
          await deleteGroup(context, whose)
          return nothing
        }),
    }),
  ]
}
