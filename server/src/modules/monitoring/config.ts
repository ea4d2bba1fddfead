/** Who may scrape. */
import { text, type ValuesOf } from '#kernel/config/variable.ts'

export const monitoringVariables = {
  Metrics: {
    METRICS_TOKEN: text({
      fallback: undefined,
      fallbackText: 'none: only the platform admin',
      secret: true,
      sentence: 'The bearer token with which /metrics may be scraped, besides the platform admin.',
    }),
  },
} as const
export type MonitoringConfig = ValuesOf<typeof monitoringVariables>
