/** `/scim/v2/Users`. */
import * as endpoints from '@chancery/contract/endpoints/scim/directory.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { Directory, ScimContext } from '../context.ts'
import { readOperations, requireObject } from '../patch/operations.ts'
import { patchUser, type UserDraft } from '../patch/patch-user.ts'
import { createPerson, deletePerson } from '../people/create-person.ts'
import { listPersons } from '../people/list-people.ts'
import { draftOf, emptyDraftOf, findMember, type Person, presentPerson } from '../people/person.ts'
import { readUser } from '../people/read-user.ts'
import { writePerson } from '../people/write-person.ts'
import {
  type Asked,
  cut,
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

/** A whole resource is one operation without a path. */
const filled = (draft: UserDraft, body: unknown): UserDraft =>
  patchUser(draft, [{ kind: 'replace', path: undefined, value: requireObject(body) }])

const beforeOf = (person: Person) => readUser(draftOf(person))

export const userRoutes = (context: ScimContext): Route[] => {
  const base = baseOf(context)
  const reply = async (directory: Directory, userId: string, asked: Asked) =>
    replyWith(presentPerson(base, await findMember(context, context.db, { directory, userId })), asked)
  return [
    route({
      ...endpoints.listScimUsers,
      ...asScim,
      summary: 'SCIM: people of the organization',
      handle: ({ actor, query, http }) =>
        notingRefusals(context, { actor, http }, async () => {
          const range = readRange(query)
          const { people, total } = await listPersons(context, { directory: actor, filter: query.filter, range })
          const resources = people.map((person) => cut(presentPerson(base, person), query))
          return jsonOf(listOf(resources, { from: range.from, total }))
        }),
    }),
    route({
      ...endpoints.createScimUser,
      ...asScim,
      writes,
      summary: 'SCIM: add a person, or link a member',
      handle: ({ actor, body, query, http }) =>
        notingRefusals(context, { actor, http }, async () => {
          const draft = filled({ name: {}, emails: [] }, body)
          const person = await createPerson(context, { directory: actor, draft, from: http })
          return replyWith(presentPerson(base, person), query, 201)
        }),
    }),
    route({
      ...endpoints.getScimUser,
      ...asScim,
      summary: 'SCIM: one person',
      handle: async ({ actor, params, query, http }) => {
        const person = await findMember(context, context.db, { directory: actor, userId: params.id })
        const resource = presentPerson(base, person)
        return isVersionKnown(http.header('if-none-match'), resource.meta.version)
          ? notModified
          : replyWith(resource, query)
      },
    }),
    route({
      ...endpoints.replaceScimUser,
      ...asScim,
      writes,
      summary: 'SCIM: replace a person',
      handle: ({ actor, params, body, query, http }) =>
        notingRefusals(context, { actor, http }, async () => {
          const whose = { directory: actor, userId: params.id, from: http, ifMatch: http.header('if-match') }
          await writePerson(context, { ...whose, decide: (person) => readUser(filled(emptyDraftOf(person), body)) })
          return reply(actor, params.id, query)
        }),
    }),
    route({
      ...endpoints.patchScimUser,
      ...asScim,
      writes,
      summary: 'SCIM: change a person',
      handle: ({ actor, params, body, query, http }) =>
        notingRefusals(context, { actor, http }, async () => {
          const operations = readOperations(body)
          const whose = { directory: actor, userId: params.id, from: http, ifMatch: http.header('if-match') }
          const decide = (person: Person) => readUser(patchUser(draftOf(person), operations), beforeOf(person))
          await writePerson(context, { ...whose, decide })
          return reply(actor, params.id, query)
        }),
    }),
    route({
      ...endpoints.deleteScimUser,
      ...asScim,
      writes,
      summary: 'SCIM: deactivate a person, who no longer exists to the directory',
      handle: ({ actor, params, http }) =>
        notingRefusals(context, { actor, http }, async () => {
          const whose = { directory: actor, userId: params.id, from: http, ifMatch: http.header('if-match') }
          await deletePerson(context, whose)
          return nothing
        }),
    }),
  ]
}
