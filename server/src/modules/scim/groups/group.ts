/** A group as the directory sees it, and reading what it sends of one. */
import { line } from '@chancery/contract/text.ts'
import { AppError } from '#kernel/errors.ts'
import type { Directory, ScimContext } from '../context.ts'
import type { GroupDraft } from '../patch/patch-group.ts'
import { type Resource, versionOf } from '../protocol/resource.ts'
import type { ScimGroupsTable } from '../tables.ts'

export interface Group {
  id: string
  name: string
  createdAt: Date
  row: ScimGroupsTable | undefined
  /** Absent where nobody asked for them: a group may have all people of a company. */
  memberIds: readonly string[] | undefined
}

export interface WantedGroup {
  name: string
  externalId: string | null
  memberIds: string[]
}

const GroupName = line(120)
const ExternalId = line(200)

const refused = (attribute: string, why: string | undefined) =>
  new AppError('scim_invalid_value', { detail: `“${attribute}” ${why ?? 'is invalid'}.` })

export const readGroup = ({ displayName, externalId, members }: GroupDraft): WantedGroup => {
  const name = GroupName.safeParse(displayName)
  if (!name.success) throw refused('displayName', displayName ? name.error.issues[0]?.message : 'is missing')
  const external = externalId === undefined || externalId === null || externalId === '' ? null : externalId
  const read = ExternalId.nullable().safeParse(external)
  if (!read.success) throw refused('externalId', read.error.issues[0]?.message)
  return { name: name.data, externalId: read.data, memberIds: [...members] }
}

export const draftOfGroup = ({ name, row, memberIds = [] }: Group): GroupDraft => ({
  displayName: name,
  externalId: row?.externalId ?? null,
  members: new Set(memberIds),
})

const contentOf = ({ id, name, row, memberIds }: Group) => ({
  id,
  externalId: row?.externalId ?? undefined,
  displayName: name,
  members: memberIds?.map((value) => ({ value, type: 'User' })),
})

/** Of a group with its members. */
export const versionOfGroup = (group: Group): string => versionOf(contentOf(group))

export const presentGroup = (base: string, group: Group): Resource => {
  const content = contentOf(group)
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    ...content,
    meta: {
      resourceType: 'Group',
      created: group.createdAt.toISOString(),
      lastModified: (group.row?.changedAt ?? group.createdAt).toISOString(),
      location: `${base}/Groups/${group.id}`,
      ...(group.memberIds && { version: versionOf(content) }),
    },
  }
}

export const editorOf = ({ organizationId }: Directory) => ({ kind: 'directory', organizationId }) as const

/** The members of units are asked for by ids that must all be people of the organization. */
export const refusingStrangers = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work
  } catch (problem) {
    if (!(problem instanceof AppError)) throw problem
    if (problem.code === 'member_not_found')
      throw new AppError('scim_invalid_value', { detail: 'A member is nobody of this organization.' })
    if (problem.code === 'unit_not_found') throw new AppError('scim_not_found')
    throw problem
  }
}

export type GroupsContext = Pick<ScimContext, 'organizations' | 'db' | 'clock'>
