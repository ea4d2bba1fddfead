/** The platform console: every user and organization, the audit log, the mail outbox. */
import { PageQuery } from '@chancery/contract/lists.ts'
import {
  AuditList,
  OrganizationRow,
  OrganizationRowList,
  OutboxList,
  OutboxMail,
  UserPatch,
  UserRow,
  UserRowList,
} from '@chancery/contract/platform.ts'
import { listAuditUnscoped } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import { type Route, route } from '#kernel/http/route.ts'
import {
  type AccountsContext,
  countMembers,
  findUserByIdUnscoped,
  listUsersUnscoped,
  setUserStatusUnscoped,
} from '#modules/accounts/index.ts'
import { findOrganizationUnscoped, listOrganizationsUnscoped, presentForConsole } from '#modules/organizations/index.ts'
import { presentAuditEntry, presentConsoleUser, presentMail, presentMailHead } from '../present.ts'

export const consoleRoutes = (accounts: AccountsContext): Route[] => [
  ...userRoutes(accounts),
  ...organizationRoutes(accounts),
  ...outboxRoutes(accounts),
  route({
    method: 'GET',
    path: '/api/admin/audit',
    access: 'platformOwner',
    summary: 'Who did what, when and from where',
    query: PageQuery,
    reply: AuditList,
    handle: async ({ query }) => {
      const { items, total } = await listAuditUnscoped(accounts.db, query)
      return { items: items.map(presentAuditEntry), total }
    },
  }),
]

const userRoutes = (accounts: AccountsContext): Route[] => [
  route({
    method: 'GET',
    path: '/api/admin/users',
    access: 'platformOwner',
    summary: 'Every user, newest first',
    query: PageQuery,
    reply: UserRowList,
    handle: async ({ query }) => {
      const { items, total } = await listUsersUnscoped(accounts.db, query)
      return { items: items.map(presentConsoleUser), total }
    },
  }),
  route({
    method: 'GET',
    path: '/api/admin/users/:id',
    access: 'platformOwner',
    summary: 'One user',
    reply: UserRow,
    handle: async ({ params }) => {
      const user = await findUserByIdUnscoped(accounts.db, params.id)
      if (!user) throw new AppError('user_not_found')
      return presentConsoleUser(user)
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/admin/users/:id',
    access: 'platformOwner',
    summary: 'Deactivate or reactivate a user',
    body: UserPatch,
    reply: UserRow,
    handle: async ({ actor, params, body, http }) =>
      presentConsoleUser(
        await setUserStatusUnscoped(accounts, actor, { userId: params.id, status: body.status, from: http }),
      ),
  }),
]

const organizationRoutes = ({ db }: AccountsContext): Route[] => [
  route({
    method: 'GET',
    path: '/api/admin/organizations',
    access: 'platformOwner',
    summary: 'Every organization, newest first',
    query: PageQuery,
    reply: OrganizationRowList,
    handle: async ({ query }) => {
      const { items, total } = await listOrganizationsUnscoped(db, query)
      const members = await countMembers(
        db,
        items.map(({ id }) => id),
      )
      return { items: items.map((row) => presentForConsole(row, members.get(row.id) ?? 0)), total }
    },
  }),
  route({
    method: 'GET',
    path: '/api/admin/organizations/:id',
    access: 'platformOwner',
    summary: 'One organization',
    reply: OrganizationRow,
    handle: async ({ params }) => {
      const organization = await findOrganizationUnscoped(db, params.id)
      if (!organization) throw new AppError('organization_not_found')
      const members = await countMembers(db, [organization.id])
      return presentForConsole(organization, members.get(organization.id) ?? 0)
    },
  }),
]

const outboxRoutes = ({ db, mail }: AccountsContext): Route[] => [
  route({
    method: 'GET',
    path: '/api/admin/outbox',
    access: 'platformOwner',
    summary: 'Mails of the last month, newest first',
    query: PageQuery,
    reply: OutboxList,
    handle: async ({ query }) => {
      const { items, total } = await mail.listOutbox(db, query)
      return { items: items.map(presentMailHead), total }
    },
  }),
  route({
    method: 'GET',
    path: '/api/admin/outbox/:id',
    access: 'platformOwner',
    summary: 'One mail; its text is gone once a mail server has taken it',
    reply: OutboxMail,
    handle: async ({ params }) => presentMail(await mail.getOutboxMail(db, params.id)),
  }),
]
