/** The platform console: every user, organization and group, the audit log, the mail outbox, held back work. */
import * as endpoints from '@chancery/contract/endpoints/platform.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { AdminContext } from '../context.ts'
import { presentMail, presentMailHead } from '../present.ts'
import { exportAudit, readAudit } from '../read-audit.ts'
import { groupRoutes } from './groups.ts'
import { heldBackRoutes } from './held-back.ts'
import { organizationRoutes } from './organizations.ts'
import { quotaRoutes } from './quotas.ts'
import { userRoutes } from './users.ts'

export const consoleRoutes = (context: AdminContext): Route[] => [
  ...userRoutes(context),
  ...organizationRoutes(context),
  ...quotaRoutes(context),
  ...groupRoutes(context),
  ...outboxRoutes(context),
  ...heldBackRoutes(context),
  route({
    ...endpoints.listAudit,
    access: 'platformOwner',
    summary: 'Who did what, when and from where',
    handle: ({ query }) => readAudit(context.db, query),
  }),
  route({
    ...endpoints.exportAudit,
    access: 'platformOwner',
    summary: 'The audit log as CSV, with the same filters',
    handle: ({ query }) => exportAudit(context.db, query),
  }),
]

const outboxRoutes = ({ db, mail }: AdminContext): Route[] => [
  route({
    ...endpoints.listMails,
    access: 'platformOwner',
    summary: 'Mails of the last month, newest first unless sorted',
    handle: async ({ query }) => {
      const { items, total } = await mail.listOutbox(db, query)
      return { items: items.map(presentMailHead), total }
    },
  }),
  route({
    ...endpoints.getMail,
    access: 'platformOwner',
    summary: 'One mail; its text is gone once a mail server has taken it',
    handle: async ({ params }) => presentMail(await mail.getOutboxMail(db, params.id)),
  }),
]
