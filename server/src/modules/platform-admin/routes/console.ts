/** The platform console: every user, organization and group, the audit log, the mail outbox. */
import { AuditFilter, AuditList, AuditQuery, OutboxList, OutboxMail, OutboxQuery } from '@chancery/contract/platform.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AdminContext } from '../context.ts'
import { presentMail, presentMailHead } from '../present.ts'
import { exportAudit, readAudit } from '../read-audit.ts'
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
    query: AuditQuery,
    reply: AuditList,
    handle: ({ query }) => readAudit(context.db, query),
  }),
  route({
    method: 'GET',
    path: '/api/admin/audit/export',
    access: 'platformOwner',
    summary: 'The audit log as CSV, with the same filters; the newest 10,000 entries',
    query: AuditFilter,
    reply: 'raw',
    handle: ({ query }) => exportAudit(context.db, query),
  }),
]

const outboxRoutes = ({ db, mail }: AdminContext): Route[] => [
  route({
    method: 'GET',
    path: '/api/admin/outbox',
    access: 'platformOwner',
    summary: 'Mails of the last month, newest first unless sorted',
    query: OutboxQuery,
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
