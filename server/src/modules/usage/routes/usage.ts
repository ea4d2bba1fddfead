/** `/api/v1/usage`: usage reports and the remaining allowance. */
import { Allowance, UsageQuery, UsageReport } from '@chancery/contract/usage.ts'
import type { RawReply } from '#kernel/http/raw-reply.ts'
import { type Route, route } from '#kernel/http/route.ts'
import type { UsageContext } from '../context.ts'
import { toCsv } from '../csv.ts'
import { readAllowance } from '../read-allowance.ts'
import { reportUsage } from '../report-usage.ts'

const base = '/api/v1/usage'

export const usageRoutes = (context: UsageContext): Route[] => [
  route({
    method: 'GET',
    path: base,
    access: 'signedIn',
    summary: 'Usage by day, model, user or key, as JSON or CSV',
    query: UsageQuery,
    reply: 'raw',
    handle: async ({ actor, query: { format, ...query } }) => {
      const report = await reportUsage(context, actor, query)
      return format === 'csv' ? asFile(report, query.by) : asJson(report)
    },
  }),
  route({
    method: 'GET',
    path: `${base}/allowance`,
    access: 'signedIn',
    summary: 'Your remaining allowance',
    reply: Allowance,
    handle: ({ actor }) => readAllowance(context, actor),
  }),
]

const asJson = (report: UsageReport): RawReply => ({
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(UsageReport.parse(report)),
})

const asFile = (report: UsageReport, by: string): RawReply => ({
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="usage-by-${by}-${report.from}-${report.to}.csv"`,
  },
  body: toCsv(report),
})
