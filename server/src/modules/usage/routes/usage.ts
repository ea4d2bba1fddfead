/** `/api/v1/usage`: usage reports and the remaining allowance. */
import * as endpoints from '@chancery/contract/endpoints/usage.ts'
import { UsageReport } from '@chancery/contract/models/usage.ts'
import { csvFile, toCsv } from '#kernel/csv.ts'
import { jsonReply } from '#kernel/http/replies/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { UsageContext } from '../context.ts'
import { readAllowance } from '../read-allowance.ts'
import { reportUsage } from '../report-usage.ts'

const header = ['group', 'label', 'requests', 'failures', 'prompt_tokens', 'completion_tokens'] as const

export const usageRoutes = (context: UsageContext): Route[] => [
  route({
    ...endpoints.getUsage,
    access: 'signedIn',
    summary: 'Usage by day, model, user or key, as JSON or CSV',
    handle: async ({ actor, query }) => {
      const report = await reportUsage(context, actor, query)
      if (query.format === 'json') return jsonReply(UsageReport.parse(report))
      return csvFile(`usage-by-${query.by}-${report.from}-${report.to}`, toCsv(header, report.rows))
    },
  }),
  route({
    ...endpoints.getAllowance,
    access: 'signedIn',
    summary: 'Your remaining allowance',
    handle: ({ actor }) => readAllowance(context, actor),
  }),
]
