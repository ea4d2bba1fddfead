/** The platform console: every user, organization and group, the audit log, the mail outbox. */
import { PageQuery } from '@chancery/contract/lists.ts'
import { AuditList, OutboxList, OutboxMail } from '@chancery/contract/platform.ts'
import { listAuditUnscoped } from '#kernel/audit/audit.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AdminContext } from '../context.ts'
import { presentAuditEntry, presentMail, presentMailHead } from '../present.ts'
import { groupRoutes } from './groups.ts'
import { organizationRoutes } from './organizations.ts'
import { userRoutes } from './users.ts'

export const consoleRoutes = (context: AdminContext): Route[] => [
  ...userRoutes(context),
  ...organizationRoutes(context),
  ...groupRoutes(context),
  ...outboxRoutes(context),
  route({
    method: 'GET',
    path: '/api/admin/audit',
    access: 'platformOwner',
    summary: 'Who did what, when and from where',
    query: PageQuery,
    reply: AuditList,
    handle: async ({ query }) => {
      const { items, total } = await listAuditUnscoped(context.db, query)
      return { items: items.map(presentAuditEntry), total }
    },
  }),
]

const outboxRoutes = ({ db, mail }: AdminContext): Route[] => [
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
